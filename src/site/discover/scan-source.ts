/** The facts of a file's text that the plan of a site needs. */
export interface SourceScan {
  /** Paths of imports, as written, in their order. */
  readonly imports: readonly string[];
  /** `file` of each `<Snippet file="…"/>`. */
  readonly snippetFiles: readonly string[];
  /**
   * Words of `class` and `className` values, with repetitions. For an expression: every word that may be a class, and the
   * words in the values of the names that it uses: `({ tone = "p-4" }) => <i className={tone}>`.
   */
  readonly classWords: readonly string[];
  /** Present if `namesParts` is true for the text. */
  readonly namesParts?: true;
}

/**
 * Whether a text may contain code that selects parts of components by `data-component-part`: it names the attribute, or
 * loads code that is not in the site.
 */
export const namesParts = (text: string): boolean => partNames.test(text);
const partNames = /component-?part|<(?:script|link)\b|["'`](?:script|link)["'`]|@import[^;]*\/\/|\bimport\s*\(/i;

/**
 * Reads imports and class words without parsing, in time linear in the length of the text. Fenced code in Markdown is
 * skipped.
 */
export function scanSource(text: string, kind: "markdown" | "module", from = 0): SourceScan {
  const imports: string[] = [];
  const snippetFiles: string[] = [];
  const classWords: string[] = [];
  /** Names that are used in expressions for classes. */
  const names = new Set<string>();
  let fence = "";
  const pattern = kind === "markdown" ? markdownMarks : moduleMarks;
  const marks = new RegExp(pattern.source, pattern.flags);
  marks.lastIndex = from;
  for (const match of text.matchAll(marks)) {
    const [mark, fenceMark, info = ""] = match;
    const end = match.index + mark.length;
    if (fenceMark !== undefined) fence = fenceAfter(fence, fenceMark, info);
    else if (fence !== "") continue;
    else if (/^class/i.test(mark)) addClassWords(text, end, classWords, names);
    else if (mark.startsWith("<")) {
      const file = /^[^>]*?\bfile=["']([^"'\n]+)["']/.exec(text.slice(end, end + 300))?.[1];
      if (file) snippetFiles.push(file);
    } else {
      const source = importedFrom(text.slice(end, end + maxImportLength), mark);
      if (source) imports.push(source);
    }
  }
  if (names.size > 0) addValueWords(text, from, names, classWords);
  return { imports, snippetFiles, classWords, ...(namesParts(text) && { namesParts: true }) };
}

const maxImportLength = 2000;
const maxValueLength = 4000;
const maxExpressionLength = 1000;
const moduleMarks = /^(?:import|export)\b|[cC]lass(?:Name)?\s*[=:]\s*/gm;
const markdownMarks =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)|^ {0,3}(?:import|export)\b|<Snippet\b|[cC]lass(?:Name)?\s*[=:]\s*/gm;

/** The mark of the fence that is open after this line; empty outside of fences. */
function fenceAfter(open: string, mark: string, info: string): string {
  if (open !== "") return mark[0] === open[0] && mark.length >= open.length && info.trim() === "" ? "" : open;
  return mark[0] === "`" && info.includes("`") ? "" : mark;
}

/** @param text the text after the word `import` or `export`. */
function importedFrom(text: string, mark: string): string | undefined {
  const stop = text.search(/["'`();=]|\n[ \t\r]*\n|\n(?:import|export)\b/);
  const quote = text[stop];
  if (quote !== '"' && quote !== "'") return undefined;
  const clause = text.slice(0, stop).trimEnd();
  if (!clause.endsWith("from") && (clause.trim() !== "" || mark.endsWith("export"))) return undefined;
  const end = text.indexOf(quote, stop + 1);
  const source = end < 0 ? "" : text.slice(stop + 1, end);
  return source === "" || source.includes("\n") ? undefined : source;
}

function addClassWords(text: string, at: number, words: string[], names: Set<string>): void {
  if (text[at] !== "{") addQuotedWords(text, at, words);
  else {
    const expression = expressionAt(text, at);
    for (const word of expression.split(/[\s"'`{}$;]+/)) if (isClassWord(word)) words.push(word);
    for (const [name] of expression.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(name);
  }
}

/** Returns the end of the quoted text; undefined if there is none. */
function addQuotedWords(text: string, at: number, words: string[]): number | undefined {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return undefined;
  const value = text.slice(at + 1, at + maxValueLength);
  const end = value.indexOf(quote);
  if (end < 0) return undefined;
  for (const word of value.slice(0, end).split(/\s+/)) if (isClassWord(word)) words.push(word);
  return at + end + 2;
}

/** Adds the words of each string that is assigned to one of the names, or is a part of the assigned expression. */
function addValueWords(text: string, from: number, names: ReadonlySet<string>, words: string[]): void {
  const assignments = /(?<![\w$])([A-Za-z_$][\w$]*)\s*=(?![=>])\s*/g;
  assignments.lastIndex = from;
  for (let match = assignments.exec(text); match; match = assignments.exec(text)) {
    if (!names.has(match[1]!)) continue;
    const at = assignments.lastIndex;
    const end = addQuotedWords(text, at, words);
    if (end !== undefined) assignments.lastIndex = end;
    else {
      const rest = text.slice(at, at + maxValueLength);
      const value = rest.slice(0, /;|\n[ \t\r]*\n|$/.exec(rest)!.index);
      for (const [quoted] of value.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g))
        for (const word of quoted.split(/[\s"'`{}$]+/)) if (isClassWord(word)) words.push(word);
      // Each part of the text is read once.
      assignments.lastIndex = at + value.length;
    }
  }
}

function expressionAt(text: string, at: number): string {
  let depth = 0;
  for (let index = at; index < Math.min(text.length, at + maxExpressionLength); index++) {
    if (text[index] === "{") depth++;
    else if (text[index] === "}" && --depth === 0) return text.slice(at + 1, index);
  }
  return "";
}

const isClassWord = (word: string): boolean => word.length <= 200 && /^[!\-@*[]*[a-z]/i.test(word);
