import { bodyWriter, type SampleLanguage } from "./sample-request.js";
import { encode } from "./text.js";

/** Inside single quotes a shell interprets only the closing quote. */
const shell = (text: string): string => `'${text.toWellFormed().replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

export const curl: SampleLanguage["write"] = ({ method, url, headers, body }) => {
  const options = [
    // Other options would wait for a body, which never comes.
    method === "HEAD" ? "curl --head" : `curl --request ${method}`,
    `--url ${shell(url)}`,
    ...headers.map(([name, value]) => `--header ${shell(value === "" ? `${name};` : `${name}: ${value}`)}`),
    ...(body ? dataOf(body) : []),
  ];
  return options.join(" \\\n  ");
};

const dataOf = bodyWriter<string[]>({
  json: (body) => [`--data ${shell(body.text)}`],
  text: (body) => [`--data-raw ${shell(body.text)}`],
  file: (body) => [`--data-binary ${shell(`@${body.fileName}`)}`],
  form: (body) => body.fields.map(([name, value]) => `--data-urlencode ${shell(`${encode(name)}=${value}`)}`),
  multipart: (body) =>
    body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `;type=${contentType}`;
      if (isFile) return `--form ${shell(`${name}=@${value}${type}`)}`;
      // Quotes and backslashes are escaped inside the quotes.
      const text = `"${value.replace(/["\\]/g, "\\$&")}"`;
      return type === "" ? `--form-string ${shell(`${name}=${value}`)}` : `--form ${shell(`${name}=${text}${type}`)}`;
    }),
});
