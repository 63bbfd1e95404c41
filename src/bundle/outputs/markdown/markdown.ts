import { oneLine } from "../../../lib/plain-text.js";

/**
 * Takes a block out of its containers. `slice` starts in its first line after `prefix`; each further line loses `quotes`
 * quote marks and as much white space as `prefix` is wide.
 */
export function outdent(slice: string, prefix: string, quotes: number): string {
  const lines = slice.split("\n");
  const width = columnsOf(withoutQuotes(prefix, quotes));
  for (let i = 1; i < lines.length; i++) lines[i] = withoutColumns(withoutQuotes(lines[i]!, quotes), width);
  return lines.join("\n");
}

/** Like `outdent`, for text inside a paragraph, where white space at the start of a line has no meaning. */
export function outdentText(slice: string, quotes: number): string {
  if (!slice.includes("\n")) return slice;
  const lines = slice.split("\n");
  for (let i = 1; i < lines.length; i++) lines[i] = withoutQuotes(lines[i]!, quotes).trimStart();
  return lines.join("\n");
}

function withoutQuotes(line: string, quotes: number): string {
  let rest = line;
  for (let i = 0; i < quotes; i++) {
    const mark = /^[ \t]*>[ \t]?/.exec(rest);
    if (mark === null) break;
    rest = rest.slice(mark[0].length);
  }
  return rest;
}

function columnsOf(prefix: string): number {
  let columns = 0;
  for (const char of prefix) columns += char === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}

function withoutColumns(line: string, width: number): string {
  let columns = 0;
  let at = 0;
  while (at < line.length && columns < width) {
    if (line[at] === " ") columns++;
    else if (line[at] === "\t") columns += 4 - (columns % 4);
    else break;
    at++;
  }
  return " ".repeat(Math.max(0, columns - width)) + line.slice(at);
}

/** A paragraph without blanks and hard breaks at its ends, where a break would show as a backslash. */
export function trimParagraph(text: string): string {
  let rest = text;
  for (;;) {
    const end = rest.trimEnd();
    if (!end.endsWith("\\") || rest[end.length] !== "\n" || end.endsWith("\\\\")) break;
    rest = end.slice(0, -1);
  }
  rest = rest.trim();
  while (rest.startsWith("\\\n")) rest = rest.slice(2).trimStart();
  return rest;
}

/** Markdown put on one line; a hard break becomes a blank. */
export const singleLine = (text: string): string => oneLine(text.replace(/\\\n/g, " "));

/** Without line feeds at both ends. */
export function withoutBlankLines(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "\n") start++;
  while (end > start && text[end - 1] === "\n") end--;
  return text.slice(start, end);
}

/** JSON for a `<script>` data block: without `<`, so nothing in it can close the element or open a comment. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");

/** A property or a title as one line of Markdown. Tags outside code are escaped, so they stay text. */
export function markdownLine(text: string): string {
  const line = oneLine(text);
  if (!line.includes("<")) return line;
  return line
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/\\?<(?=[A-Za-z/!?])/g, "\\<")))
    .join("");
}

/** Like `markdownLine`, for the text between the brackets of a link. */
export const linkLabel = (text: string): string =>
  markdownLine(text).replace(/\\?[[\]]/g, (bracket) => (bracket.length > 1 ? bracket : `\\${bracket}`));

/** A relative link without parentheses, which would end it. */
export const withoutBrackets = (href: string): string =>
  href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));
