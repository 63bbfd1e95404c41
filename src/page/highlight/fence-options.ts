/** The options after the language in the first line of a fence. */
interface FenceMeta {
  readonly title?: string;
  readonly icon?: string;
  readonly lineNumbers: boolean;
  readonly wrap: boolean;
  readonly expandable: boolean;
  readonly noCopy: boolean;
  readonly highlight: readonly LineRange[];
  readonly focus: readonly LineRange[];
}

/** Line numbers start at 1; both ends are included. */
type LineRange = readonly [from: number, to: number];

/** Parses `app.ts lines {1,3-5} icon="bolt"`: flags, values, and all other words as the title. */
export function parseFenceMeta(meta: string | undefined): FenceMeta {
  const title: string[] = [];
  const values = new Map<string, string>();
  const highlight: LineRange[] = [];
  for (const { key, value, text } of words(meta ?? "")) {
    if (key !== undefined && value !== undefined) {
      const name = key.toLowerCase();
      if (name === "highlight" || name === "focus" || valueKeys.has(name)) values.set(name, value);
      else if (!/["'{]/.test(text[key.length + 1] ?? "")) title.push(text);
    } else if (/^\{.*\}$/.test(text)) highlight.push(...parseRanges(text.slice(1, -1)));
    else if (valueKeys.has(flagName(text)) && flagName(text) !== "title" && flagName(text) !== "icon")
      values.set(flagName(text), "true");
    else if (!isSearch(text)) title.push(text);
  }
  const flag = (name: string): boolean => values.has(name) && values.get(name)!.toLowerCase() !== "false";
  const written = (values.get("title") ?? values.get("filename") ?? unquoted(title.join(" "))).trim();
  const icon = values.get("icon")?.trim();
  return {
    ...(written ? { title: written } : {}),
    ...(icon ? { icon } : {}),
    lineNumbers: flag("lines") || flag("showlinenumbers"),
    wrap: flag("wrap"),
    expandable: flag("expandable"),
    noCopy: flag("nocopy"),
    highlight: [...highlight, ...parseRanges(values.get("highlight") ?? "")],
    focus: parseRanges(values.get("focus") ?? ""),
  };
}

/** Keys that a `=` may follow. All except title and icon may also be flags. */
const valueKeys: ReadonlySet<string> = new Set([
  ..."title filename icon lines showlinenumbers wrap expandable nocopy twoslash theme placement".split(" "),
  "actions",
]);

/** `[expandable]` means the same as `expandable`. */
const flagName = (word: string): string => word.toLowerCase().replace(/^\[(.+)\]$/, "$1");

/** Whether it is `/text/`, which marks words in other tools. A path has more slashes, or does not end with one. */
const isSearch = (word: string): boolean => /^\/[^/]+\/[a-z\d]*$/.test(word) && word.length > 2;

/** Reads `1,3-5`, also in brackets or quotes; anything but numbers is ignored. */
const parseRanges = (text: string): LineRange[] =>
  text.split(/[,;\s]+/).flatMap((part): LineRange[] => {
    const match = /^["'[\]]*(\d{1,7})(?:\s*(?:-|\.\.|:)\s*(\d{1,7}))?["'[\]]*$/.exec(part);
    if (!match) return [];
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    return [from <= to ? [from, to] : [to, from]];
  });

const inRanges = (line: number, ranges: readonly LineRange[]): boolean =>
  ranges.some(([from, to]) => line >= from && line <= to);

interface Word {
  readonly text: string;
  readonly key?: string;
  readonly value?: string;
}

const wordForm =
  /(?<key>[A-Za-z][\w-]*)=(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|\{(?<braces>[^}]*)\}|(?<bare>[^\s"'{}]+))|\{[^}]*\}|\[[A-Za-z]+\](?=\s|$)|\S+/g;

function* words(meta: string): Generator<Word> {
  for (const match of meta.matchAll(wordForm)) {
    const { key, double, single, braces, bare } = match.groups!;
    const text = match[0];
    const value = double ?? single ?? (braces === undefined ? bare : unquoted(braces.trim()));
    yield key === undefined || value === undefined ? { text } : { text, key, value };
  }
}

const unquoted = (text: string): string => /^"([^"]*)"$|^'([^']*)'$/.exec(text)?.slice(1).join("") ?? text;

export type LineMark = "highlight" | "focus" | "add" | "remove" | "error" | "warning";

interface MarkedCode {
  /** Without the comments that contained the marks. */
  readonly lines: readonly string[];
  /** Marks by index in `lines`. */
  readonly marks: ReadonlyMap<number, ReadonlySet<LineMark>>;
}

/** `// [!code ++]` ends a line, in a comment of any language; `:3` marks three lines. `[\!code ++]` is shown. */
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

/** Removes the comments with marks from the code, and marks the lines that the fence's options name. */
export function readMarks(
  code: string,
  options: { readonly highlight: readonly LineRange[]; readonly focus: readonly LineRange[] },
): MarkedCode {
  const lines: string[] = [];
  const marks = new Map<number, Set<LineMark>>();
  const mark = (index: number, name: LineMark): void => {
    const lineMarks = marks.get(index);
    if (lineMarks) lineMarks.add(name);
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
      const lineMark = markNames.get(name);
      const lineCount = count === undefined || !/^\d{1,4}$/.test(count) ? 1 : Number(count);
      if (lineMark) for (let i = 0; i < lineCount; i++) mark(lines.length + i, lineMark);
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
