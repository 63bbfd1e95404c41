/**
 * Replaces text that the Markdown parser must not read by placeholders: private-use characters of the same length, so that
 * positions stay correct. Afterwards the original text is restored in the strings of the tree.
 */
import { withoutNull } from "../../../lib/html/escape.js";

/** A placeholder is one character that names the span, then fillers up to the span's length. */
const first = 0xe000;
const names = 0x1700;
const filler = "\uF8FF";
const placeholder = /[\uE000-\uF6FF](?:[ \t>]*\r?\n?[ \t>]*\uF8FF+)*/g;

/** The source as the parser sees it, without null characters. @param blankTo end of the front matter, which is blanked. */
export function maskSource(source: string, scan: Scan, blankTo: number): string {
  const holes: { start: number; end: number; text: string }[] = [];
  scan.spans.forEach((span, index) => {
    holes.push({ start: span.start, end: span.end, text: placeholderFor(source, span, index) });
  });
  for (const { start, end } of scan.headingIds.values()) holes.push({ start, end, text: " ".repeat(end - start) });
  holes.sort((a, b) => a.start - b.start);
  let out = blank(source.slice(0, blankTo));
  let at = blankTo;
  for (const hole of holes) {
    out += source.slice(at, hole.start) + hole.text;
    at = hole.end;
  }
  return withoutNull(out + source.slice(at));
}

/** Spaces and line breaks with the length and line count of `text`. */
function blank(text: string): string {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return " ".repeat(text.length - lines) + "\n".repeat(lines);
}

function placeholderFor(source: string, span: Span, index: number): string {
  const text = source.slice(span.start, span.end);
  if (span.kind === "drop" && standsAlone(source, span)) return text.replace(/[^\r\n]/g, " ");
  const quoteSigns = quoteSignsOf(source, span.start);
  if (span.kind === "mark") return emptyExpression(text, quoteSigns);
  const name = String.fromCharCode(first + (index % names));
  if (!text.includes("\n")) return name + filler.repeat(text.length - 1);
  const hasBlankLine = /\n[ \t>]*\r?\n/.test(text);
  const rest = text.slice(1).split("\n");
  return (
    name +
    rest
      .map((line, row) => {
        const indent = row === 0 ? 0 : quoteSigns.exec(line)![0].length;
        return line.slice(0, indent) + line.slice(indent).replace(/[^\r]/g, hasBlankLine ? " " : filler);
      })
      .join("\n")
  );
}

/** What begins the further lines of a span: the signs of the quotes that it is in. A `>` after them is its own. */
function quoteSignsOf(source: string, start: number): RegExp {
  const before = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  return new RegExp(`^(?:[ \\t]*>){0,${before.split(">").length - 1}}[ \\t]*`);
}

/**
 * `{ }` of the same length. The signs of a quote stay, since each line of it needs one. Lines between the first and the
 * last get a sign, since a blank line would end a paragraph: `{ + + 0 }`. A tag with a blank line is a block of its own
 * already: its expression is in its first line, so that another tag may follow on its last.
 */
function emptyExpression(text: string, quoteSigns: RegExp): string {
  const headEnd = text.search(/\r?\n/);
  if (headEnd > 1 && text.startsWith("<") && /\n[ \t>]*\r?\n/.test(text)) {
    const signs = (line: string, row: number): string => (row === 0 ? "" : quoteSigns.exec(line)![0]);
    const blanks = text
      .slice(headEnd)
      .split("\n")
      .map((line, row) => signs(line, row) + line.slice(signs(line, row).length).replace(/[^\r]/g, " "));
    return `{${" ".repeat(headEnd - 2)}}${blanks.join("\n")}`;
  }
  const lines = text.slice(1, -1).split("\n");
  const lastFilled = lines.findLastIndex(
    (line, row) => row > 0 && row < lines.length - 1 && !/^[ \t>]*\r?$/.test(line),
  );
  const filled = lines.map((line, row) => {
    const indent = row === 0 ? "" : quoteSigns.exec(line)![0];
    const rest = line.slice(indent.length).replace(/[^\r]/g, " ");
    if (row === 0 || row > lastFilled || rest.trim() === rest) return indent + rest;
    return `${indent}${row === lastFilled ? "0" : "+"}${rest.slice(1)}`;
  });
  return `{${filled.join("\n")}}`;
}

/** Whether only white space surrounds it on its lines. */
function standsAlone(source: string, span: Span): boolean {
  const lineStart = source.lastIndexOf("\n", span.start - 1) + 1;
  const nextBreak = source.indexOf("\n", span.end);
  const after = source.slice(span.end, nextBreak === -1 ? source.length : nextBreak);
  return source.slice(lineStart, span.start).trim() === "" && after.trim() === "";
}

/** Splits a string of the tree at its placeholders. @param offset where the string starts in the source, or before. */
export function splitMasked(text: string, spans: readonly Span[], offset: number): (string | Span)[] {
  const parts: (string | Span)[] = [];
  let at = 0;
  let from = offset;
  for (const match of text.matchAll(placeholder)) {
    const span = spanNamed(match[0].charCodeAt(0) - first, spans, from);
    if (span === undefined) continue;
    if (match.index > at) parts.push(text.slice(at, match.index));
    parts.push(span);
    at = match.index + match[0].length;
    from = span.end;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** The first span of that name at or after `offset`. Names repeat after `names` spans. */
function spanNamed(name: number, spans: readonly Span[], offset: number): Span | undefined {
  for (let index = name; index < spans.length; index += names) {
    const span = spans[index]!;
    if (span.start >= offset) return span;
  }
  return spans[name];
}

/** What a scan of the source finds before the Markdown parser runs. */

/** A part of the source that the parser sees as a placeholder of the same length (`mask-source.ts`). */
export interface Span {
  readonly kind: "math" | "displayMath" | "variable" | "drop" | "literal" | "tag" | "mark";
  readonly start: number;
  readonly end: number;
  /** TeX, the variable's name, the text to show, or a tag. */
  readonly value: string;
}
/** For each offset, 1 if a span covers it: to look through thousands of spans for each of thousands of tags takes seconds. */
export function coveredBy(spans: readonly Span[], length: number): Uint8Array {
  const covered = new Uint8Array(length);
  for (const { start, end } of spans) covered.fill(1, start, end);
  return covered;
}

/** An HTML comment, a template tag of another tool, or a merge conflict from its first line of signs to its last. */
export interface Foreign {
  readonly kind: "comment" | "template" | "conflict";
  readonly start: number;
  readonly end: number;
}
export interface CodeRegion {
  readonly kind: "esm" | "braces" | "tag";
  readonly start: number;
  readonly end: number;
}
export interface Scan {
  /** In order, without overlap. */
  readonly spans: readonly Span[];
  /** `{#id}` of headings, with their line. */
  readonly headingIds: readonly {
    readonly line: number;
    readonly id: string;
    readonly start: number;
    readonly end: number;
  }[];
  /** What is reported and not read as MDX, in order. */
  readonly foreign: readonly Foreign[];
  /** Code with so many signs that its nesting has to be checked before a recursive parser reads it. */
  readonly dense: readonly CodeRegion[];
  /** Where imports and exports are. */
  readonly modules?: readonly { readonly start: number; readonly end: number }[];
}
