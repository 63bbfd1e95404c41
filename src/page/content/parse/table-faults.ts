/** Tables that are shown as text, and text that is shown in a table. */
import type { Nodes, Table, TableRow } from "mdast";
import { checkForeignMarks } from "./foreign-marks.js";
import { checkMarks, nonText, type Prose, type Report } from "./mark-faults.js";

const cellsOf = (line: string): number =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|").length;
/** Also with wrong signs between the dashes. */
const anyDelimiters = /^[\s>]*\|(?=[^-]*--)[-:+|\s]+\|\s*$|^[\s>]*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;
const delimiterRow = /^[\s>]*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;

/**
 * Rows between bars, without a second line of dashes that has as many cells.
 * @param follows after a table and a blank line
 * @param precedes directly before a table
 */
export function checkTable({ text, start }: Prose, follows: boolean, precedes: boolean, report: Report): boolean {
  const rows = text.split("\n");
  const frame = rows.findIndex((row) => /^[ \t>]*\+[-=]{2,}(?:\+[-=]{2,})+\+[ \t]*$/.test(row));
  const offsetOf = (row: number): number => start + rows.slice(0, row).join("\n").length + (row > 0 ? 1 : 0);
  const warn = (row: number, what: string, fix: string): true => {
    const at = offsetOf(row);
    report({ code: "TABLE_AS_TEXT", what, fix, start: at, end: at + rows[row]!.length });
    return true;
  };
  if (frame >= 0)
    return warn(
      frame,
      "The table is shown as text: its lines are made of + signs.",
      "write | --- | between the header and the rows, and no other lines.",
    );
  if (rows.length === 1 && isRow(text)) {
    if (follows)
      return warn(
        0,
        "The row is shown as text: a blank line separates it from its table.",
        "remove the blank line before it.",
      );
    if (precedes)
      return warn(
        0,
        "The row is shown as text: the delimiter row (---) is not the second line of its table.",
        "move the delimiter row up, so that it follows this line.",
      );
  }
  if (rows.length === 1 && delimiterRow.test(text) && text.trim().startsWith("|"))
    return warn(
      0,
      "The table is shown as text: there is a blank line before or after its delimiter row.",
      "remove the blank lines between the rows.",
    );
  const tabsIn = (row: string): number => row.trimEnd().split("\t").length;
  const tabs = tabsIn(rows[0]!);
  if (tabs > 1 && rows.length > 2 && rows.every((row) => /^[^\s|]/.test(row) && tabsIn(row) === tabs))
    return warn(
      0,
      "The table is shown as one paragraph: tabs separate its cells.",
      `write | between the cells, and |${" --- |".repeat(tabs)} after the first line.`,
    );
  if (rows.length > 1 && rows.every((row) => /^\s*｜.*｜\s*$/.test(row)))
    return warn(
      0,
      "The table is shown as text: its bars are full-width characters.",
      `write ${rows[0]!.trim().replaceAll("｜", "|")}, and change the other rows in the same way.`,
    );
  const first = rows.findIndex(
    (row, index) => isRow(row) && (isRow(rows[index + 1] ?? "") || anyDelimiters.test(rows[index + 1] ?? "")),
  );
  if (first < 0) return false;
  const at = offsetOf(first);
  const header = rows[first]!;
  // Headers of Jira have two bars.
  const isDouble = /^\s*\|\|.*\|\|\s*$/.test(header);
  const cells = cellsOf(isDouble ? header.replaceAll("||", "|") : header);
  const delimiters = `|${" --- |".repeat(cells)}`;
  const [sign] = /^[\s>|=:—–]*$/.test(rows[first + 1]!) ? (/==|[—–]/.exec(rows[first + 1]!) ?? []) : [];
  const isMismatch = anyDelimiters.test(rows[first + 1]!) || sign !== undefined;
  const dashes = cellsOf(rows[first + 1]!);
  const second = at + header.length + 1;
  const prefix = /^[ \t>]*/.exec(rows[first + 1]!)![0];
  report({
    code: "TABLE_AS_TEXT",
    what: isMismatch
      ? `The table is shown as text: ${cells === dashes ? `its delimiter row contains ${sign ? `${sign[0]} in place of -` : "an unusual space character"}` : `its header row has ${cells} cells, but the delimiter row has ${dashes}`}.`
      : "The table is shown as text: it has no delimiter row (---) after its header.",
    fix: `write ${isDouble ? "| between the header's cells, and " : ""}${delimiters} ${isMismatch ? "as" : "before"} the second line.`,
    start: at,
    end: at + header.length,
    edits: [
      isMismatch
        ? { start: second, end: second + rows[first + 1]!.length, replacement: prefix + delimiters, certain: true }
        : { start: second, end: second, replacement: `${prefix}${delimiters}\n`, certain: true },
    ],
  });
  return true;
}

