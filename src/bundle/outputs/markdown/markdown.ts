import { oneLine } from "../../../lib/plain-text.js";

/** The building blocks of a Markdown version. */

/** Adds `prefix` to every line but the first and empty ones. */
const indentRest = (text: string, prefix: string): string =>
  text.includes("\n") ? text.replace(/\n(?=[^\n])/g, `\n${prefix}`) : text;

/** A list item: the marker, and the content indented by its width. */
export const listItem = (marker: string, content: string): string =>
  marker + indentRest(content, " ".repeat(marker.length));

/** A block quote. */
export const quote = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

/** A code fence that `value` cannot close. */
export function fence(info: string, value: string): string {
  const marks = "`".repeat(Math.max(3, longestRun(value) + 1));
  return `${marks}${info}\n${value}${value === "" || value.endsWith("\n") ? "" : "\n"}${marks}`;
}

/** Inline code that `value` cannot close. */
export function codeSpan(value: string): string {
  const marks = "`".repeat(longestRun(value) + 1);
  const pad = value.startsWith("`") || value.endsWith("`") ? " " : "";
  return value.trim() === "" ? value : marks + pad + value.replace(/\n/g, " ") + pad + marks;
}

function longestRun(value: string): number {
  let longest = 0;
  for (let start = value.indexOf("`"); start >= 0; ) {
    let end = start + 1;
    while (value[end] === "`") end++;
    longest = Math.max(longest, end - start);
    start = value.indexOf("`", end);
  }
  return longest;
}

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

export const footnote = (label: string, content: string): string => `[^${label}]: ${indentRest(content, "    ")}`;

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

/** A Markdown table; the first row is its head. */
export function markdownTable(rows: readonly (readonly string[])[], align: readonly (string | null)[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => cells[i] ?? "").join(" | ")} |`;
  const rules = { left: ":---", right: "---:", center: ":---:" } as const;
  const rule = Array.from({ length: width }, (_, i) => rules[align[i] as keyof typeof rules] ?? "---");
  return [line(rows[0]!), line(rule), ...rows.slice(1).map(line)].join("\n");
}

/** A link; `label` is Markdown already. */
export const markdownLink = (label: string, url: string, title?: string | null): string =>
  `[${label}](${linkTarget(url)}${titlePart(title)})`;

export const definition = (label: string, url: string, title?: string | null): string =>
  `[${label}]: ${linkTarget(url)}${titlePart(title)}`;

const titlePart = (title: string | null | undefined): string =>
  title ? ` "${oneLine(title).replace(/"/g, '\\"')}"` : "";

/** Emphasis around text. Blanks at its ends stay outside, as Markdown requires. */
export function wrap(mark: string, text: string): string {
  const inner = text.trim();
  if (inner === "") return text;
  const start = text.indexOf(inner);
  return text.slice(0, start) + mark + inner + mark + text.slice(start + inner.length);
}

/** Without line feeds at both ends. */
export function withoutBlankLines(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "\n") start++;
  while (end > start && text[end - 1] === "\n") end--;
  return text.slice(start, end);
}

/** Escapes text for scripts and Markdown; `html/escape.ts` does it for HTML and XML. */

/** JSON for a `<script>` data block: without `<`, so nothing in it can close the element or open a comment. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029");
}

/**
 * A property or a title as one line of Markdown. Tags outside code are escaped, so that a component name in a title stays
 * text.
 */
export function markdownLine(text: string): string {
  const line = oneLine(text);
  if (!line.includes("<")) return line;
  return line
    .split(/(`+[^`]*`+)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/\\?<(?=[A-Za-z/!?])/g, "\\<")))
    .join("");
}

/** Like `markdownLine`, for the text between the brackets of a link. */
export function linkLabel(text: string): string {
  return markdownLine(text).replace(/\\?[[\]]/g, (bracket) => (bracket.length > 1 ? bracket : `\\${bracket}`));
}

/** A relative link without parentheses, which would end it. */
export const withoutBrackets = (href: string): string =>
  href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));

/** A link's target between its parentheses. */
export function linkTarget(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the link
  const clean = url.replace(/[\0-\x1f\x7f]/g, "");
  return /[\s()<>]/.test(clean) ? `<${clean.replace(/[<>]/g, (c) => (c === "<" ? "%3C" : "%3E"))}>` : clean;
}
