/**
 * Finds what the Markdown parser would misread: formulas, `{{variables}}`, `{#custom-ids}`, HTML comments, template tags of
 * other tools, the lines of a merge conflict, and the punctuation of bold text beside Chinese, Japanese and Korean letters.
 * Skips fences, code spans, tags, expressions, `import` and `export`, the only MDX that it knows.
 */

import { skipBraces, skipEsm, skipTag } from "../../../lib/jsx/skip-code.js";
import { cjkEdge, cjkMark } from "./cjk-marks.js";
import type { CodeRegion, Foreign, Scan, Span } from "./mask-source.js";
import { isDense } from "./nesting.js";

const trigger = new RegExp(`\\$|\\{\\{|\\{#|\\{%|<!--|<{3}|[\\uE000-\\uF8FF]|${cjkMark}`);
const stop = /[\\`$<{*\n\uE000-\uF8FF]/g;
const fenceLine = /[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)/y;
const headingId =
  /[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*#{1,6}[ \t](?:[^\n{]|\{(?!#))*\{#([^{}\n]+?)\\?\}[ \t#]*\r?(?=\n|$)/y;
const esmLine = /(?:import|export)(?=[\s{*"'])/y;
/** `{% include %}` and `{{ page.title | upcase }}` of Liquid, and `{{< figure >}}` and `{{% notice %}}` of Hugo. */
const templateTag =
  /\{%-?[ \t]*(?:[A-Za-z/])[^\n]{0,300}?%\}|\{\{<[^\n]{0,300}?>\}\}|\{\{%[^\n]{0,300}?%\}\}|\{\{-?[ \t]*\w+(?:\.\w+)+(?:[ \t]*\|[^{}\n]{0,200})?[ \t]*-?\}\}/y;
/** `<<< ./file.ts` of VitePress. */
const includeLine = /<<<[ \t]*(?=\S*[./])[@./\w][^\n<>]{0,300}(?=\n|$)/y;
const variable = /\{\{[ \t]*([\w-]+)[ \t]*\}\}/y;

/** After this many unclosed brackets no further end is searched, since a page of `{` would take minutes. */
const maxFailures = 40;

type Range = Pick<Span, "start" | "end">;

/** Whether a page needs the scan; most do not. */
export const needsScan = (source: string): boolean => trigger.test(source);

/**
 * @param from where the front matter ends.
 * @param latex whether `$` may open a formula.
 * @param endOf where faults are repaired: the offset after a tag that may be broken, undefined for a `<` that is text;
 *   the same of an expression; the offset after an import or export; and the offset after a code block that begins on the line at an offset.
 */
export function scanSource(
  source: string,
  from: number,
  latex: boolean,
  endOf: {
    readonly tag?: (at: number) => number | undefined;
    readonly fence?: (line: number) => number | undefined;
    readonly braces?: (at: number) => number | undefined;
    readonly module?: (at: number) => number | undefined;
  } = {},
): Scan {
  const spans: Span[] = [];
  const headingIds: { line: number; id: string; start: number; end: number }[] = [];
  const foreign: Foreign[] = [];
  /** The further lines of an open merge conflict. */
  let conflictLines: Range[] = [];
  let mayHaveConflict = true;
  /** The next `-->`; -1 after the last. */
  let commentClose = 0;
  const dense: CodeRegion[] = [];
  const modules: { start: number; end: number }[] = [];
  const codeSpans = createCodeSpanSkipper(source);
  let failures = 0;

  const skip = (kind: CodeRegion["kind"], at: number): number => {
    if (failures > maxFailures) return at + 1;
    const end = kind === "tag" ? skipTag(source, at) : skipBraces(source, at);
    if (end === undefined && (kind !== "tag" || /[A-Za-z_$]/.test(source[at + 1] ?? ""))) failures++;
    noteRegion(kind, at, end ?? (kind === "tag" ? at + 1 : source.length));
    return end ?? at + 1;
  };
  const noteRegion = (kind: CodeRegion["kind"], start: number, end: number): void => {
    if (isDense(source, start, end)) dense.push({ kind, start, end });
  };

  let line = 1;
  for (let next = source.indexOf("\n"); next !== -1 && next < from; next = source.indexOf("\n", next + 1)) line++;
  let lineStart = from;
  let at = from;
  /** Also counts the lines of the skipped text. */
  const moveTo = (to: number): void => {
    for (let next = source.indexOf("\n", at); next !== -1 && next < to; next = source.indexOf("\n", next + 1)) {
      line++;
      lineStart = next + 1;
    }
    at = to;
  };

  let fresh = true;
  while (at < source.length) {
    if (fresh) {
      fresh = false;
      if (mayHaveConflict && at >= (conflictLines.at(-1)?.end ?? 0) && source.startsWith("<<<<<<< ", at)) {
        conflictLines = conflictAt(source, at);
        mayHaveConflict = conflictLines.length > 0;
        if (mayHaveConflict) foreign.push({ kind: "conflict", start: at, end: conflictLines.at(-1)!.end });
      }
      const mark = conflictLines.find(({ start }) => start === at);
      if (mark !== undefined) {
        spans.push({ kind: "drop", ...mark, value: "" });
        moveTo(mark.end);
        continue;
      }
      const fenceEnd = endOf.fence?.(at) ?? skipFence(source, at);
      if (fenceEnd !== undefined) {
        moveTo(fenceEnd);
        fresh = true;
        continue;
      }
      esmLine.lastIndex = at;
      if (esmLine.test(source)) {
        const end = endOf.module?.(at) ?? skipEsm(source, at);
        noteRegion("esm", at, end);
        modules.push({ start: at, end });
        moveTo(end);
        fresh = true;
        continue;
      }
      headingId.lastIndex = at;
      const heading = headingId.exec(source);
      if (heading !== null) {
        const brace = source.lastIndexOf("{#", headingId.lastIndex - 1);
        // As pages of Docusaurus write it for MDX.
        const start = source[brace - 1] === "\\" ? brace - 1 : brace;
        headingIds.push({ line, id: heading[1]!.trim(), start, end: source.indexOf("}", brace) + 1 });
      }
    }
    stop.lastIndex = at;
    const match = stop.exec(source);
    if (match === null) break;
    at = match.index;
    const sign = match[0];
    if (sign === "\n") {
      moveTo(at + 1);
      fresh = true;
    } else if (sign === "\\") {
      at += /[\r\n]/.test(source[at + 1] ?? "") ? 1 : 2;
    } else if (sign === "`") {
      moveTo(codeSpans(at));
    } else if (sign === "*") {
      const { span, end } = cjkEdge(source, at);
      if (span !== undefined && span.start >= (spans.at(-1)?.end ?? 0)) spans.push(span);
      at = end;
    } else if (sign === "$") {
      const formula = latex ? readFormula(source, at, lineStart) : undefined;
      if (formula === undefined) while (source[at] === "$") at++;
      else {
        spans.push(formula);
        moveTo(formula.end);
      }
    } else if (sign === "<") {
      includeLine.lastIndex = at;
      if (source.startsWith("<<<", at) && source.slice(lineStart, at).trim() === "" && includeLine.test(source)) {
        const region = { start: at, end: includeLine.lastIndex };
        foreign.push({ kind: "template", ...region });
        spans.push({ kind: "literal", ...region, value: source.slice(at, region.end) });
        at = region.end;
      } else if (source.startsWith("<!--", at)) {
        if (commentClose !== -1 && commentClose < at + 4) commentClose = source.indexOf("-->", at + 4);
        const end = endOfComment(source, at, commentClose);
        foreign.push({ kind: "comment", start: at, end });
        spans.push({ kind: "drop", start: at, end, value: "" });
        moveTo(end);
      } else moveTo(endOf.tag === undefined ? skip("tag", at) : (endOf.tag(at) ?? at + 1));
    } else if (sign === "{") {
      templateTag.lastIndex = at;
      if (templateTag.test(source)) {
        const region = { start: at, end: templateTag.lastIndex };
        foreign.push({ kind: "template", ...region });
        spans.push({ kind: "literal", ...region, value: source.slice(at, region.end) });
        at = region.end;
        continue;
      }
      variable.lastIndex = at;
      const name = variable.exec(source);
      const id = headingIds.at(-1);
      if (id?.start === at) moveTo(id.end);
      else if (name === null) moveTo(endOf.braces === undefined ? skip("braces", at) : (endOf.braces(at) ?? at + 1));
      else {
        spans.push({ kind: "variable", start: at, end: variable.lastIndex, value: name[1]! });
        at = variable.lastIndex;
      }
    } else {
      spans.push({ kind: "literal", start: at, end: at + 1, value: sign });
      at++;
    }
  }
  return { spans, headingIds, foreign, dense, modules };
}

