import type { Diagnostic, Edit } from "../diagnostic/index.js";

const token =
  /\s+|(?<comment>\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:[^"\\\r\n]|\\.)*")|(?<single>'(?:[^'\\\r\n"]|\\.)*')|(?<curly>“[^“”"\\\r\n]*”)|(?<sign>[{}[\]:,])|(?<word>[^\s{}[\]:,"'/]+)|[\s\S]/gy;

/** Literals of other languages. */
const literals = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * What makes JSON of a text that has comments, trailing commas, single or curly quotes, names without quotes, or no comma
 * at the end of a line. No edits if that is not all.
 */
export function repairJson(sourcePath: string, text: string): Pick<Diagnostic, "edits"> {
  const changes: Edit[] = [];
  const change = (start: number, end: number, replacement: string): void =>
    void changes.push({ sourcePath, start, end, replacement, certain: true });
  /** The token before, without comments. */
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
      // A comment in a line of its own goes with its line.
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
  return isJson(changed(text, changes)) ? { edits: changes } : {};
}

function blanksBefore(text: string, at: number): number {
  let from = at;
  while (text[from - 1] === " " || text[from - 1] === "\t") from--;
  return at - from;
}

/** More are not the work of a writer. */
const maxChanges = 10_000;
/** 0 if something follows in the line. */
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
