import { c, octalQuoted as str } from "./c.js";
import { bodyWriter, capitalized, isCommonMethod, type SampleLanguage } from "./sample-request.js";
import { formEncoded, indent, lines } from "./text.js";

/** A raw string with a delimiter that does not occur in it. */
function block(text: string): string {
  let mark = "json";
  while (text.includes(`)${mark}"`)) mark += "_";
  return `R"${mark}(${text.toWellFormed()})${mark}"`;
}

export const cpp: SampleLanguage["write"] = (request) => {
  const { method, url, headers, body, challenge } = request;
  // The library has no function for other methods, so libcurl is used directly.
  if (!isCommonMethod(method)) return c(request);
  const args = [
    `cpr::Url{${str(url)}}`,
    challenge !== undefined &&
      `cpr::Authentication{"<username>", "<password>", cpr::AuthMode::${challenge.toUpperCase()}}`,
    headers.length > 0 &&
      `cpr::Header{\n${headers.map(([name, value]) => `  {${str(name)}, ${str(value)}},`).join("\n")}\n}`,
    body && bodyOf(body),
  ].filter((arg) => arg !== false && arg !== undefined);
  return lines(
    "#include <cpr/cpr.h>",
    "#include <iostream>",
    "",
    "int main() {",
    `  cpr::Response response = cpr::${capitalized(method)}(\n${args.map(indented).join(",\n")});`,
    "  std::cout << response.text << std::endl;",
    "}",
  );
};

/** Lines of a raw string must not be indented. */
const indented = (arg: string): string => (arg.includes('R"') ? `    ${arg}` : indent(arg, 4));

const bodyOf = bodyWriter<string>({
  json: (body) => `cpr::Body{${block(body.text)}}`,
  text: (body) => `cpr::Body{${str(body.text)}}`,
  form: (body) => `cpr::Body{${str(formEncoded(body.fields))}}`,
  file: (body) => `cpr::Body{cpr::File{${str(body.fileName)}}}`,
  multipart: (body) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `, ${str(contentType)}`;
      return `  {${str(name)}, ${isFile ? `cpr::File{${str(value)}}` : str(value)}${type}},`;
    });
    return `cpr::Multipart{\n${parts.join("\n")}\n}`;
  },
});
