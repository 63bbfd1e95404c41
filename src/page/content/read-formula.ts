/** Finds the dollar signs that enclose TeX. Prices and shell prompts use the same sign, so the text must look like a formula. */
import type { Span } from "./scan-result.js";

/** Line beginnings that end a paragraph, and so a formula. */
const newBlock = /[ \t]*(?:\r?\n|$|>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3}|<\/?[A-Za-z]|\|)/y;
const inlineSign = /[\\`|\n$]/g;

/** The formula that opens with the dollar at `at`, if it looks like one. */
export function readFormula(source: string, at: number, lineStart: number): Span | undefined {
  return source[at + 1] === "$" ? readDisplayFormula(source, at) : readInlineFormula(source, at, lineStart);
}

/** `$$…$$` within a paragraph, or with the signs on lines of their own; then blank lines are allowed. */
function readDisplayFormula(source: string, at: number): Span | undefined {
  if (source[at + 2] === "$") return undefined;
  const end = source.indexOf("$$", at + 2);
  if (end === -1) return undefined;
  const inner = source.slice(at + 2, end);
  const value = inner.replace(/^[ \t>]+/gm, "").trim();
  const fenced = /^[ \t]*\r?\n/.test(inner);
  if (value === "" || (!fenced && /\n[ \t>]*\r?\n/.test(inner))) return undefined;
  return { kind: "displayMath", start: at, end: end + 2, value };
}

/**
 * `$…$`: no space after the opening or before the closing sign, no digit after the closing one, and no code span,
 * table cell or new block between them. Only the next dollar sign can close it, so a row of prices costs no time.
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
  // A sign at the start of a word (`$HOME:$PATH`) closes nothing; one at the end of a formula (`$n$th`) may.
  return !(/[A-Za-z_]/.test(after) && /[^\w}\])'*]/.test(before));
}

/** An amount followed by words (`20 for one and 30`), not TeX. */
const isProse = (value: string): boolean =>
  /^\d[\d.,]*(?:[kKmMbB]\b)?(?:\/[A-Za-z]|\s+[A-Za-z]{2,}\b|\s*[-–]\s*$)/.test(value) && !/[\\^_=<>]/.test(value);