const isRow = (line: string): boolean => /^[\s>]*\|.*\|\s*$/.test(line) && cellsOf(line) > 1;

/** A bar within code ends the cell: two cells have half of the code each, and `TABLE_ROW` says so. */
export function checkRow(
  row: TableRow,
  table: Table,
  source: string,
  proseOf: (cell: Nodes) => Prose,
  report: Report,
): void {
  const [start, end] = [row.position!.start.offset!, row.position!.end.offset!];
  const [header] = table.children;
  const typed = source.slice(start, end);
  const bars = typed.replace(/\\\|/g, "").indexOf("|");
  // The first cell of every other row begins with a bar.
  const isCut =
    bars > 0 && row.children.length < header!.children.length && source[header!.position!.start.offset!] === "|";
  if (
    row !== header &&
    header!.children.length > 1 &&
    (bars < 0 || isCut) &&
    typed.trim() !== "" &&
    !typed.includes("$$")
  )
    report({
      code: "PARAGRAPH_AS_ROW",
      what: isCut
        ? "A line break splits a row of the table in two: the second one does not start with |."
        : "The text is shown as a row of the table, because it directly follows the table.",
      fix: isCut ? "write <br /> instead of the line break." : "put a blank line before it.",
      start,
      end,
      ...(isCut ? {} : { edits: [{ start, end: start, replacement: "\n", certain: true }] }),
    });
  const hasItem = /^[\s|]*[-*+•] \S/.test(typed);
  const item =
    row === table.children.at(-1) &&
    (hasItem || !/\|[ \t]*$/.test(typed)) &&
    /^\r?\n[ \t]*([-*+]|\d+[.)])[ \t][^\n]*?(\|?)[ \t\r]*(?:\n|$)/.exec(source.slice(end, end + 1000));
  if (item && (hasItem || item[2]))
    report({
      code: "PARAGRAPH_AS_ROW",
      what: "A line break splits a row of the table in two: the second one is shown as a list.",
      fix: "write <br /> instead of the line break.",
      start: end + item[0].indexOf(item[1]!),
      end: end + item[0].trimEnd().length,
    });
  const cells = row.children.map(proseOf);
  const hasCutCode = cells.filter(({ text }) => text.includes("`")).length > 1;
  // In quotes, it is the text of a program.
  const newLine = /\\n(?=\\n|[-•] )/.exec(typed.replace(/"[^"\n]*"|'[^'\n]*'/g, nonText));
  if (newLine && cells.some(({ text }) => text.includes("\\n")))
    report({
      code: "MARK_AS_TEXT",
      what: "\\n is shown as text: it breaks no line.",
      fix: "write <br />.",
      start: start + newLine.index + newLine[0].indexOf("\\"),
      end: start + newLine.index + newLine[0].length,
    });
  for (const cell of cells) {
    checkForeignMarks(cell, source, report);
    checkMarks(hasCutCode ? { ...cell, text: cell.text.replaceAll("`", nonText) } : cell, source, report);
  }
}
