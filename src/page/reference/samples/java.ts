import { isCommonMethod, type SampleBody, type SampleLanguage, sendsFile } from "./sample-request.js";
import { formEncoded, indent, lines, octal, quoted, unicode } from "./text.js";

/** Octal, because Java reads `\u000a` as a line break before it parses strings. */
const str = (text: string): string => quoted(text, octal(0xff, unicode));

/** A text block. JSON never has three quotes in a row. */
const block = (text: string): string => `"""\n${indent(text.toWellFormed().replaceAll("\\", "\\\\"), 6)}"""`;

export const java: SampleLanguage = {
  name: "Java",
  keys: ["java"],
  grammar: "java",
  write({ method, url, headers, body }) {
    const start = isCommonMethod(method)
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
  },
};

function bodyOf(body: SampleBody): string[] {
  switch (body.kind) {
    case "json":
      return [`.body(${block(body.text)})`];
    case "text":
      return [`.body(${str(body.text)})`];
    case "form":
      return [`.body(${str(formEncoded(body.fields))})`];
    case "file":
      return [`.body(new File(${str(body.fileName)}))`];
    case "multipart":
      return [
        ".multiPartContent()",
        ...body.parts.map(({ name, value, isFile, contentType }) => {
          const type = contentType === undefined ? "" : `, ${str(contentType)}`;
          return `.field(${str(name)}, ${isFile ? `new File(${str(value)})` : str(value)}${type})`;
        }),
      ];
  }
}
