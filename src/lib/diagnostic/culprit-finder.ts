import { lazy } from "../lazy.js";
import type { Diagnostic } from "./diagnostic.js";
import { definitionsIn, placeRewrites, type SourceText } from "./place-rewrites.js";
import { lengthOnLine, positionAt, withLineFeeds } from "./position-at.js";

/** How far behind the location of a fault its culprit is looked for, in UTF-16 code units. */
const reach = 1000;
const mostNames = 4;

/**
 * Narrows the location of a fault that has no length, such as that of a tag or a paragraph, to the text that its message
 * quotes: the address of a link, the name of an icon. Without such a text nothing changes. What a diagnostic wants
 * rewritten becomes its edits.
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
    file = { sourcePath, text, starts, definitions: lazy(() => definitionsIn(text)) };
    return file;
  };
  return (found) => {
    const diagnostic = found.rewrites ? placeRewrites(found, open) : found;
    const { location, what } = diagnostic;
    if (location?.line === undefined || location.column === undefined || location.length !== undefined)
      return diagnostic;
    const { text, starts } = open(location.sourcePath);
    const from = (starts[location.line - 1] ?? text.length) + location.column - 1;
    const passage = text.slice(from, from + reach).split(/\n[ \t]*\r?\n/, 1)[0]!;
    const culprit = findCulprit(what, passage);
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

/** The first text in quotes that `passage` has, or the tag that it begins with. */
function findCulprit(what: string, passage: string): { readonly offset: number; readonly length: number } | undefined {
  const names = [...what.matchAll(/"([^"\n]+)"/g)].slice(0, mostNames).map(([, name]) => name!.replace(/…$/, ""));
  for (const name of names) {
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
