import { bodyWriter, isCommonMethod, type SampleLanguage, sendsFile } from "./sample-request.js";
import { formEncoded, indent, lines, octal, quoted, unicode } from "./text.js";

/** Octal, because Java reads `\u000a` as a line break before it parses strings. */
const str = (text: string): string => quoted(text, octal(0xff, unicode));

/** A text block. JSON never has three quotes in a row. */
const block = (text: string): string => `"""\n${indent(text.toWellFormed().replaceAll("\\", "\\\\"), 6)}"""`;

export const java: SampleLanguage["write"] = ({ method, url, headers, body }) => {
  // The library's function for GET takes no body.
  const start =
    isCommonMethod(method) && (body === undefined || method !== "GET")
      ? `Unirest.${method.toLowerCase()}(${str(url)})`
      : `Unirest.request(${str(method)}, ${str(url)})`;
  const calls = [
    ...headers.map(([name, value]) => `.header(${str(name)}, ${str(value)})`),
    ...(body ? bodyOf(body) : []),
    ".asString();",
  ];
  return lines(
    sendsFile(body) && "import java.io.File;",
    "import kong.unirest.core.HttpResponse;",
    "import kong.unirest.core.Unirest;",
    "",
    `HttpResponse<String> response = ${start}`,
    indent(calls.join("\n"), 2),
    "",
    "System.out.println(response.getBody());",
  );
};

const bodyOf = bodyWriter<string[]>({
  json: (body) => [`.body(${block(body.text)})`],
  text: (body) => [`.body(${str(body.text)})`],
  form: (body) => [`.body(${str(formEncoded(body.fields))})`],
  file: (body) => [`.body(new File(${str(body.fileName)}))`],
  multipart: (body) => [
    ".multiPartContent()",
    ...body.parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `, ${str(contentType)}`;
      return `.field(${str(name)}, ${isFile ? `new File(${str(value)})` : str(value)}${type})`;
    }),
  ],
});
