import { oneLine } from "./plain-text.js";

/** Functions that write Markdown. Each text that they receive is already Markdown, unless it is code or an address. */

/** Adds `prefix` to every line but the first and empty ones. */
const indentRest = (text: string, prefix: string): string =>
  text.includes("\n") ? text.replace(/\n(?=[^\n])/g, `\n${prefix}`) : text;

/** A list item: the marker, and the content indented by its width. */
export const listItem = (marker: string, content: string): string =>
  marker + indentRest(content, " ".repeat(marker.length));

export const quote = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

/** A code fence that `value` cannot close. Backticks in the info string would turn it into a code span. */
export function fence(info: string, value: string): string {
  const marks = "`".repeat(Math.max(3, longestRun(value) + 1));
  return `${marks}${info.replaceAll("`", " ")}\n${value}${value === "" || value.endsWith("\n") ? "" : "\n"}${marks}`;
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

export const footnote = (label: string, content: string): string => `[^${label}]: ${indentRest(content, "    ")}`;

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

/** Emphasis around text. White space at its ends stays outside, as Markdown requires. */
export function wrap(mark: string, text: string): string {
  const inner = text.trim();
  if (inner === "") return text;
  const start = text.indexOf(inner);
  return text.slice(0, start) + mark + inner + mark + text.slice(start + inner.length);
}

/** A link's target between its parentheses. */
export function linkTarget(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the link
  const clean = url.replace(/[\0-\x1f\x7f]/g, "");
  return /[\s()<>]/.test(clean) ? `<${clean.replace(/[<>]/g, (c) => (c === "<" ? "%3C" : "%3E"))}>` : clean;
}
