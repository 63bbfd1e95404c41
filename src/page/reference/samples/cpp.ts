import { c, octalQuoted as str } from "./c.js";
import type { SampleBody, SampleLanguage } from "./sample-request.js";
import { formEncoded, indent, lines } from "./text.js";

/** A raw string with a delimiter that does not occur in it. */
function block(text: string): string {
  let mark = "json";
  while (text.includes(`)${mark}"`)) mark += "_";
  return `R"${mark}(${text.toWellFormed()})${mark}"`;
}

const functions: Readonly<Record<string, string>> = {
  GET: "Get",
  POST: "Post",
  PUT: "Put",
  PATCH: "Patch",
  DELETE: "Delete",
  HEAD: "Head",
  OPTIONS: "Options",
};

export const cpp: SampleLanguage = {
  name: "C++",
  keys: ["cpp", "c++", "cxx"],
  grammar: "cpp",
  write(request) {
    const { method, url, headers, body } = request;
    // The library has no function for other methods, so libcurl is used directly.
    if (!Object.hasOwn(functions, method)) return c.write(request);
    const payload = body && bodyOf(body);
    const args = [
      `cpr::Url{${str(url)}}`,
      headers.length > 0 &&
        `cpr::Header{\n${headers.map(([name, value]) => `  {${str(name)}, ${str(value)}},`).join("\n")}\n}`,
      payload,
    ].filter((arg) => arg !== false && arg !== undefined);
    return lines(
      "#include <cpr/cpr.h>",
      "#include <iostream>",
      "",
      "int main() {",
      `  cpr::Response response = cpr::${functions[method]}(\n${args.map(indented).join(",\n")});`,
      "  std::cout << response.text << std::endl;",
      "}",
    );
  },
};

/** Lines of a raw string must not be indented. */
const indented = (arg: string): string => (arg.includes('R"') ? `    ${arg}` : indent(arg, 4));

function bodyOf(body: SampleBody): string {
  switch (body.kind) {
    case "json":
      return `cpr::Body{${block(body.text)}}`;
    case "text":
      return `cpr::Body{${str(body.text)}}`;
    case "form":
      return `cpr::Body{${str(formEncoded(body.fields))}}`;
    case "file":
      return `cpr::Body{cpr::File{${str(body.fileName)}}}`;
    case "multipart": {
      const parts = body.parts.map(({ name, value, isFile, contentType }) => {
        const type = contentType === undefined ? "" : `, ${str(contentType)}`;
        return `  {${str(name)}, ${isFile ? `cpr::File{${str(value)}}` : str(value)}${type}},`;
      });
      return `cpr::Multipart{\n${parts.join("\n")}\n}`;
    }
  }
}
