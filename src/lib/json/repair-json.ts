import type { Diagnostic, Edit } from "../diagnostic/index.js";
import { valueOfJson } from "./json.js";

const token =
  /\s+|(?<comment>\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:[^"\\\r\n]|\\.)*")|(?<single>'(?:[^'\\\r\n"]|\\.)*')|(?<curly>“[^“”"\\\r\n]*”)|(?<sign>[{}[\]:,])|(?<word>[^\s{}[\]:,"'/]+)|[\s\S]/gy;

/** JSON's spelling of literals of other languages. */
const literals = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** The edits that remove comments and trailing commas, and repair quotes and commas. None for other faults. */
export function repairJson(sourcePath: string, text: string): Pick<Diagnostic, "edits"> {
  const changes: Edit[] = [];
  const change = (start: number, end: number, replacement: string): void =>
    void changes.push({ sourcePath, start, end, replacement, certain: true });
  /** The previous token, comments ignored. */
  let last:
    | { readonly kind: "comma" | "open" | "value" | "colon"; readonly start: number; readonly end: number }
    | undefined;
  for (const { 0: typed, index: start, groups = {} } of text.matchAll(token)) {
    const end = start + typed.length;
    const { comment, single, curly, sign, word } = groups;
    if (typed.trim() === "") continue;
    if (comment !== undefined) {
      const from = start - blanksBefore(text, start);
      const lineEnd = lineEndAfter(text, end);
      // A comment on its own line is removed with the line.
      change(from, from === 0 || text[from - 1] === "\n" ? end + lineEnd : end, "");
      continue;
    }
    if (sign === "}" || sign === "]" || sign === ",") {
      if (last?.kind === "comma") change(last.start, last.end, "");
      last = { kind: sign === "," ? "comma" : "value", start, end };
      continue;
    }
    if (sign === ":") {
      last = { kind: "colon", start, end };
      continue;
    }
    if (last?.kind === "value") {
      if (!text.slice(last.end, start).includes("\n")) return {};
      change(last.end, last.end, ",");
    }
    if (sign !== undefined) {
      last = { kind: "open", start, end };
      continue;
    }
    if (single !== undefined) change(start, end, `"${single.slice(1, -1).replaceAll("\\'", "'")}"`);
    else if (curly !== undefined) change(start, end, `"${curly.slice(1, -1)}"`);
    else if (word !== undefined && /^[ \t]*:/.test(text.slice(end))) change(start, end, `"${word}"`);
    else if (word !== undefined && literals.has(word)) change(start, end, literals.get(word)!);
    last = { kind: "value", start, end };
  }
  if (changes.length > maxChanges) return {};
  return valueOfJson(changed(text, changes)) !== undefined ? { edits: changes } : {};
}

function blanksBefore(text: string, at: number): number {
  let from = at;
  while (text[from - 1] === " " || text[from - 1] === "\t") from--;
  return at - from;
}

/** With more changes, the text was hardly written by hand. */
const maxChanges = 10_000;
/** Length of the blanks and the line break after `at`; 0 if something else follows on the line. */
const lineEndAfter = (text: string, at: number): number => /^[ \t]*(?:\r?\n|$)/.exec(text.slice(at))?.[0].length ?? 0;

function changed(text: string, changes: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, replacement } of changes.toSorted((a, b) => a.start - b.start)) {
    if (start < done) return "";
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}
