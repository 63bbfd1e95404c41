import type { Json } from "../../../lib/json/index.js";
import { type SampleLanguage, type SampleRequest, sendsFile } from "./sample-request.js";
import { indent, lines, quoted, structure } from "./text.js";

const str = (text: string): string => quoted(text);

/** Browsers, Node.js and TypeScript differ in how they open a file and in type annotations. */
interface Dialect {
  readonly fileImport?: string;
  readonly file: (name: string, contentType?: string) => string;
  /** Type annotation of parsed JSON. */
  readonly typeOfJson: string;
}

const chosen = 'document.querySelector("input[type=file]").files[0]';
const inBrowser: Dialect = {
  file: (_, type) => (type === undefined ? chosen : `new Blob([${chosen}], { type: ${str(type)} })`),
  typeOfJson: "",
};
const inNode: Dialect = {
  fileImport: 'import { openAsBlob } from "node:fs";',
  file: (name, type) => `await openAsBlob(${str(name)}${type === undefined ? "" : `, { type: ${str(type)} }`})`,
  typeOfJson: "",
};
const typed: Dialect = { ...inNode, typeOfJson: ": unknown" };

const languageOf = (dialect: Dialect, about: Omit<SampleLanguage, "write">): SampleLanguage => ({
  ...about,
  write: (request) => write(request, dialect),
});

export const javascript = languageOf(inBrowser, {
  name: "JavaScript",
  keys: ["javascript", "js"],
  grammar: "javascript",
});
export const node = languageOf(inNode, { name: "Node.js", keys: ["node", "nodejs", "node.js"], grammar: "node" });
export const typescript = languageOf(typed, { name: "TypeScript", keys: ["typescript", "ts"], grammar: "typescript" });

function write({ method, url, headers, body, answer }: SampleRequest, dialect: Dialect): string {
  const { before, expression } = bodyOf(body, dialect);
  const options = [
    `method: ${str(method)},`,
    headers.length > 0 &&
      `headers: {\n${headers.map(([name, value]) => `  ${propertyKey(name)}: ${str(value)},`).join("\n")}\n},`,
    expression !== undefined && `body: ${expression},`,
  ].filter((option) => option !== false);
  return lines(
    sendsFile(body) && dialect.fileImport !== undefined && [dialect.fileImport, ""],
    before.length > 0 && [...before, ""],
    `const response = await fetch(${str(url)}, {\n${indent(options.join("\n"), 2)}\n});`,
    ...resultOf(answer, dialect),
  );
}

function resultOf(answer: SampleRequest["answer"], { typeOfJson }: Dialect): string[] {
  switch (answer) {
    case undefined:
      return [`const data${typeOfJson} = await response.json();`, "console.log(data);"];
    case "text":
      return ["const data = await response.text();", "console.log(data);"];
    case "bytes":
      return ["const data = await response.blob();", "console.log(data);"];
    case "none":
      return ["console.log(response.status);"];
  }
}

function bodyOf(
  body: SampleRequest["body"],
  dialect: Dialect,
): { readonly before: readonly string[]; readonly expression?: string } {
  switch (body?.kind) {
    case undefined:
      return { before: [] };
    case "json":
      return { before: [], expression: `JSON.stringify(${literal(body.value)})` };
    case "text":
      return { before: [], expression: str(body.text) };
    case "file":
      return { before: [], expression: dialect.file(body.fileName) };
    case "form": {
      const pairs = body.fields.map(([name, value]) => `  [${str(name)}, ${str(value)}],`);
      return { before: [], expression: `new URLSearchParams([\n${pairs.join("\n")}\n])` };
    }
    case "multipart": {
      const parts = body.parts.map(({ name, value, isFile, contentType }) => {
        if (isFile) return `form.append(${str(name)}, ${dialect.file(value, contentType)}, ${str(value)});`;
        // Only a blob can have a type of its own here.
        const text =
          contentType === undefined ? str(value) : `new Blob([${str(value)}], { type: ${str(contentType)} })`;
        return `form.append(${str(name)}, ${text});`;
      });
      return { before: ["const form = new FormData();", ...parts], expression: "form" };
    }
  }
}

/** `"__proto__": x` would set the prototype. */
const propertyKey = (name: string): string =>
  name === "__proto__" ? `["__proto__"]` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : str(name);

function literal(value: Json): string {
  if (typeof value === "string") return str(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return structure(value, literal, propertyKey, 2);
}
