import { bodyWriter, type SampleBody, type SampleLanguage, type SamplePart } from "./sample-request.js";
import { boundary, braced, formEncoded, indent, lines, multipartPieces, quoted, unseen } from "./text.js";

/** Single quotes need only two escapes, but a line break would be literal, and the lines of an option are indented. */
const str = (text: string): string =>
  text.search(unseen) < 0
    ? `'${text.toWellFormed().replace(/['\\]/g, "\\$&")}'`
    : quoted(text, braced).replaceAll("$", () => "\\$");

export const php: SampleLanguage["write"] = ({ method, url, headers, body, challenge }) => {
  const fields = body && fieldsOf(body);
  const sent: typeof headers = isWritten(body)
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
      `CURLOPT_HTTPHEADER => ${listed(sent.map(([name, value]) => str(value === "" ? `${name};` : `${name}: ${value}`)))},`,
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
  multipart: (body) => (isWritten(body) ? writtenParts(body.parts) : partsByName(body.parts)),
});

const partsByName = (parts: readonly SamplePart[]): string =>
  listed(
    parts.map(({ name, value, isFile, contentType }) => {
      const type = contentType === undefined ? "" : `, ${str(contentType)}`;
      return `${str(name)} => ${isFile ? `new CURLFile(${str(value)}${type})` : str(value)}`;
    }),
  );

const listed = (items: readonly string[]): string => `[\n${items.map((item) => `  ${item},\n`).join("")}]`;

/** Parts that an array of fields cannot hold: several of one name, or a text with a type. */
const isWritten = (body: SampleBody | undefined): boolean =>
  body?.kind === "multipart" &&
  (new Set(body.parts.map(({ name }) => name)).size < body.parts.length ||
    body.parts.some(({ isFile, contentType }) => !isFile && contentType !== undefined));

const writtenParts = (parts: readonly SamplePart[]): string =>
  multipartPieces(parts)
    .map(({ text, file }) => (file === undefined ? str(text!) : `file_get_contents(${str(file)})`))
    .join("\n  . ");
