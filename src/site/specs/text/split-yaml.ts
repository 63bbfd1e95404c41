/** Consecutive entries of one mapping in a YAML text, to be parsed separately. */
export interface YamlPart {
  /** The mappings that contain it, outermost first. */
  readonly path: readonly YamlName[];
  /** Offset in UTF-16 code units; a part starts at the start of a line. */
  readonly start: number;
  readonly end: number;
}
export interface YamlName {
  readonly name: string;
  readonly offset: number;
}

/** Texts with fewer parts than this are parsed as a whole. */
const minParts = 2.5;
/** Length of a part, in UTF-16 code units. */
const partLength = 20_000;
/** Longer, since the whole text is read if the value of an alias is in another part. */
const partLengthWithAnchors = 400_000;
const anchor = /[\s:]&[^\s&]/;
const maxLevels = 4;

/**
 * Splits a long text at the entries of its outer mappings, so that only the nodes of one part are in memory at a time: they
 * take a hundred times the memory of their text. Undefined for a short text, or one that is not a block mapping.
 *
 * This goes only by indentation. A line that looks like an entry but is not one (inside quotes or brackets) makes a part
 * that cannot be parsed; the caller reads the whole text then. A single entry without mappings in it may be longer than a
 * part should be.
 */
export function splitYaml(text: string): readonly YamlPart[] | undefined {
  const maxLength = anchor.test(text) ? partLengthWithAnchors : partLength;
  if (text.length < minParts * maxLength) return undefined;
  const first = afterBlanks(text, 0);
  const mark = /---[ \t\r]*\n/y;
  mark.lastIndex = first;
  const start = mark.test(text) ? mark.lastIndex : first;
  if (/^(?:---|\.\.\.|%)/m.test(text.slice(start))) return undefined;
  const parts: YamlPart[] = [];
  cut(text, { path: [], start, end: text.length }, 0, maxLength, parts);
  return parts.length > 1 ? parts : undefined;
}

function cut(text: string, range: YamlPart, indent: number, maxLength: number, parts: YamlPart[]): void {
  const { path } = range;
  const starts = entriesIn(text, range, indent);
  let open = range.start;
  const close = (end: number): void => {
    if (end > open) parts.push({ path, start: open, end });
    open = end;
  };
  starts.forEach((start, i) => {
    const end = starts[i + 1] ?? range.end;
    if (end - start > maxLength) {
      const inner = innerMapping(text, start, end);
      if (inner && path.length < maxLevels) {
        close(start);
        cut(text, { path: [...path, inner.name], start: inner.start, end }, inner.indent, maxLength, parts);
        open = end;
        return;
      }
    }
    if (end - open > maxLength) close(end);
  });
  close(range.end);
}

/** Start of the first line with more than white space and comments. One expression for all lines would overflow the stack. */
function afterBlanks(text: string, from: number): number {
  const line = /[ \t]*(?:#[^\n]*)?\r?\n/y;
  let at = from;
  for (line.lastIndex = at; line.test(text); line.lastIndex = at) at = line.lastIndex;
  return at;
}

/** Starts of the lines with an entry: with this indentation, not a comment and not an item of a list. */
function entriesIn(text: string, { start, end }: YamlPart, indent: number): number[] {
  const starts: number[] = [];
  const line = new RegExp(`^ {${indent}}(?=[^\\s#-]|-\\S)`, "gm");
  line.lastIndex = start;
  for (let match = line.exec(text); match && match.index < end; match = line.exec(text)) {
    starts.push(match.index);
    line.lastIndex = match.index + indent + 1;
  }
  return starts;
}

/** The block mapping that is the value of an entry, if its name is plain. */
function innerMapping(
  text: string,
  start: number,
  end: number,
): { readonly name: YamlName; readonly start: number; readonly indent: number } | undefined {
  const head = /( *)([A-Za-z_$][\w$.-]*|"[^"\\\n]*"|'[^'\n]*'):[ \t\r]*(?:#[^\n]*)?\n/y;
  head.lastIndex = start;
  const match = head.exec(text);
  if (!match) return undefined;
  const below = /( *)(?=[^\s#-]|-\S)/y;
  below.lastIndex = afterBlanks(text, start + match[0].length);
  const indent = below.exec(text)?.[1]?.length ?? 0;
  if (indent <= match[1]!.length || below.lastIndex >= end) return undefined;
  const name = match[2]!.replace(/^(["'])(.*)\1$/s, "$2");
  return { name: { name, offset: start + match[1]!.length }, start: start + match[0].length, indent };
}
