/** Lists that are shown as text, and lists that end where none should. */
import type { Code, List, Nodes } from "mdast";
import { hiddenText, type Prose, type Report } from "./mark-faults.js";

/** `- []`, `- [x]done` and `[ ] open`: a task needs one sign between its brackets, a space behind them, and a `-` before. */
export function checkTask({ text, start }: Prose, isItem: boolean, report: Report): void {
  const match = isItem
    ? /^\[(?: ?([xX]?) ?|[-~])\](?:(?=[\p{L}\p{N}])|(?<=\[(?:| [xX]| ?[xX] |[-~])\]) (?=\S))/u.exec(text)
    : /^\[([ xX]?)\] (?=[\p{L}\p{N}])/u.exec(text);
  if (!match) return;
  const mark = `${isItem ? "" : "- "}[${match[1]?.trim() || " "}]`;
  report({
    code: "LIST_AS_TEXT",
    what: `"${match[0].trim()}" is shown as text, not as a checkbox.`,
    fix: `write ${mark} followed by a space${isItem ? "" : ", and change the other lines in the same way"}.`,
    start,
    end: start + match[0].trim().length,
    ...(isItem && { edits: [{ start, end: start + match[0].length, replacement: `${mark} `, certain: true }] }),
  });
}

const sign = String.raw`-(?![rwx-]{9})(?=\p{L}\p{L})|\*(?=\p{L}[^*\n]*(?:\n|$))|[-*]\u00a0|[•◦▪‣·–—→✓✔✅☑❌✗§\uf0b7]\ufe0f?[ \t]*|o\t|#\.[ \t]|[-+*](?=\[[ xX]\] )|[－＊＋・●○■□◆◇][ \t\u3000]*(?=\S)|[\d０-９]{1,2}[．、）](?=\S)|[٠-٩۰-۹]{1,2}[.)-][ \t]|\d{1,2}[.)](?=[\p{L}\u00a0])|\(\d{1,2}\)[ \t]|\d{1,2}[-:][ \t](?=\p{L})`;
/** Two lines that begin with the sign of an item which Markdown does not know. A line break says that no list was meant. */
const lostItems = new RegExp(
  String.raw`(?:^|\n)([ \t>]*)(${sign})(.*)(?<!\uFFFC|\uFFFC[/>])\n[ \t>]*(?:${sign})|(?:^|\n)([ \t>]*)(\(?[ai][.)][ \t])(.*)\n[ \t>]*\(?(?:b|ii)[.)][ \t]`,
  "u",
);

