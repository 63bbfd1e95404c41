import { attempt } from "../attempt.js";
import { lazy } from "../memo.js";
import {
  compareDiagnostics,
  type Diagnostic,
  type Edit,
  type Location,
  type Rewrite,
  withoutEffects,
} from "./diagnostic.js";
import { lengthOnLine, lineStarts, withLineFeeds } from "./position-at.js";

/** Length of the text after a location in which the quoted text is looked for, in UTF-16 code units. */
const searchLength = 1000;
const maxNames = 4;

/**
 * Narrows the location of a fault that has no length, such as a tag or a paragraph, to the text that its message quotes: the
 * address of a link, the name of an icon. The location of an entry of a .json file, which is its bracket, is narrowed in the
 * same way. If the quoted text is not there, the location covers the tag, the word or the entry. Turns rewrites into edits.
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
    // If the file cannot be read, the message matters more than its place.
    const text = withLineFeeds(attempt(() => readText(sourcePath)) ?? "").replace(/^\ufeff/, "");
    file = { sourcePath, text, starts: lineStarts(text), definitions: lazy(() => definitionsIn(text)) };
    return file;
  };
  const narrowed = (reported: Diagnostic): Diagnostic => {
    const diagnostic = reported.rewrites ? placeRewrites(reported, open) : reported;
    const { location, what } = diagnostic;
    if (location && location.line === undefined && location.sourcePath.endsWith(".json"))
      return { ...diagnostic, location: linkOfSettings(what, location.sourcePath, open(location.sourcePath)) };
    if (location?.line === undefined || location.column === undefined) return diagnostic;
    const mayBeEntry = location.length === 1 && location.sourcePath.endsWith(".json");
    const isMark = location.length === 1 && /\.ya?ml$/.test(location.sourcePath);
    if (location.length !== undefined && !mayBeEntry && !isMark) return diagnostic;
    const { text, starts } = open(location.sourcePath);
    const from = (starts[location.line - 1] ?? text.length) + location.column - 1;
    const rest = text.slice(from, from + searchLength);
    const isEntry = mayBeEntry && /^[[{]/.test(rest);
    if (mayBeEntry && !isEntry) return diagnostic;
    const passage = isEntry ? rest : rest.split(/\n[ \t]*\r?\n/, 1)[0]!;
    const before = text.slice(0, from);
    // A fault of a whole file has no place in it, unless a closing bracket is missing.
    const isBroken = diagnostic.code === "JSON_BROKEN";
    if (isEntry && before.trim() === "" && passage.startsWith("{") && !findInEntry(what, passage))
      return isBroken ? diagnostic : { ...diagnostic, location: { sourcePath: location.sourcePath } };
    const culprit = isEntry
      ? (findInEntry(what, passage) ?? wholeEntry(before, passage, isBroken))
      : findCulprit(what, passage);
    if (!culprit) return diagnostic;
    const start = from + culprit.offset;
    let line = location.line;
    while (starts[line] !== undefined && starts[line]! <= start) line += 1;
    return {
      ...diagnostic,
      location: {
        ...location,
        line,
        column: start - starts[line - 1]! + 1,
        length: lengthOnLine(text, start, culprit.length),
      },
    };
  };
  return (reported) => {
    const diagnostic = narrowed(reported);
    const { related } = diagnostic;
    if (!related) return diagnostic;
    const { location = related.location } = narrowed({ ...diagnostic, location: related.location });
    return { ...diagnostic, related: { ...related, location } };
  };
}

/** Sorted by location, each at its culprit; a diagnostic that several pages report appears once. */
export function placedFaults(
  faults: readonly Diagnostic[],
  readText: (sourcePath: string) => string | undefined,
): Diagnostic[] {
  const unique = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  const placed = [...unique.values()].sort(compareDiagnostics).map(createCulpritFinder(readText));
  return withoutEffects(placed).sort(compareDiagnostics);
}

interface Culprit {
  /** From the location of the fault; negative for the name of an entry. */
  readonly offset: number;
  readonly length: number;
}

