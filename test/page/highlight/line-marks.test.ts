import assert from "node:assert/strict";
import { test } from "vitest";
import { readMarks } from "../../../src/page/highlight/fence-options.js";

const cases = [
  // readMarks …                                   code                                              lines            marks
  ["leaves unmarked code alone", "a\nb", ["a", "b"], {}],
  ["marks a line as added", "a\nb // [!code ++]", ["a", "b"], { 1: ["add"] }],
  ["marks a line as removed", "b # [!code --]\na", ["b", "a"], { 0: ["remove"] }],
  ["reads a comment of SQL", "select 1 -- [!code highlight]", ["select 1"], { 0: ["highlight"] }],
  ["reads a comment of CSS", "a {} /* [!code focus] */", ["a {}"], { 0: ["focus"] }],
  ["reads a comment of HTML", "<p> <!-- [!code error] -->", ["<p>"], { 0: ["error"] }],
  ["reads a comment of JSX", "<p> {/* [!code warning] */}", ["<p>"], { 0: ["warning"] }],
  ["reads a mark without comment signs", "plain [!code hl]", ["plain"], { 0: ["highlight"] }],
  ["marks several lines", "a // [!code ++:2]\nb\nc", ["a", "b", "c"], { 0: ["add"], 1: ["add"] }],
  ["marks what follows a lone comment", "// [!code focus:2]\na\nb", ["a", "b"], { 0: ["focus"], 1: ["focus"] }],
  ["reads two marks on one line", "a // [!code ++] // [!code focus]", ["a"], { 0: ["focus", "add"] }],
  ["removes unknown marks", "a // [!code word:x]", ["a"], {}],
  ["keeps indentation", "  a // [!code ++]", ["  a"], { 0: ["add"] }],
  ["shows an escaped mark", "a // [\\!code ++]", ["a // [!code ++]"], {}],
  ["leaves a mark in the middle of a line", `say("[!code ++]")`, [`say("[!code ++]")`], {}],
] as const;

for (const [rule, code, lines, marks] of cases) {
  test(`readMarks ${rule}`, () => {
    const read = readMarks(code, { highlight: [], focus: [] });
    assert.deepEqual(read.lines, lines);
    assert.deepEqual(Object.fromEntries([...read.marks].map(([line, own]) => [line, [...own]])), marks);
  });
}

test("readMarks adds the ranges of the fence, counted without lone comments", () => {
  const { marks } = readMarks("// [!code ++]\na\nb", { highlight: [[2, 9]], focus: [] });
  assert.deepEqual([...marks.get(1)!], ["highlight"]);
});
