import { expect, test } from "vitest";
import { csvOf } from "../../src/lib/csv.js";

const dangerous = ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"];
const formula = (sign: string): string => `${sign}cmd|' /C calc'!A0`;

/** The cells of RFC 4180. */
function cellsOf(csv: string): string[][] {
  const rows = csv.split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/).slice(0, -1);
  return rows.map((row) =>
    row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"(.*)"$/s, "$1").replaceAll('""', '"')),
  );
}
/** The cells in a spreadsheet that splits at these separators, and knows quotes only around a whole cell or not at all. */
const otherCells = (csv: string): string[] =>
  [";", ",", "\t", "|"].flatMap((separator) =>
    csv.split(/[\r\n]/).flatMap((row) => row.split(separator).flatMap((cell) => [cell, cell.replace(/^"+/, "")])),
  );

const places: readonly [where: string, textOf: (formula: string) => string][] = [
  ["at the start", (text) => text],
  ["after a semicolon", (text) => `a;${text}`],
  ["after a semicolon and quotes", (text) => `a";"${text}`],
  ["after a comma", (text) => `a,${text}`],
  ["after a tab", (text) => `a\t${text}`],
  ["after a line break", (text) => `a\n${text}`],
  ["after a carriage return", (text) => `a\r${text}`],
  ["in quotes", (text) => `"${text}"`],
  ["after two separators", (text) => `a;;${text}`],
];
for (const [where, textOf] of places)
  test(`a formula ${where} is text in a spreadsheet of any locale`, () => {
    const signs = dangerous.filter((sign) => where === "at the start" || /\S/.test(sign));
    const csv = csvOf(
      ["a", "b"],
      signs.map((sign) => ["x", textOf(formula(sign))]),
    );
    const cells = [...cellsOf(csv).flat(), ...otherCells(csv)];
    expect(cells.filter((cell) => /^[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([]);
  });

test("plain texts and numbers are the same after reading", () => {
  const texts = [
    "How do I install it?",
    "a, b; c",
    'a "quoted" word',
    "two\nlines",
    "x = y - 1",
    "7",
    "ada@acme.com",
    "",
  ];
  expect(
    cellsOf(
      csvOf(
        ["text", "count"],
        texts.map((text) => [text, -1]),
      ),
    ),
  ).toEqual([["text", "count"], ...texts.map((text) => [text, "-1"])]);
});