const namesIn = (what: string): string[] =>
  [...what.matchAll(/"([^"\n]+)"/g)]
    .slice(0, maxNames)
    .map(([, name]) =>
      name!.replace(/…$/, "").replace(/\\u([\da-f]{4})/g, (_, hex) => String.fromCharCode(+`0x${hex}`)),
    );

/**
 * Finds the name or text of an object or list of JSON that the message quotes last: `"Prices" links to "/prices"` is about
 * the link, and so is `the link leads to "#price"`. Texts directly in the object or list come before those nested deeper.
 */
function findInEntry(what: string, json: string): Culprit | undefined {
  const names = namesIn(what);
  const texts = tokensIn(json).filter(({ token }) => token.startsWith('"'));
  const direct = texts.filter(({ depth }) => depth === 1);
  const last = names.findLast((name) => direct.some(({ token }) => isSame(token, name)));
  const culprit =
    last === undefined
      ? (direct.find(({ token }) => names.some((name) => name.startsWith("#") && token.endsWith(`${name}"`))) ??
        texts.find(({ token, isName }) => !isName && names.some((name) => isSame(token, name))))
      : direct.findLast(({ token }) => isSame(token, last));
  return culprit && { offset: culprit.index, length: culprit.token.length };
}

/** Whether a JSON string equals the quoted text; paths may begin with `/` or `./`. */
const isSame = (token: string, name: string): boolean => bare(token.slice(1, -1)) === bare(name);
const bare = (path: string): string => path.replace(/^\.?\/(?=.)/, "");

/** The first link of the settings that ends with the anchor that the message quotes. */
function linkOfSettings(what: string, sourcePath: string, { text, starts }: SourceText): Location {
  const anchor = namesIn(what).find((name) => name.startsWith("#"));
  const end = anchor === undefined ? -1 : text.indexOf(`${anchor}"`);
  if (end === -1) return { sourcePath };
  const start = text.lastIndexOf('"', end);
  const line = starts.findLastIndex((offset) => offset <= start);
  const length = end + anchor!.length + 1 - start;
  return { sourcePath, line: line + 1, column: start - starts[line]! + 1, length };
}

/** Covers an entry of JSON: all of it if it is on one line, else its name, or the first name in it. */
function wholeEntry(before: string, json: string, isBroken: boolean): Culprit | undefined {
  const tokens = tokensIn(json);
  const end = tokens.find(({ depth }) => depth === 0);
  if (end && !json.slice(0, end.index).includes("\n")) return { offset: 0, length: end.index + 1 };
  const name = /"(?:[^"\\\n]|\\.)*"(?=\s*:\s*$)/.exec(before.slice(before.lastIndexOf("\n") + 1));
  if (name) return { offset: name.index + before.lastIndexOf("\n") + 1 - before.length, length: name[0].length };
  // A bracket that does not match is a place of its own.
  const first = isBroken ? undefined : tokens.find(({ token }) => token.startsWith('"'));
  return first && { offset: first.index, length: first.token.length };
}

interface Token {
  readonly token: string;
  readonly index: number;
  /** How many brackets are open after it. */
  readonly depth: number;
  readonly isName: boolean;
}

/** The texts and brackets of the first object or list. */
function tokensIn(json: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\\n]|\\.)*"|[[\]{}]/g)) {
    if (/^[[{]/.test(token)) depth += 1;
    else if (/^[\]}]/.test(token)) depth -= 1;
    const isName = /^\s*:/.test(json.slice(index + token.length, index + token.length + 9));
    tokens.push({ token, index, depth, isName });
    if (depth === 0) break;
  }
  return tokens;
}

