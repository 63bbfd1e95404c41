import type { Diagnostic } from "./diagnostic.js";
import { placeRewrites, type SourceText } from "./place-rewrites.js";
import { lengthOnLine, positionAt, withLineFeeds } from "./position-at.js";

/** How far behind the location of a fault its culprit is looked for, in UTF-16 code units. */
const reach = 1000;
const mostNames = 4;

/**
 * Narrows the location of a fault that has no length, such as that of a tag or a paragraph, to the text that its message
 * quotes: the address of a link, the name of an icon. So does that of an entry of a .json file, which is its bracket.
 * Without such a text nothing changes. What a diagnostic wants rewritten becomes its edits.
 *
 * @param readText returns a file of the site; undefined or an error if it cannot be read.
 */
export function createCulpritFinder(
  readText: (sourcePath: string) => string | undefined,
): (diagnostic: Diagnostic) => Diagnostic {
  // Faults come file by file.
  let file: (SourceText & { readonly sourcePath: string }) | undefined;
  const open = (sourcePath: string): SourceText => {
    if (file?.sourcePath === sourcePath) return file;
    let text = "";
    try {
      text = withLineFeeds(readText(sourcePath) ?? "").replace(/^\ufeff/, "");
    } catch {
      // The message matters more than its place.
    }
    const starts = [0];
    for (let next = text.indexOf("\n"); next !== -1; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
    file = { sourcePath, text, starts };
    return file;
  };
  return (found) => {
    const diagnostic = found.rewrites ? placeRewrites(found, open) : found;
    const { location, what } = diagnostic;
    if (location?.line === undefined || location.column === undefined) return diagnostic;
    const mayBeEntry = location.length === 1 && location.sourcePath.endsWith(".json");
    if (location.length !== undefined && !mayBeEntry) return diagnostic;
    const { text, starts } = open(location.sourcePath);
    const from = (starts[location.line - 1] ?? text.length) + location.column - 1;
    const rest = text.slice(from, from + reach);
    const passage = mayBeEntry ? rest : rest.split(/\n[ \t]*\r?\n/, 1)[0]!;
    const culprit = mayBeEntry ? findInEntry(what, passage) : findCulprit(what, passage);
    if (!culprit) return diagnostic;
    const { line, column } = positionAt(passage, culprit.offset);
    return {
      ...diagnostic,
      location: {
        ...location,
        line: location.line + line - 1,
        column: line === 1 ? location.column + column - 1 : column,
        length: lengthOnLine(passage, culprit.offset, culprit.length),
      },
    };
  };
}

const namesIn = (what: string): string[] =>
  [...what.matchAll(/"([^"\n]+)"/g)].slice(0, mostNames).map(([, name]) => name!.replace(/…$/, ""));

/**
 * In an object or list of JSON, its own name or text that the message quotes last: `"Prices" links to "/prices"` is about
 * the link. Those of the values in it are others.
 */
function findInEntry(what: string, json: string): { readonly offset: number; readonly length: number } | undefined {
  if (!/^[[{]/.test(json)) return undefined;
  const own = new Map<string, number>();
  let depth = 0;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\\n]|\\.)*"|[[\]{}]/g)) {
    if (/^[[{]/.test(token)) depth += 1;
    else if (/^[\]}]/.test(token)) depth -= 1;
    else if (depth === 1) own.set(token, index);
    if (depth === 0) break;
  }
  const name = namesIn(what).findLast((each) => own.has(`"${each}"`));
  return name === undefined ? undefined : { offset: own.get(`"${name}"`)!, length: name.length + 2 };
}

/** The first text in quotes that `passage` has, or the tag that it begins with. */
function findCulprit(what: string, passage: string): { readonly offset: number; readonly length: number } | undefined {
  for (const name of namesIn(what)) {
    const offset = wholeWord(passage, name);
    if (offset !== -1) return { offset, length: name.length };
  }
  const tag = /^<\/?[\w$.-]+(?:\s*\/?>)?/.exec(passage)?.[0];
  return tag && what.includes(tag.replace(/\s*\/?>$/, "")) ? { offset: 0, length: tag.length } : undefined;
}

/** Where `passage` has `name` as a word of its own; -1 if nowhere. */
function wholeWord(passage: string, name: string): number {
  const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);
  for (let at = passage.indexOf(name); at !== -1; at = passage.indexOf(name, at + 1)) {
    const begins = !isWord(name[0]) || !isWord(passage[at - 1]);
    const ends = !isWord(name.at(-1)) || !isWord(passage[at + name.length]);
    if (begins && ends) return at;
  }
  return -1;
}
