import { bodyWriter, type SampleBody, type SampleLanguage, type SamplePart } from "./sample-request.js";
import { braced, formEncoded, indent, lines, partDisposition, quoted, unseen } from "./text.js";

/** Single quotes need only two escapes, but a line break would be literal, and the lines of an option are indented. */
const str = (text: string): string =>
  text.search(unseen) < 0
    ? `'${text.toWellFormed().replace(/['\\]/g, "\\$&")}'`
    : quoted(text, braced).replaceAll("$", () => "\\$");

export const php: SampleLanguage["write"] = ({ method, url, headers, body, challenge }) => {
  const fields = body && fieldsOf(body);
  const sent: typeof headers = isRepeated(body)
    ? [...headers, ["Content-Type", `multipart/form-data; boundary=${boundary}`]]
    : headers;
  const options = lines(
    `CURLOPT_URL => ${str(url)},`,
    "CURLOPT_RETURNTRANSFER => true,",
    // Other options would wait for a body, which never comes.
    method === "HEAD" ? "CURLOPT_NOBODY => true," : `CURLOPT_CUSTOMREQUEST => ${str(method)},`,
    challenge !== undefined && [
      `CURLOPT_HTTPAUTH => CURLAUTH_${challenge.toUpperCase()},`,
      "CURLOPT_USERPWD => '<username>:<password>',",
    ],
    sent.length > 0 &&
      `CURLOPT_HTTPHEADER => [\n${sent.map(([name, value]) => `  ${str(value === "" ? `${name};` : `${name}: ${value}`)},`).join("\n")}\n],`,
    fields !== undefined && `CURLOPT_POSTFIELDS => ${fields},`,
  );
  return lines(
    "<?php",
    "",
    body?.kind === "json" && [`$payload = <<<'JSON'\n${body.text}\nJSON;`, ""],
    "$curl = curl_init();",
    "",
    `curl_setopt_array($curl, [\n${indent(options, 2)}\n]);`,
    "",
    "$response = curl_exec($curl);",
    "curl_close($curl);",
    "",
    "echo $response;",
  );
};

const fieldsOf = bodyWriter<string>({
  json: () => "$payload",
  text: (body) => str(body.text),
  file: (body) => `file_get_contents(${str(body.fileName)})`,
  form: (body) => str(formEncoded(body.fields)),
  multipart: (body) => (isRepeated(body) ? writtenParts(body.parts) : partsByName(body.parts)),
});

function partsByName(parts: readonly SamplePart[]): string {
  const items = parts.map(({ name, value, isFile, contentType }) => {
    const type = contentType === undefined ? "" : `, ${str(contentType)}`;
    if (isFile) return `  ${str(name)} => new CURLFile(${str(value)}${type}),`;
    // Only a file can have a type of its own here.
    const text = contentType === undefined ? str(value) : `new CURLStringFile(${str(value)}, ${str(name)}${type})`;
    return `  ${str(name)} => ${text},`;
  });
  return `[\n${items.join("\n")}\n]`;
}

/** Whether parts have the same name, which only one entry of an array can have. */
const isRepeated = (body: SampleBody | undefined): boolean =>
  body?.kind === "multipart" && new Set(body.parts.map(({ name }) => name)).size < body.parts.length;

const boundary = "next-part";

function writtenParts(parts: readonly SamplePart[]): string {
  const items = parts.map((part) => {
    const { value, isFile, contentType = isFile ? "application/octet-stream" : undefined } = part;
    const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
    const head = `--${boundary}\r\nContent-Disposition: ${partDisposition(part)}${type}\r\n\r\n`;
    return isFile ? `${str(head)} . file_get_contents(${str(value)})` : str(head + value);
  });
  return `implode("\\r\\n", [\n${[...items, str(`--${boundary}--\r\n`)].map((item) => `  ${item},`).join("\n")}\n])`;
}