/** Offset after the comment at `at`. One that is never closed, or not before the next one, ends with its paragraph. */
function endOfComment(source: string, at: number, close: number): number {
  const paragraphEnd = /\n[ \t]*\r?\n|$/g;
  paragraphEnd.lastIndex = at;
  const blank = paragraphEnd.exec(source)!.index;
  if (close !== -1 && (close < blank || !source.slice(blank, close).includes("<!--"))) return close + 3;
  return blank;
}

/** The lines of signs of the merge conflict whose first is at `at`; none if it has not all of them. */
function conflictAt(source: string, at: number): Range[] {
  const middle = source.indexOf("\n=======", at) + 1;
  const last = source.indexOf("\n>>>>>>>", middle) + 1;
  if (middle === 0 || last === 0) return [];
  const base = source.slice(at, middle).indexOf("\n|||||||") + 1;
  return [at, ...(base === 0 ? [] : [at + base]), middle, last].map((start) => {
    const end = source.indexOf("\n", start);
    return { start, end: end === -1 ? source.length : end };
  });
}

/** Offset after a fenced block that starts on the line at `at`; undefined if none does. */
function skipFence(source: string, at: number): number | undefined {
  fenceLine.lastIndex = at;
  const open = fenceLine.exec(source);
  if (open === null || (open[1]![0] === "`" && open[2]!.includes("`"))) return undefined;
  const close = new RegExp(`^[ \\t>]*${open[1]![0]}{${open[1]!.length},}[ \\t]*\\r?(?:\\n|$)`, "gm");
  close.lastIndex = Math.min(fenceLine.lastIndex + 1, source.length);
  return close.exec(source) === null ? source.length : close.lastIndex;
}

