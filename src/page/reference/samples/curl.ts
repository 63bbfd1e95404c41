import type { SampleLanguage, SampleRequest } from "./sample-request.js";
import { encode } from "./text.js";

/** Between single quotes a shell reads nothing but the next one. */
const shell = (text: string): string => `'${text.toWellFormed().replaceAll("\0", "").replaceAll("'", "'\\''")}'`;

export const curl: SampleLanguage = {
  name: "cURL",
  keys: ["bash", "curl", "sh", "shell", "shellscript", "zsh"],
  grammar: "curl",
  write({ method, url, headers, body }) {
    const parts = [
      // With another option it would wait for a body that never comes.
      method === "HEAD" ? "curl --head" : `curl --request ${method}`,
      `--url ${shell(url)}`,
      ...headers.map(([name, value]) => `--header ${shell(value === "" ? `${name};` : `${name}: ${value}`)}`),
      ...dataOf(body),
    ];
    return parts.join(" \\\n  ");
  },
};

function dataOf(body: SampleRequest["body"]): string[] {
  switch (body?.kind) {
    case undefined:
      return [];
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
        // Between quotes a value may hold what would end it.
        const text = `"${value.replace(/["\\]/g, "\\$&")}"`;
        return type === "" ? `--form-string ${shell(`${name}=${value}`)}` : `--form ${shell(`${name}=${text}${type}`)}`;
      });
  }
}
