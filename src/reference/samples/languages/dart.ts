import { bodyWriter, hasType, type SampleLanguage } from "./sample-request.js";
import { formEncoded, indent, lines, unseen } from "./text.js";

/** A dollar sign would interpolate a value. */
const str = (text: string): string => {
  const inner = text
    .toWellFormed()
    .replace(/['\\$]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(unseen, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
  return `'${inner}'`;
};

/** A raw string has no escapes and cannot contain three quotes. */
const block = (text: string): string => (text.includes("'''") ? str(text) : `r'''${text.toWellFormed()}'''`);

export const dart: SampleLanguage["write"] = ({ method, url, headers, body }) => {
  const isMultipart = body?.kind === "multipart";
  const hasFile = body?.kind === "file";
  const main = lines(
    `final request = http.${isMultipart ? "MultipartRequest" : "Request"}(${str(method)}, Uri.parse(${str(url)}));`,
    headers.length > 0 &&
      `request.headers.addAll({\n${headers.map(([name, value]) => `  ${str(name)}: ${str(value)},`).join("\n")}\n});`,
  );
  return lines(
    hasFile ? "import 'dart:io';" : undefined,
    "import 'package:http/http.dart' as http;",
    isMultipart && body.parts.some(hasType) && "import 'package:http_parser/http_parser.dart';",
    "",
    "void main() async {",
    indent(main, 2),
    body && bodyOf(body).map((line) => `  ${line}`),
    "",
    "  final response = await http.Response.fromStream(await request.send());",
    "  print(response.body);",
    "}",
  );
};

const bodyOf = bodyWriter<string[]>({
  json: (body) => [`request.body = ${block(body.text)};`],
  text: (body) => [`request.body = ${str(body.text)};`],
  form: (body) => [`request.body = ${str(formEncoded(body.fields))};`],
  file: (body) => [`request.bodyBytes = await File(${str(body.fileName)}).readAsBytes();`],
  multipart: (body) =>
    body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `, contentType: MediaType.parse(${str(contentType)})`;
      if (isFile) return `request.files.add(await http.MultipartFile.fromPath(${str(name)}, ${str(value)}${type}));`;
      return contentType === undefined
        ? `request.fields[${str(name)}] = ${str(value)};`
        : `request.files.add(http.MultipartFile.fromString(${str(name)}, ${str(value)}${type}));`;
    }),
});
