import type { Element, ElementContent } from "hast";
import type { PhrasingContent, Table, TableCell, TableRow } from "mdast";
import { warningOf } from "../../../lib/diagnostic/index.js";
import { fill } from "../../../lib/language/index.js";
import { labelOf, splitName } from "../../components/index.js";
import { element, type Handler, pageOf, type State } from "../nodes.js";
import { locationOf, type PageRender } from "../page-render.js";

/** A Markdown table in a scrolling box, so that a wide table does not widen the page. */
export const table: Handler<Table> = (state, node) => {
  const [head, ...written] = node.children;
  const headed = head?.children.length ?? 0;
  const body = written.map((row) => joinCode(row, headed));
  const longest = body.reduce((most, row) => Math.max(most, filledCells(row)), headed);
  const columns = longest - headed <= maxExtraColumns ? longest : headed;
  const isComplete = mayComplete(pageOf(state), node, columns);
  reportLongRow(pageOf(state), written, body, headed, columns);
  const rows = (list: readonly TableRow[], cell: "th" | "td"): ElementContent[] =>
    list.map((row) =>
      tableRow(state, row, cell, isComplete ? columns : Math.min(columns, row.children.length), node.align),
    );
  const parts: ElementContent[] = [];
  if (head) parts.push(element("thead", {}, rows([head], "th")));
  if (body.length > 0) parts.push(element("tbody", {}, rows(body, "td")));
  return scrollBox(pageOf(state), element("table", {}, parts));
};

/** Rows may have up to this many cells more than the header. In longer ones, the bars are probably text. */
const maxExtraColumns = 8;

/** The number of cells up to the last one with content. */
const filledCells = ({ children }: TableRow): number => 1 + children.findLastIndex((cell) => cell.children.length > 0);

function tableRow(state: State, row: TableRow, tagName: "th" | "td", count: number, align: Table["align"]): Element {
  const children = Array.from({ length: count }, (_, column): Element => {
    const side = align?.[column];
    const content = row.children[column];
    const properties = side ? { className: [`align-${side}`] } : {};
    const inner = content ? state.all(content) : [];
    // An empty header cell is a plain cell.
    return element(inner.length > 0 ? tagName : "td", properties, inner);
  });
  return element("tr", {}, children);
}

/** Limit of empty cells added to a page: a header of 5,000 columns would need them in every short row. */
const addedCellLimit = 10_000;

/** Whether the missing cells of short rows can be added. */
function mayComplete(page: PageRender, node: Table, columns: number): boolean {
  const missing = node.children.reduce((sum, row) => sum + Math.max(0, columns - row.children.length), 0);
  if (page.collector.addedCells + missing <= addedCellLimit) {
    page.collector.addedCells += missing;
    return true;
  }
  page.collector.diagnostics.push({
    ...warningOf("TABLE_ROWS_TOO_SHORT"),
    what: `The table has ${columns} columns, and its rows lack ${missing} cells in total. At most ${addedCellLimit} empty cells are added to a page, so these rows stay short.`,
    location: locationOf(page, node),
    fix: "give the header row as many cells as the other rows, or split the table.",
  });
  return false;
}

/** Joins the parts of code that a bar has split, in a row with too many cells for that reason. */
function joinCode(row: TableRow, columns: number): TableRow {
  let surplus = row.children.length - columns;
  const cells: TableCell[] = [];
  for (let at = 0; at < row.children.length; at++) {
    let cell = row.children[at]!;
    for (let next = row.children[at + 1]; surplus > 0 && next; next = row.children[at + 1]) {
      const joined = joinedCell(cell, next);
      if (joined === undefined) break;
      cell = joined;
      at++;
      surplus--;
    }
    cells.push(cell);
  }
  return { ...row, children: cells };
}

/**
 * Joins two cells between which code was split, or text after `\\`, which programs write for a bar; undefined if the first
 * one does not end with an open code span or a backslash.
 */
