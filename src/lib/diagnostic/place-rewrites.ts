import type { Diagnostic, Edit, Location, Rewrite } from "./diagnostic.js";

/** A source file, for looking up places. */
export interface SourceText {
  readonly text: string;
  /** Offsets of its lines. */
  readonly starts: readonly number[];
}

/** How far behind a location a text is looked for, in UTF-16 code units. */
const reach = 1000;

/**
 * Turns what a diagnostic wants rewritten into edits with offsets. A text that is not found, or that the source spells in
 * another way, with escapes or entities, gives no edits at all: half of them would not take the fault away.
 */
export function placeRewrites(
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
      const written = spellingsOf(rewrite.written).find((each) => offsetOf(each, rewrite, place, source) !== undefined);
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
  { text, starts }: SourceText,
): number | undefined {
  if (offset !== undefined) return text.startsWith(written, offset) ? offset : undefined;
  if (place.line === undefined || written === "") return undefined;
  const from = (starts[place.line - 1] ?? text.length) + (place.column ?? 1) - 1;
  const passage = text.slice(from, from + reach).split(/\n[ \t]*\r?\n/, 1)[0]!;
  const at = addressIn(passage, written);
  return at === -1 ? definitionOf(text, written) : from + at;
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

/** The only `[name]: address` with this address: its links are elsewhere. */
function definitionOf(text: string, written: string): number | undefined {
  const pattern = /^[ \t]*\[[^\]\n]+\]:[ \t]*<?/gm;
  const found = [...text.matchAll(pattern)]
    .map((match) => match.index + match[0].length)
    .filter((at) => {
      const address = /^[^\s>]*/.exec(text.slice(at, at + reach))![0];
      return written.startsWith("#") ? address.endsWith(written) : address === written;
    })
    .map((at) => (written.startsWith("#") ? text.indexOf(written, at) : at));
  return found.length === 1 ? found[0] : undefined;
}
