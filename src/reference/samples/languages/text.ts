import type { Json, JsonObject } from "../../../lib/json/index.js";
import type { SamplePart } from "./sample-request.js";

/** Indents every non-empty line. */
export const indent = (text: string, blanks: number): string => prefixLines(text, " ".repeat(blanks));

/** Only a line feed ends a line, unlike in regular expressions. */
export const prefixLines = (text: string, prefix: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : prefix + line))
    .join("\n");

/** Joins lines; those that are undefined or false are left out. */
export const lines = (...all: readonly (string | false | undefined | readonly string[])[]): string =>
  all
    .flat()
    .filter((line) => line !== undefined && line !== false)
    .join("\n");

/** Characters that look unlike what a compiler reads: controls, other line ends, direction marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to write by number
export const unseen = /[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text in double quotes as most languages write it: backslash, quote and line feed escaped, others by number. */
export function quoted(text: string, control: (code: string) => string = unicode): string {
  const inner = text
    .toWellFormed()
    .replace(/["\\]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(unseen, (char) => control(char.charCodeAt(0).toString(16)));
  return `"${inner}"`;
}

export const unicode = (code: string): string => `\\u${code.padStart(4, "0")}`;

/** Control characters in octal, which ends after three digits; `above` writes the codes above `max`. */
export const octal =
  (max: number, above: (code: string) => string) =>
  (code: string): string => {
    const number = Number.parseInt(code, 16);
    return number > max ? above(code) : `\\${number.toString(8).padStart(3, "0")}`;
  };

/** An array or object literal; a short array is on one line. */
export function structure(
  value: readonly Json[] | JsonObject,
  item: (value: Json) => string,
  key: (name: string) => string,
  blanks: number,
): string {
  const items = Array.isArray(value)
    ? value.map(item)
    : Object.entries(value).map(([name, inner]) => `${key(name)}: ${item(inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  const line = `${open}${items.join(", ")}${close}`;
  if (Array.isArray(value) && line.length <= 60 && !line.includes("\n")) return line;
  return `${open}\n${items.map((line) => indent(line, blanks)).join(",\n")}\n${close}`;
}

/** Control characters as Swift, Rust and PHP write them: `\u{1b}`. */
export const braced = (code: string): string => `\\u{${code}}`;

/** The `Content-Disposition` of a form part, with names escaped as browsers do. */
export const partDisposition = ({ name, value, isFile }: SamplePart): string =>
  `form-data; name="${partName(name)}"${isFile ? `; filename="${partName(value)}"` : ""}`;

export const boundary = "next-part";

/** A multipart body: its texts, and between them the paths of its files. */
export function multipartPieces(parts: readonly SamplePart[]): { readonly text?: string; readonly file?: string }[] {
  const pieces = [];
  let text = "";
  for (const part of parts) {
    const type = part.contentType === undefined ? "" : `\r\nContent-Type: ${part.contentType}`;
    text += `--${boundary}\r\nContent-Disposition: ${partDisposition(part)}${type}\r\n\r\n`;
    if (part.isFile) {
      pieces.push({ text }, { file: part.value });
      text = "";
    } else text += part.value;
    text += "\r\n";
  }
  return [...pieces, { text: `${text}--${boundary}--\r\n` }];
}

const partName = (name: string): string =>
  name.toWellFormed().replace(/["\r\n]/g, (char) => ({ '"': "%22", "\r": "%0D", "\n": "%0A" })[char]!);

/** As a query string or a form body. */
export const formEncoded = (fields: readonly (readonly [string, string])[]): string =>
  fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");

export const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Keeps reserved characters, except those that end a value or the query, and brackets, which curl expands. */
export const encodeReserved = (text: string): string =>
  encode(text).replace(/%(?:2F|3A|3F|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent);