function joinedCell(cell: TableCell, next: TableCell): TableCell | undefined {
  const last = cell.children.at(-1);
  if (last?.type === "text" && last.value.endsWith("\\")) {
    const spaced = (next.children[0]?.position?.start.offset ?? 0) > (next.position?.start.offset ?? 0) + 1;
    const text = { ...last, value: `${last.value.slice(0, -1)}|${spaced ? " " : ""}` };
    return { ...cell, position: next.position, children: [...cell.children.slice(0, -1), text, ...next.children] };
  }
  const open = last?.type === "text" ? /^([^`]*)(`+)([^`]*)$/.exec(last.value) : undefined;
  if (last?.type !== "text" || !open) return undefined;
  const [, words = "", signs = "", code = ""] = open;
  const { typed, rest, position } = typedText(next, signs);
  if (typed === "" && rest.length > 0) return undefined;
  const spaced = (cell.position?.end.offset ?? 0) > (last.position?.end.offset ?? 0);
  const text = `${code}${spaced ? " " : ""}|${typed}`;
  const end = text.indexOf(signs, code.length);
  const before = cell.children.slice(0, -1);
  const joined = { ...cell, position: next.position };
  // The code continues in the cell after the next.
  if (end < 0) return { ...joined, children: [...before, { ...last, value: words + signs + text, position }, ...rest] };
  const parts: PhrasingContent[] = [{ type: "inlineCode", value: text.slice(0, end).trim(), position: last.position }];
  if (words !== "") parts.unshift({ ...last, value: words });
  for (const [, code, plain] of text.slice(end + signs.length).matchAll(/`([^`]+)`|((?:[^`]|`(?![^`]+`))+)/g))
    parts.push(code === undefined ? { type: "text", value: plain!, position } : { type: "inlineCode", value: code });
  return { ...joined, children: [...before, ...parts, ...rest] };
}

/** The source of the text and code at the start of a cell (after its bar), and its end. */
function typedText({ children, position }: TableCell, signs: string) {
  const count = children.findIndex(({ type }) => type !== "text" && type !== "inlineCode");
  const nodes = count < 0 ? children : children.slice(0, count);
  const start = (position?.start.offset ?? 0) + 1;
  let typed = (nodes[0]?.position?.start.offset ?? start) > start ? " " : "";
  for (const node of nodes) {
    if (node.type === "text") typed += node.value;
    if (node.type !== "inlineCode") continue;
    const width = (node.position?.end.offset ?? 0) - (node.position?.start.offset ?? 0);
    // Markdown takes one space from both ends.
    const space = width - 2 * signs.length - node.value.length === 2 ? " " : "";
    typed += signs + space + node.value + space + signs;
  }
  const end = nodes.at(-1)?.position?.end ?? { line: 1, column: 1, offset: start };
  return { typed, rest: count < 0 ? [] : children.slice(count), position: { start: end, end } };
}

/** Reports the first row that is too long: often, a bar was intended as text. @param rows as they are shown. */
function reportLongRow(
  page: PageRender,
  written: readonly TableRow[],
  rows: readonly TableRow[],
  headed: number,
  columns: number,
): void {
  const long = rows.findIndex(({ children }) => children.length > headed);
  const at = long >= 0 ? long : written.findIndex(({ children }) => children.length > headed);
  const row = written[at];
  if (!row) return;
  const outcome =
    long < 0
      ? "a | split a cell, which is shown as one cell again"
      : filledCells(rows[long]!) > columns
        ? "the extra cells are not shown"
        : "the extra cells are in columns without a heading";
  page.collector.diagnostics.push({
    ...warningOf("TABLE_ROW_TOO_LONG"),
    what: `The row has ${row.children.length} cells, but its table has ${headed} column${headed === 1 ? "" : "s"}; ${outcome}.`,
    location: locationOf(page, row.children[headed]!),
    fix: "write \\| for a literal |, or add cells to the header row.",
  });
}

/**
 * A box that readers can scroll by keyboard, with a name that is unique on the page.
 *
 * @param isFixed whether to leave the table as it is, because the script of a live component expects exactly its HTML.
 */
export function scrollBox(page: PageRender, tableElement: Element, isFixed = false): Element {
  page.collector.tableCount += 1;
  const head = shortened(headingsOf(tableElement).join(", "));
  const name = fill(page.context.messages.table, page.collector.tableCount);
  const label = head === "" ? name : `${name}: ${head}`;
  const properties = {
    className: ["table-scroll", ...(isFixed ? [] : weighColumns(tableElement))],
    role: "region",
    tabIndex: 0,
    ariaLabel: label,
  };
  return element("div", properties, [tableElement]);
}

/** Longest accessible name, in UTF-16 code units. */
const nameLimit = 120;
const shortened = (text: string): string =>
  text.length > nameLimit ? `${text.slice(0, nameLimit - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;

function headingsOf(element: Element): string[] {
  if (element.tagName === "th") return [labelOf(element.children)].filter((text) => text !== "");
  return element.children.flatMap((child) =>
    child.type === "element" && /^(?:thead|tbody|tr|th)$/.test(child.tagName) ? headingsOf(child) : [],
  );
}

/** Width of a letter in a table and of a cell's padding, in CSS pixels, as in the style sheet. */
const letter = 7.6;
const cellPadding = 28;
/** Width of the text column in a window of 1280 pixels, less a tenth for wider letters. */
const room = 560;
/** Least width of a column of sentences (`.column-prose`) and of one of phrases (`.column-phrase`). */
const least = { prose: 176, phrase: 112 } as const;

interface Column {
  /** In UTF-16 code units: the longest cell, and the longest part of a cell that does not break. */
  readonly longest: number;
  readonly word: number;
}

/**
 * Adjusts the columns of a table to their content: long names may break at their joints, and columns of sentences get a
 * least width. A table that needs more than the text column gets the class `table-wide`, which uses the margins.
 */
function weighColumns(table: Element): readonly string[] {
  const rows = rowsOf(table);
  if (rows.some((row) => row.some(({ properties }) => properties["colSpan"] ?? properties["rowSpan"]))) return [];
  const columns: Column[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const { longest, word } = columns[at] ?? { longest: 0, word: 0 };
      const cellColumn = breakNames(cell);
      columns[at] = { longest: Math.max(longest, cellColumn.longest), word: Math.max(word, cellColumn.word) };
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
const rowsOf = ({ children }: Element): Element[][] =>
  children.flatMap((child) => {
    if (child.type !== "element") return [];
    if (/^(?:thead|tbody|tfoot)$/.test(child.tagName)) return rowsOf(child);
    if (child.tagName !== "tr") return [];
    return [child.children.filter((cell) => cell.type === "element" && /^t[hd]$/.test(cell.tagName)) as Element[]];
  });

/** Inserts `wbr` elements into long words inside the element. */
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
      for (const part of parts) for (const { length } of part.split(/\s+/)) word = Math.max(word, length);
      children.push(...joined(parts));
      continue;
    }
    children.push(child);
  }
  parent.children = children;
  return { longest, word };
}

/** Joins the parts, with a `wbr` before each one that does not begin a word. */
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
/** Splits a part without a joint, such as a checksum. */
const longPart = /.{1,16}/gsu;

/** Splits a long word at its joints: after punctuation, before a slash, before a capital letter. */
const partsOf = (word: string): string[] =>
  word.trimEnd().length <= longName
    ? [word]
    : splitName(word).flatMap((part) => (part.length > 24 ? (part.match(longPart) ?? []) : [part]));