/** Finds the offset after a code span, or after its opening backticks if nothing closes them in the paragraph, item or row. */
function createCodeSpanSkipper(source: string): (at: number) => number {
  const paragraphEnd = /\n[ \t>]*(?:\r?\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)/g;
  let limit = -1;
  /** Lengths of backtick runs that do not occur again before `limit`. */
  let missingLengths = new Set<number>();
  return (at) => {
    let open = at;
    while (source[open] === "`") open++;
    const length = open - at;
    if (open > limit) {
      paragraphEnd.lastIndex = open;
      limit = paragraphEnd.exec(source)?.index ?? source.length;
      missingLengths = new Set();
    }
    if (missingLengths.has(length)) return open;
    const run = /`+/g;
    run.lastIndex = open;
    for (let match = run.exec(source); match !== null && match.index < limit; match = run.exec(source)) {
      if (match[0].length === length) return run.lastIndex;
    }
    missingLengths.add(length);
    return open;
  };
}

/** Line beginnings that end a paragraph, and so a formula. */
const newBlock = /[ \t]*(?:\r?\n|$|>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3}|<\/?[A-Za-z]|\|)/y;
const inlineSign = /[\\`|\n$]/g;

/** The formula that opens at `at`. Prices and shell prompts use dollar signs too, so the text must look like TeX. */
export const readFormula = (source: string, at: number, lineStart: number): Span | undefined =>
  source[at + 1] === "$" ? readDisplayFormula(source, at, lineStart) : readInlineFormula(source, at, lineStart);

/**
 * `$$…$$` within a paragraph or cell, or with the signs at the start of lines of their own; then blank lines are allowed.
 * "$$" is also a level of prices, so another price, a tag or a row of a table may not stand between the signs.
 */
function readDisplayFormula(source: string, at: number, lineStart: number): Span | undefined {
  if (source[at + 2] === "$") return undefined;
  const end = source.indexOf("$$", at + 2);
  // Another formula may follow at once.
  if (end === -1 || /^\$(?!\$[^$])/.test(source.slice(end + 2, end + 5))) return undefined;
  const inner = source.slice(at + 2, end);
  const value = inner.replace(/^[ \t>]+/gm, "").trim();
  const before = source.slice(lineStart, at);
  const isFenced = /^[ \t]*\r?\n/.test(inner) && /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.test(before);
  const isRow = /^[ \t>]*\|/.test(before);
  if (value === "" || foreignToFormula.test(inner) || (!isFenced && /\n[ \t>]*\|/.test(inner))) return undefined;
  // A code span begins or ends between the signs.
  if (!isFenced && inner.split("`").length % 2 === 0) return undefined;
  if ((!isFenced && /\n[ \t>]*\r?\n/.test(inner)) || (isRow && /(?<!\\)\||\n/.test(inner))) return undefined;
  return { kind: "displayMath", start: at, end: end + 2, value };
}

/** A dollar sign outside `\text{…}`, or a line that begins with a tag. */
const foreignToFormula = /^(?!.*\\(?:text|mbox)).*(?<!\\)\$|\n[ \t>]*<\/?[A-Za-z]/s;

/**
 * `$…$`: without a space after the opening or before the closing sign, a digit after the closing one, or a code span, table
 * cell or new block between them. Only the next dollar sign can close it, so a row of prices takes no time.
 */
function readInlineFormula(source: string, at: number, lineStart: number): Span | undefined {
  if (/[\s$]/.test(source[at + 1] ?? " ")) return undefined;
  const inRow = /[ \t>]*\|/y;
  inRow.lastIndex = lineStart;
  const row = inRow.test(source);
  inlineSign.lastIndex = at + 1;
  for (let match = inlineSign.exec(source); match !== null; match = inlineSign.exec(source)) {
    const sign = match[0];
    if (sign === "\\") inlineSign.lastIndex++;
    else if (sign === "`") return undefined;
    else if (sign === "|") {
      if (row) return undefined;
    } else if (sign === "\n") {
      newBlock.lastIndex = match.index + 1;
      if (row || newBlock.test(source)) return undefined;
    } else {
      const value = source.slice(at + 1, match.index);
      if (!closesFormula(source, match.index) || isProse(value)) return undefined;
      const tex = row ? value.replaceAll("\\|", "|") : value;
      return { kind: "math", start: at, end: match.index + 1, value: tex };
    }
  }
  return undefined;
}

function closesFormula(source: string, at: number): boolean {
  const before = source[at - 1]!;
  const after = source[at + 1] ?? "";
  if (/\s/.test(before) || /[\d{$]/.test(after)) return false;
  // A sign that starts a word (`$HOME:$PATH`) does not close a formula; one at the end of a formula (`$n$th`) may.
  return !(/[A-Za-z_]/.test(after) && /[^\w}\])'*]/.test(before));
}

/** An amount followed by words (`20 for one and 30`), not TeX. */
const isProse = (value: string): boolean =>
  /^\d[\d.,]*(?:[kKmMbB]\b)?(?:\/[A-Za-z]|\s+[A-Za-z]{2,}\b|\s*[-–]\s*$)/.test(value) && !/[\\^_=<>]/.test(value);
