import type { Element, ElementContent } from "hast";
import { splitName } from "../../components/index.js";
import { element } from "../nodes.js";

/** Widths in CSS pixels, as the style sheet has them: of a letter in a table, and around a cell's text. */
const letter = 7.6;
const cellPadding = 28;
/** The text column of a window of 1280 pixels, with a tenth for letters that are wider. */
const room = 560;
/** Least width of a column of sentences, and of one of a few words, as in `.column-prose` and `.column-phrase`. */
const least = { prose: 176, phrase: 112 } as const;

interface Column {
  /** In UTF-16 code units: the longest cell, and the longest part of it that does not break. */
  readonly longest: number;
  readonly word: number;
}

/**
 * Gives the columns of a table room by their content: long names may break at their joints, and columns of sentences have
 * a least width. Tables that need more than the text column get the class `table-wide`, for which there are margins.
 */
export function weighColumns(table: Element): readonly string[] {
  const rows = rowsOf(table);
  if (rows.some((row) => row.some(({ properties }) => properties["colSpan"] ?? properties["rowSpan"]))) return [];
  const columns: Column[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const { longest, word } = columns[at] ?? { longest: 0, word: 0 };
      const own = breakNames(cell);
      columns[at] = { longest: Math.max(longest, own.longest), word: Math.max(word, own.word) };
    }
  const kinds = columns.map(({ longest }) => (longest > 60 ? "prose" : longest > 24 ? "phrase" : undefined));
  const widthOf = (keepsPhrases: boolean): number =>
    columns.reduce((sum, { word }, at) => {
      const kind = kinds[at];
      const min = kind === undefined || (kind === "phrase" && !keepsPhrases) ? 0 : least[kind];
      return sum + Math.max(min, word * letter + cellPadding);
    }, 0);
  const keepsPhrases = widthOf(true) <= room;
  for (const [at, head] of (rows[0] ?? []).entries()) {
    const kind = kinds[at];
    if (columns.length > 1 && kind !== undefined && (kind === "prose" || keepsPhrases))
      addClass(head, `column-${kind}`);
  }
  return widthOf(true) > room ? ["table-wide"] : [];
}

function addClass({ properties }: Element, name: string): void {
  const { className } = properties;
  properties["className"] = [...(Array.isArray(className) ? className : []), name];
}

/** Rows of this table, not of tables in its cells. */
function rowsOf({ children }: Element): Element[][] {
  return children.flatMap((child) => {
    if (child.type !== "element") return [];
    if (/^(?:thead|tbody|tfoot)$/.test(child.tagName)) return rowsOf(child);
    if (child.tagName !== "tr") return [];
    return [child.children.filter((cell) => cell.type === "element" && /^t[hd]$/.test(cell.tagName)) as Element[]];
  });
}

/** Inserts opportunities to break long words below the element. */
function breakNames(parent: Element): Column {
  let [longest, word] = [0, 0];
  const children: ElementContent[] = [];
  for (const child of parent.children) {
    if (child.type === "element" && !/^(?:pre|svg|script|style|table)$/.test(child.tagName)) {
      const inner = breakNames(child);
      longest += inner.longest;
      word = Math.max(word, inner.word);
    } else if (child.type === "text") {
      const parts =
        child.value.length <= longName ? [child.value] : child.value.split(/(?<=\s)(?=\S)/).flatMap(partsOf);
      longest += child.value.length;
      for (const part of parts) for (const each of part.split(/\s+/)) word = Math.max(word, each.length);
      children.push(...joined(parts));
      continue;
    }
    children.push(child);
  }
  parent.children = children;
  return { longest, word };
}

/** Text with a break before each part that does not begin a word. */
function joined(parts: readonly string[]): ElementContent[] {
  const out: ElementContent[] = [];
  let text = "";
  for (const part of parts) {
    if (text !== "" && !/\s$/.test(text)) {
      out.push({ type: "text", value: text }, element("wbr", {}, []));
      text = "";
    }
    text += part;
  }
  return text === "" ? out : [...out, { type: "text", value: text }];
}

/** Names of up to this many letters stay whole. */
const longName = 20;
/** Longest part without a joint, such as a checksum. */
const longPart = /.{1,16}/gsu;

/** Splits a long word at its joints: after punctuation, before a slash, before a capital letter. */
const partsOf = (word: string): string[] =>
  word.trimEnd().length <= longName
    ? [word]
    : splitName(word).flatMap((part) => (part.length > 24 ? (part.match(longPart) ?? []) : [part]));
