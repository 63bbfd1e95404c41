import { bodyWriter, type SampleLanguage } from "./sample-request.js";
import { braced, formEncoded, indent, lines, quoted } from "./text.js";

const str = (text: string): string => quoted(text, braced);

/** A raw string, with more `#` around it than follow any quote in it. */
function block(text: string): string {
  let marks = "#";
  while (text.includes(`"${marks}`)) marks += "#";
  return `r${marks}"${text.toWellFormed()}"${marks}`;
}

export const rust: SampleLanguage["write"] = ({ method, url, headers, body }) => {
  const start = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/.test(method)
    ? `.${method.toLowerCase()}(${str(url)})`
    : `.request(reqwest::Method::from_bytes(b${str(method)})?, ${str(url)})`;
  const { before = [], call = ".body(body)" } = body ? bodyOf(body) : {};
  const calls = [
    start,
    ...headers.map(([name, value]) => `.header(${str(name)}, ${str(value)})`),
    ...(body ? [call] : []),
    ".send()",
    ".await?;",
  ];
  return lines(
    "#[tokio::main]",
    "async fn main() -> Result<(), Box<dyn std::error::Error>> {",
    before.length > 0 && [
      ...before.map((line, i) => (i === 0 && line.includes("\n") ? `    ${line}` : indent(line, 4))),
      "",
    ],
    "    let response = reqwest::Client::new()",
    indent(calls.join("\n"), 8),
    "",
    '    println!("{}", response.text().await?);',
    "    Ok(())",
    "}",
  );
};

const bodyOf = bodyWriter<{ readonly before: readonly string[]; readonly call?: string }>({
  json: (body) => ({ before: [`let body = ${block(body.text)};`] }),
  text: (body) => ({ before: [`let body = ${str(body.text)};`] }),
  form: (body) => ({ before: [`let body = ${str(formEncoded(body.fields))};`] }),
  file: (body) => ({ before: [`let body = std::fs::read(${str(body.fileName)})?;`] }),
  multipart: (body) => {
    const parts = body.parts.map(({ name, value, isFile, contentType }) => {
      if (contentType === undefined)
        return isFile ? `    .file(${str(name)}, ${str(value)}).await?` : `    .text(${str(name)}, ${str(value)})`;
      const part = `reqwest::multipart::Part::${isFile ? `file(${str(value)}).await?` : `text(${str(value)})`}`;
      return `    .part(${str(name)}, ${part}.mime_str(${str(contentType)})?)`;
    });
    return {
      before: ["let form = reqwest::multipart::Form::new()", `${parts.join("\n")};`],
      call: ".multipart(form)",
    };
  },
});
