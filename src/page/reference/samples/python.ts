import type { Json } from "../../../lib/json/index.js";
import { isCommonMethod, type SampleLanguage, type SampleRequest } from "./sample-request.js";
import { lines, quoted, structure } from "./text.js";

const str = (text: string): string => quoted(text);

export const python: SampleLanguage = {
  name: "Python",
  keys: ["python", "py", "python3"],
  grammar: "python",
  write(request) {
    const { method, url, headers } = request;
    const { before, argument } = bodyOf(request);
    const call = isCommonMethod(method) ? `${method.toLowerCase()}(url` : `request(${str(method)}, url`;
    const kept = request.body?.kind === "json" ? headers.filter((header) => !isPlainJson(header)) : headers;
    const args = [...argument, ...(kept.length > 0 ? ["headers=headers"] : [])];
    return lines(
      "import requests",
      "",
      `url = ${str(url)}`,
      before.length > 0 && ["", ...before],
      kept.length > 0 && ["", `headers = ${dict(kept)}`],
      "",
      `response = requests.${[call, ...args].join(", ")})`,
      "",
      "print(response.text)",
    );
  },
};

/** `json=` sets this header itself. */
const isPlainJson = ([name, value]: readonly [string, string]): boolean =>
  /^content-type$/i.test(name) && value === "application/json";

const dict = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0
    ? "{}"
    : `{\n${entries.map(([name, value]) => `    ${str(name)}: ${str(value)},`).join("\n")}\n}`;

function bodyOf({ body }: SampleRequest): { readonly before: readonly string[]; readonly argument: readonly string[] } {
  switch (body?.kind) {
    case undefined:
      return { before: [], argument: [] };
    case "json":
      return { before: [`payload = ${literal(body.value)}`], argument: ["json=payload"] };
    case "text":
      return { before: [`payload = ${str(body.text)}`], argument: ['data=payload.encode("utf-8")'] };
    case "file":
      return { before: [`payload = open(${str(body.fileName)}, "rb")`], argument: ["data=payload"] };
    case "form":
      return { before: [`payload = [\n${pairs(body.fields)}\n]`], argument: ["data=payload"] };
    case "multipart": {
      const parts = body.parts.map(({ name, value, isFile, contentType }) => {
        const type = contentType === undefined ? "" : `, ${str(contentType)}`;
        return isFile
          ? `    (${str(name)}, (${str(value)}, open(${str(value)}, "rb")${type})),`
          : `    (${str(name)}, (None, ${str(value)}${type})),`;
      });
      return { before: [`files = [\n${parts.join("\n")}\n]`], argument: ["files=files"] };
    }
  }
}

const pairs = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([name, value]) => `    (${str(name)}, ${str(value)}),`).join("\n");

function literal(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "string") return str(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  return structure(value, literal, str, 4);
}
