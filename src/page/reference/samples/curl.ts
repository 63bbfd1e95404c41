import type { SampleBody, SampleLanguage } from "./sample-request.js";
import { encode } from "./text.js";

/** Inside single quotes a shell interprets only the closing quote. */
const shell = (text: string): string => `'${text.toWellFormed().replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

export const curl: SampleLanguage = {
  name: "cURL",
  keys: ["bash", "curl", "sh", "shell", "shellscript", "zsh"],
  grammar: "curl",
  write({ method, url, headers, body }) {
    const parts = [
      // Other options would wait for a body, which never comes.
      method === "HEAD" ? "curl --head" : `curl --request ${method}`,
      `--url ${shell(url)}`,
      ...headers.map(([name, value]) => `--header ${shell(value === "" ? `${name};` : `${name}: ${value}`)}`),
      ...(body ? dataOf(body) : []),
    ];
    return parts.join(" \\\n  ");
  },
};

function dataOf(body: SampleBody): string[] {
  switch (body.kind) {
    case "json":
      return [`--data ${shell(body.text)}`];
    case "text":
      return [`--data-raw ${shell(body.text)}`];
    case "file":
      return [`--data-binary ${shell(`@${body.fileName}`)}`];
    case "form":
      return body.fields.map(([name, value]) => `--data-urlencode ${shell(`${encode(name)}=${value}`)}`);
    case "multipart":
      return body.parts.map(({ name, value, isFile, contentType }) => {
        const type = contentType === undefined ? "" : `;type=${contentType}`;
        if (isFile) return `--form ${shell(`${name}=@${value}${type}`)}`;
        // Quotes and backslashes are escaped inside the quotes.
        const text = `"${value.replace(/["\\]/g, "\\$&")}"`;
        return type === "" ? `--form-string ${shell(`${name}=${value}`)}` : `--form ${shell(`${name}=${text}${type}`)}`;
      });
  }
}
