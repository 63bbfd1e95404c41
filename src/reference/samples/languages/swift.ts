import { bodyWriter, type SampleLanguage } from "./sample-request.js";
import { braced, formEncoded, lines, partDisposition, quoted } from "./text.js";

/** A backslash is the only escape character, and it is doubled. */
const str = (text: string): string => quoted(text, braced);

/** A raw string of several lines, with more `#` around it than follow any backslash in it. */
function block(text: string): string {
  let marks = "#";
  while (text.includes(`\\${marks}`)) marks += "#";
  return `${marks}"""\n${text.toWellFormed()}\n"""${marks}`;
}

export const swift: SampleLanguage["write"] = ({ method, url, headers, body }) => {
  return lines(
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
};

const bodyOf = bodyWriter<string[]>({
  json: (body) => [`request.httpBody = Data(${block(body.text)}.utf8)`],
  text: (body) => [`request.httpBody = Data(${str(body.text)}.utf8)`],
  form: (body) => [`request.httpBody = Data(${str(formEncoded(body.fields))}.utf8)`],
  file: (body) => [`request.httpBody = try Data(contentsOf: URL(fileURLWithPath: ${str(body.fileName)}))`],
  multipart: (body) => {
    const parts = body.parts.flatMap((part) => {
      const { value, isFile, contentType } = part;
      const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
      const head = `\r\nContent-Disposition: ${partDisposition(part)}${type}\r\n\r\n`;
      return [
        `body.append(Data(("--" + boundary + ${str(head)}).utf8))`,
        isFile
          ? `body.append(try Data(contentsOf: URL(fileURLWithPath: ${str(value)})))`
          : `body.append(Data(${str(value)}.utf8))`,
        'body.append(Data("\\r\\n".utf8))',
      ];
    });
    return [
      "",
      "let boundary = UUID().uuidString",
      'request.setValue("multipart/form-data; boundary=" + boundary, forHTTPHeaderField: "Content-Type")',
      "var body = Data()",
      ...parts,
      'body.append(Data(("--" + boundary + "--\\r\\n").utf8))',
      "request.httpBody = body",
    ];
  },
});