/** The first quoted text that `passage` contains, else the tag, word, table row or run of signs at its start. */
function findCulprit(what: string, passage: string): Culprit | undefined {
  for (const name of namesIn(what)) {
    const offset = wholeWord(passage, name);
    if (offset !== -1) return { offset, length: name.length };
  }
  const first =
    /^(?:<\/?[\w$.:-]+(?:\s*\/?>)?|[*&]?[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*|\|.*|- .*|#!\S*|([^\s\p{L}\p{N}])\1+)/u.exec(
      passage,
    );
  return first ? { offset: 0, length: first[0].length } : undefined;
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

/** A source file, for looking up places. */
interface SourceText {
  readonly text: string;
  /** Offsets of its lines. */
  readonly starts: readonly number[];
  readonly definitions: () => ReadonlyMap<string, number>;
}

/**
 * Turns the rewrites of a diagnostic into edits with offsets. There are no edits at all if one text is not found, or is
 * written differently in the source, with escapes or entities: only all edits together correct the fault.
 */
function placeRewrites(
  { rewrites = [], ...diagnostic }: Diagnostic,
  open: (sourcePath: string) => SourceText,
): Diagnostic {
  const edits = new Map<string, Edit>();
  for (const edit of diagnostic.edits ?? []) edits.set(`${edit.start} ${edit.end}`, edit);
  for (const rewrite of rewrites)
    for (const place of [...(diagnostic.location ? [diagnostic.location] : []), ...(rewrite.places ?? [])]) {
      const { sourcePath } = place;
      const { replacement, certain, isOptional } = rewrite;
      const source = open(sourcePath);
      const written = spellingsOf(rewrite.written).find((text) => offsetOf(text, rewrite, place, source) !== undefined);
      if (written === undefined && isOptional) continue;
      if (written === undefined) return diagnostic;
      const start = offsetOf(written, rewrite, place, source)!;
      const edit = { sourcePath, start, end: start + written.length, replacement, certain };
      edits.set(`${sourcePath} ${edit.start} ${edit.end}`, edit);
    }
  return edits.size === 0 ? diagnostic : { ...diagnostic, edits: [...edits.values()] };
}

/** An anchor may be escaped in the source. */
const spellingsOf = (written: string): string[] =>
  written.startsWith("#") ? [written, `#${encodeURIComponent(written.slice(1))}`] : [written];

function offsetOf(
  written: string,
  { offset }: Rewrite,
  place: Location,
  { text, starts, definitions }: SourceText,
): number | undefined {
  if (offset !== undefined) return text.startsWith(written, offset) ? offset : undefined;
  if (place.line === undefined || written === "") return undefined;
  const from = (starts[place.line - 1] ?? text.length) + (place.column ?? 1) - 1;
  const passage = text.slice(from, from + searchLength).split(/\n[ \t]*\r?\n/, 1)[0]!;
  const at = addressIn(passage, written);
  if (at !== -1) return from + at;
  const defined = definitions().get(written) ?? -1;
  return defined === -1 ? undefined : defined;
}

/** Where `passage` has `written` as an address: in the target of a link, in an attribute, as the value of a setting. */
function addressIn(passage: string, written: string): number {
  for (let at = passage.indexOf(written); at !== -1; at = passage.indexOf(written, at + 1)) {
    const before = passage.slice(0, at);
    // An anchor is the end of an address.
    const lead = written.startsWith("#") ? before.replace(/[^\s()"'<>[\]{}`]*$/, "") : before;
    if (endsAddress.test(passage.slice(at + written.length)) && beginsAddress.test(lead)) return at;
  }
  return -1;
}

const beginsAddress =
  /(?:\]\(\s*<?|\]:\s*<?|^["']|\bfrom\s*["']|^[\w.-]+:\s*["']?|(?<!["']?\b(?:alt|caption|description|label|name|sidebarTitle|tag|title)["']?\s*)(?:=\s*\{?\s*|["']\s*:\s*)["'`])$/;
const endsAddress = /^(?:[)"'`>]|\s|$)/;

/** Offsets of addresses in `[name]: address`, by address and by its anchor; -1 if the text has one more than once. */
function definitionsIn(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const add = (key: string, at: number): void => void offsets.set(key, offsets.has(key) ? -1 : at);
  for (const match of text.matchAll(/^[ \t]*\[[^\]\n]+\]:[ \t]*<?([^\s>]+)/gm)) {
    const address = match[1]!;
    const at = match.index + match[0].length - address.length;
    const hash = address.indexOf("#");
    add(address, at);
    if (hash > 0) add(address.slice(hash), at + hash);
  }
  return offsets;
}
