/** A run of entries of one mapping in a YAML text, to be read by itself. */
export interface YamlPart {
  /** The mappings around, outermost first. */
  readonly path: readonly YamlName[];
  /** UTF-16 code units; the part begins with a line. */
  readonly start: number;
  readonly end: number;
}
export interface YamlName {
  readonly name: string;
  readonly offset: number;
}

/** Shorter texts are read in one piece. */
const shortest = 1_000_000;
/** About so long is a part, unless one entry without mappings in it is longer. */
const partLength = 400_000;
const mostLevels = 4;

/**
 * Cuts a long text at the entries of its outer mappings, so that only the nodes of one part are in memory at a time:
 * they take a hundred times the room of their text. Undefined for what is short, or no single block mapping.
 *
 * This goes by indentation alone. What it takes for an entry and is none (within quotes or brackets that go on at the
 * start of a line) makes a part that cannot be read; so the whole text is read where a part has a fault.
 */
export function splitYaml(text: string): readonly YamlPart[] | undefined {
  if (text.length < shortest) return undefined;
  const first = afterBlanks(text, 0);
  const mark = /---[ \t\r]*\n/y;
  mark.lastIndex = first;
  const start = mark.test(text) ? mark.lastIndex : first;
  if (/^(?:---|\.\.\.|%)/m.test(text.slice(start))) return undefined;
  const parts: YamlPart[] = [];
  cut(text, { path: [], start, end: text.length }, 0, parts);
  return parts.length > 1 ? parts : undefined;
}

function cut(text: string, range: YamlPart, indent: number, parts: YamlPart[]): void {
  const { path } = range;
  const starts = entriesIn(text, range, indent);
  let open = range.start;
  const close = (end: number): void => {
    if (end > open) parts.push({ path, start: open, end });
    open = end;
  };
  starts.forEach((start, i) => {
    const end = starts[i + 1] ?? range.end;
    if (end - start > partLength) {
      const inner = innerMapping(text, start, end);
      if (inner && path.length < mostLevels) {
        close(start);
        cut(text, { path: [...path, inner.name], start: inner.start, end }, inner.indent, parts);
        open = end;
        return;
      }
    }
    if (end - open > partLength) close(end);
  });
  close(range.end);
}

/** Where the first line begins that holds more than blanks and comments. One expression for all of them would overflow. */
function afterBlanks(text: string, from: number): number {
  const line = /[ \t]*(?:#[^\n]*)?\r?\n/y;
  let at = from;
  for (line.lastIndex = at; line.test(text); line.lastIndex = at) at = line.lastIndex;
  return at;
}

/** Where the lines begin that hold an entry: of this indentation, no comment and no item of a list. */
function entriesIn(text: string, { start, end }: YamlPart, indent: number): number[] {
  const starts: number[] = [];
  const line = new RegExp(`^ {${indent}}(?=[^\\s#-]|-\\S)`, "gm");
  line.lastIndex = start;
  for (let found = line.exec(text); found && found.index < end; found = line.exec(text)) {
    starts.push(found.index);
    line.lastIndex = found.index + indent + 1;
  }
  return starts;
}

/** The block mapping that is the value of an entry, if it is one and its name is plain. */
function innerMapping(
  text: string,
  start: number,
  end: number,
): { readonly name: YamlName; readonly start: number; readonly indent: number } | undefined {
  const head = /( *)([A-Za-z_$][\w$.-]*|"[^"\\\n]*"|'[^'\n]*'):[ \t\r]*(?:#[^\n]*)?\n/y;
  head.lastIndex = start;
  const found = head.exec(text);
  if (!found) return undefined;
  const below = /( *)(?=[^\s#-]|-\S)/y;
  below.lastIndex = afterBlanks(text, start + found[0].length);
  const indent = below.exec(text)?.[1]?.length ?? 0;
  if (indent <= found[1]!.length || below.lastIndex >= end) return undefined;
  const name = found[2]!.replace(/^(["'])(.*)\1$/s, "$2");
  return { name: { name, offset: start + found[1]!.length }, start: start + found[0].length, indent };
}
