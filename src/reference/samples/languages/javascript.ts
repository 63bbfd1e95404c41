import { isContainer, type Json, stringify } from "../../../lib/json/index.js";
import { bodyWriter, type SampleLanguage, type SampleRequest, sendsFile } from "./sample-request.js";
import { indent, lines, quoted as str, structure } from "./text.js";

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

const writeIn =
  (dialect: Dialect): SampleLanguage["write"] =>
  ({ method, url, headers, body, answer }) => {
    const { before = [], expression } = body ? bodyOf(body, dialect) : {};
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
  };

export const javascript = writeIn(inBrowser);
export const node = writeIn(inNode);
export const typescript = writeIn({ ...inNode, typeOfJson: ": unknown" });

function resultOf(answer: SampleRequest["answer"], { typeOfJson }: Dialect): string[] {
  switch (answer) {
    case undefined:
      return [`const data${typeOfJson} = await response.json();`, "console.log(data);"];
    case "text":
    case "bytes":
      return [`const data = await response.${answer === "text" ? "text" : "blob"}();`, "console.log(data);"];
    case "none":
      return ["console.log(response.status);"];
  }
}

const bodyOf = bodyWriter<{ readonly before?: readonly string[]; readonly expression?: string }, [dialect: Dialect]>({
  // Literals would round numbers of many digits.
  json: ({ value, text }) => ({ expression: isRounded(value) ? str(text) : `JSON.stringify(${literal(value)})` }),
  text: (body) => ({ expression: str(body.text) }),
  file: (body, dialect) => ({ expression: dialect.file(body.fileName) }),
  form: (body) => {
    const pairs = body.fields.map(([name, value]) => `  [${str(name)}, ${str(value)}],`);
    return { expression: `new URLSearchParams([\n${pairs.join("\n")}\n])` };
  },
  multipart: (body, dialect) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      if (isFile) return `form.append(${str(name)}, ${dialect.file(value, contentType)}, ${str(value)});`;
      // Only a blob can have a type of its own here.
      const text = contentType === undefined ? str(value) : `new Blob([${str(value)}], { type: ${str(contentType)} })`;
      return `form.append(${str(name)}, ${text});`;
    });
    return { before: ["const form = new FormData();", ...parts], expression: "form" };
  },
});

const isRounded = (value: Json): boolean => {
  const exact = stringify(value);
  return exact !== JSON.stringify(JSON.parse(exact));
};

/** `"__proto__": x` would set the prototype. */
const propertyKey = (name: string): string =>
  name === "__proto__" ? `["__proto__"]` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : str(name);

function literal(value: Json): string {
  if (typeof value === "string") return str(value);
  if (!isContainer(value)) return stringify(value);
  return structure(value, literal, propertyKey, 2);
}
