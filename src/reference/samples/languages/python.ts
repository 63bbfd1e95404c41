import { isRawNumber, type Json, stringify } from "../../../lib/json/index.js";
import { bodyWriter, isCommonMethod, type SampleLanguage } from "./sample-request.js";
import { lines, quoted as str, structure } from "./text.js";

export const python: SampleLanguage["write"] = ({ method, url, headers, body, challenge }) => {
  const [before, argument] = body ? bodyOf(body) : [];
  const call = isCommonMethod(method) ? `${method.toLowerCase()}(url` : `request(${str(method)}, url`;
  const sentHeaders = body?.kind === "json" ? headers.filter((header) => !isPlainJson(header)) : headers;
  const args = [
    argument,
    sentHeaders.length > 0 && "headers=headers",
    challenge !== undefined && 'auth=HTTPDigestAuth("<username>", "<password>")',
  ].filter((arg) => arg !== false && arg !== undefined);
  return lines(
    "import requests",
    challenge !== undefined && "from requests.auth import HTTPDigestAuth",
    "",
    `url = ${str(url)}`,
    before !== undefined && ["", before],
    sentHeaders.length > 0 && ["", `headers = ${dict(sentHeaders)}`],
    "",
    `response = requests.${[call, ...args].join(", ")})`,
    "",
    "print(response.text)",
  );
};

/** `json=` sets this header itself. */
const isPlainJson = ([name, value]: readonly [string, string]): boolean =>
  /^content-type$/i.test(name) && value === "application/json";

const dict = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0
    ? "{}"
    : `{\n${entries.map(([name, value]) => `    ${str(name)}: ${str(value)},`).join("\n")}\n}`;

/** The statement that defines the payload, and the argument that sends it. */
const bodyOf = bodyWriter<readonly [before: string, argument: string]>({
  json: ({ value }) => [`payload = ${literal(value)}`, "json=payload"],
  text: ({ text }) => [`payload = ${str(text)}`, 'data=payload.encode("utf-8")'],
  file: ({ fileName }) => [`payload = open(${str(fileName)}, "rb")`, "data=payload"],
  form: ({ fields }) => [`payload = [\n${pairs(fields)}\n]`, "data=payload"],
  multipart: (body) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `, ${str(contentType)}`;
      return isFile
        ? `    (${str(name)}, (${str(value)}, open(${str(value)}, "rb")${type})),`
        : `    (${str(name)}, (None, ${str(value)}${type})),`;
    });
    return [`files = [\n${parts.join("\n")}\n]`, "files=files"];
  },
});

const pairs = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([name, value]) => `    (${str(name)}, ${str(value)}),`).join("\n");

function literal(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "string") return str(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" || isRawNumber(value)) return stringify(value);
  return structure(value, literal, str, 4);
}
