import { inRanges, type LineRange } from "./parse-fence-meta.js";

export type LineMark = "highlight" | "focus" | "add" | "remove" | "error" | "warning";

export interface MarkedCode {
  /** Without the comments that held the marks. */
  readonly lines: readonly string[];
  /** Marks by index in `lines`. */
  readonly marks: ReadonlyMap<number, ReadonlySet<LineMark>>;
}

/** `// [!code ++]` at the end of a line, in a comment of any language; `:3` marks three lines. `[\!code ++]` is shown. */
const notation =
  /(?<lead>\s*(?:\/\/|\/\*|<!--|\{\s*\/\*|--|#|;|%|"|')?\s*)\[!code\s+(?<name>[\w+-]+)(?::(?<count>[^\]]*))?\]\s*(?:\*\/\s*\}?|-->)?\s*$/;

const markNames: ReadonlyMap<string, LineMark> = new Map([
  ["++", "add"],
  ["--", "remove"],
  ["highlight", "highlight"],
  ["hl", "highlight"],
  ["focus", "focus"],
  ["error", "error"],
  ["warning", "warning"],
]);

/** Removes the mark comments from the code, and adds the lines that the fence's options name. */
export function readMarks(
  code: string,
  options: { readonly highlight: readonly LineRange[]; readonly focus: readonly LineRange[] },
): MarkedCode {
  const lines: string[] = [];
  const marks = new Map<number, Set<LineMark>>();
  const mark = (index: number, name: LineMark): void => {
    const known = marks.get(index);
    if (known) known.add(name);
    else marks.set(index, new Set([name]));
  };
  for (const written of code.split("\n")) {
    let line = written;
    let isAlone = false;
    for (let match = lastNotation(line); match; match = lastNotation(line)) {
      const { lead = "", name = "", count } = match.groups!;
      line = line.slice(0, match.index);
      isAlone = line.trim() === "";
      if (isAlone) line = "";
      else if (/^\s+$/.test(lead)) line = line.trimEnd();
      const known = markNames.get(name);
      const lineCount = count === undefined || !/^\d{1,4}$/.test(count) ? 1 : Number(count);
      if (known) for (let i = 0; i < lineCount; i++) mark(lines.length + i, known);
    }
    // A comment alone on its line marks the lines after it.
    if (!isAlone) lines.push(line.replaceAll("[\\!code", "[!code"));
  }
  if (options.highlight.length > 0 || options.focus.length > 0) {
    for (let i = 0; i < lines.length; i++) {
      if (inRanges(i + 1, options.highlight)) mark(i, "highlight");
      if (inRanges(i + 1, options.focus)) mark(i, "focus");
    }
  }
  return { lines, marks };
}

const lastNotation = (line: string): RegExpExecArray | null => (line.includes("[!code") ? notation.exec(line) : null);
