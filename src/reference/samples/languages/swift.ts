import { bodyWriter, type SampleLanguage } from "./sample-request.js";
import { boundary, braced, formEncoded, lines, multipartPieces, quoted } from "./text.js";

/** A backslash is the only escape character, and it is doubled. */
const str = (text: string): string => quoted(text, braced);

/** A raw string of several lines, with more `#` around it than follow any backslash in it. */
function block(text: string): string {
  let marks = "#";
  while (text.includes(`\\${marks}`)) marks += "#";
  return `${marks}"""\n${text.toWellFormed()}\n"""${marks}`;
}

export const swift: SampleLanguage["write"] = ({ method, url, headers, body }) =>
  lines(
    "import Foundation",
    "",
    `var request = URLRequest(url: URL(string: ${str(url)})!)`,
    `request.httpMethod = ${str(method)}`,
    headers.map(([name, value]) => `request.setValue(${str(value)}, forHTTPHeaderField: ${str(name)})`),
    body && bodyOf(body),
    "",
    "let (data, _) = try await URLSession.shared.data(for: request)",
    "print(String(decoding: data, as: UTF8.self))",
  );

const bodyOf = bodyWriter<string[]>({
  json: (body) => [`request.httpBody = Data(${block(body.text)}.utf8)`],
  text: (body) => [`request.httpBody = Data(${str(body.text)}.utf8)`],
  form: (body) => [`request.httpBody = Data(${str(formEncoded(body.fields))}.utf8)`],
  file: (body) => [`request.httpBody = try Data(contentsOf: URL(fileURLWithPath: ${str(body.fileName)}))`],
  multipart: (body) => [
    "",
    `request.setValue("multipart/form-data; boundary=${boundary}", forHTTPHeaderField: "Content-Type")`,
    "var body = Data()",
    ...multipartPieces(body.parts).map(({ text, file }) =>
      file === undefined
        ? `body.append(Data(${str(text!)}.utf8))`
        : `body.append(try Data(contentsOf: URL(fileURLWithPath: ${str(file)})))`,
    ),
    "request.httpBody = body",
  ],
});
