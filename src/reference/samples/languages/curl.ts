import { bodyWriter, type SampleBody, type SampleLanguage } from "./sample-request.js";
import { encode } from "./text.js";

/** Inside single quotes a shell interprets only the closing quote. */
const shell = (text: string): string => `'${text.toWellFormed().replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

/** A text that `printf` writes, since pages cannot show its carriage returns. */
const printed = (text: string): string =>
  [
    "printf '%b'",
    ...text.split(/(?<=\n)/).map((line) => shell(line.replace(/[\\\r\n]/g, (char) => escapes[char]!))),
  ].join(" \\\n  ");
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\r": "\\r", "\n": "\\n" };
const isPrinted = (body: SampleBody | undefined) => body?.kind === "text" && body.text.includes("\r");

export const curl: SampleLanguage["write"] = ({ method, url, headers, body, challenge }) => {
  const options = [
    // Other options would wait for a body, which never comes.
    method === "HEAD" ? "curl --head" : `curl --request ${method}`,
    ...(challenge === undefined ? [] : [`--${challenge}`, "--user '<username>:<password>'"]),
    `--url ${shell(url)}`,
    ...headers.map(([name, value]) => `--header ${shell(value === "" ? `${name};` : `${name}: ${value}`)}`),
    ...(body ? dataOf(body) : []),
  ];
  const source = options.join(" \\\n  ");
  return body?.kind === "text" && isPrinted(body) ? `${printed(body.text)} |\n${source}` : source;
};

const dataOf = bodyWriter<string[]>({
  json: (body) => [`--data ${shell(body.text)}`],
  text: (body) => [isPrinted(body) ? "--data-binary @-" : `--data-raw ${shell(body.text)}`],
  file: (body) => [`--data-binary ${shell(`@${body.fileName}`)}`],
  form: (body) => body.fields.map(([name, value]) => `--data-urlencode ${shell(`${fieldName(name)}=${value}`)}`),
  multipart: (body) =>
    body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `;type=${contentType}`;
      if (isFile) return `--form ${shell(`${name}=@${value}${type}`)}`;
      // Quotes and backslashes are escaped inside the quotes.
      const text = `"${value.replace(/["\\]/g, "\\$&")}"`;
      return type === "" ? `--form-string ${shell(`${name}=${value}`)}` : `--form ${shell(`${name}=${text}${type}`)}`;
    }),
});

/** The option encodes the value only. Servers read brackets in a name either way. */
const fieldName = (name: string): string => encode(name).replaceAll("%5B", "[").replaceAll("%5D", "]");