/** Lines like `-one`, `• one`, and a list that begins with another number than 1 within a paragraph. */
export function checkList({ text, start }: Prose, source: string, report: Report): void {
  const match = lostItems.exec(text) ?? /^()([-*]\u00a0(?=[\p{L}[])|[-+*](?=\[[ xX]\] ))(.*)$/u.exec(text);
  if (match) {
    const [indent, typed, rest] =
      match[1] === undefined ? [match[4]!, match[5]!, match[6]!] : [match[1], match[2]!, match[3]!];
    // An enumeration within a sentence.
    if (typed.startsWith("(") && /(?:\b(?:and|or)|[,;])\s*$/.test(rest)) return;
    const at = start + match.index + (match[0].startsWith("\n") ? 1 : 0) + indent.length;
    const mark = /[\p{Nd}ai#]/u.test(typed) ? `${/\d+/.exec(typed.normalize("NFKC"))?.[0] ?? 1}.` : "-";
    const item = source
      .slice(at + typed.length, at + typed.length + rest.length)
      .replace(hiddenText, "…")
      .trim()
      .replace(/^(.{40,60}) .*$/s, "$1 …");
    const what = `The list is shown as one paragraph: ${quotedMark(typed)} does not start a list item.`;
    const fix = `write ${mark} ${item}, and change the other items in the same way.`;
    report({ code: "LIST_AS_TEXT", what, fix, start: at, end: at + typed.length + rest.length });
    return;
  }
  const numbered = /\n([ \t>]*)(\d{1,3})([.)])[ \t]+\S.*\n[ \t>]*(\d{1,3})\3[ \t]+\S/.exec(text);
  if (!numbered || Number(numbered[4]) !== Number(numbered[2]) + 1) return;
  const line = start + numbered.index + 1;
  const at = line + numbered[1]!.length;
  report({
    code: "LIST_AS_TEXT",
    what: `The list is shown as one paragraph: only a list that starts with 1 can directly follow a line of text.`,
    fix: "put a blank line before it.",
    start: at,
    end: at + numbered[2]!.length + 1,
    edits: [{ start: line, end: line, replacement: "\n", certain: at === line }],
  });
}

/**
 * What is indented below an item, but by less than its text, ends the list: items with signs directly below an item with a
 * number, and code.
 */
export function checkNesting(node: List | Code, before: Nodes | undefined, source: string, report: Report): void {
  if (before?.type !== "list" || (node.type === "list" && (node.ordered || !before.ordered))) return;
  const { start, end } = node.position!;
  const text = before.children.at(-1)?.children[0]?.position?.start;
  const column = columnAt(source, start);
  const indent = column - columnAt(source, before.position!.start);
  const isNext = start.line === before.position!.end.line + 1 || node.type === "code";
  if (text === undefined || indent < 1 || !isNext) return;
  const lack = columnAt(source, text) - column;
  if (lack < 1) return;
  const lines = source.slice(start.offset, end.offset).split("\n");
  let at = start.offset! - start.column + 1;
  // A tab can take up the spaces before it.
  const certain = !/^ *\t/m.test(source.slice(at, end.offset));
  const edits = lines.map((line, i) => {
    const place = at;
    at += line.length + 1 + (i === 0 ? start.column - 1 : 0);
    return { start: place, end: place, replacement: " ".repeat(lack), certain };
  });
  report({
    code: "LIST_NOT_NESTED",
    what: `The ${node.type} is not part of the item above it, and ends the ${before.ordered ? "numbered " : ""}list: its indent is ${indent}, but the text of that item starts at ${indent + lack}.`,
    fix: `indent its ${node.type === "list" ? "items" : "lines"} with ${indent + lack} spaces.`,
    start: start.offset!,
    end: start.offset! + lines[0]!.trimEnd().length,
    edits: edits.filter((_, i) => lines[i]!.trim() !== ""),
  });
}

/** The column of a place, from 1. A tab ends at the next multiple of four. */
function columnAt(source: string, { offset = 0, column }: NonNullable<Nodes["position"]>["start"]): number {
  let at = 0;
  for (const sign of source.slice(offset - column + 1, offset)) at = sign === "\t" ? at - (at % 4) + 4 : at + 1;
  return at + 1;
}

/** Steps of one item each that are all number 1, since the code between them is not indented. */
export function checkRestart(list: List, [code, next]: readonly Nodes[], report: Report): void {
  if (code?.type !== "code" || next?.type !== "list" || !list.ordered || !next.ordered) return;
  if (list.children.length !== 1 || list.start !== 1 || next.start !== 1) return;
  // `checkNesting` reports code that is indented too little.
  if (code.position!.start.column > list.position!.start.column) return;
  const indent = list.children[0]!.children[0]?.position?.start.column ?? 4;
  const start = next.position!.start.offset!;
  report({
    code: "LIST_NOT_NESTED",
    what: "The numbers of the list start at 1 again: the code above is not indented, so it ends the list.",
    fix: `indent the code, with its fences, by ${indent - list.position!.start.column} spaces.`,
    start,
    end: start + 2,
    related: {
      start: code.position!.start.offset!,
      end: code.position!.start.offset! + 3,
      what: "this code ends the list",
    },
  });
}

const quotedMark = (mark: string): string =>
  `"${mark.trim()}"${/^-$|^\d+[.)]|\u00a0/.test(mark) ? " without a space" : ""}`;
