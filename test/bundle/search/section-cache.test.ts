/** Sections that several pages hold are read once; what pages say must not show it. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createRecordReader, createRecordWriter, type SearchPage } from "../../../src/bundle/search/search-record.js";
import { createTermTable } from "../../../src/bundle/search/term-table.js";
import { page, sections } from "./index-of.js";

const shared = [
  "message",
  'What went wrong, for people: "quoted", [bracketed] and `coded`. '.repeat(3),
  "x = [1]",
] as const;
const other = ["message", shared[1].replace("went", "want"), shared[2]] as const;

/** `term: entry/weight` of each posting of each page. */
function said(pages: readonly SearchPage[], isFresh: boolean): string[][] {
  let write = createRecordWriter();
  return pages.map((each) => {
    if (isFresh) write = createRecordWriter();
    const table = createTermTable();
    const { words } = createRecordReader(table)(write(each));
    const terms = table.terms();
    return Array.from({ length: words.count }, (_, i) => {
      const posting = words.postings[i]!;
      return `${terms[words.terms[i]!]}: ${posting >>> 7}/${posting & 127}`;
    });
  });
}

const cases: readonly (readonly [rule: string, pages: readonly SearchPage[]])[] = [
  ["wherever they stand", [1, 2, 3, 4].map((n) => page(`P ${n}`, { sections: sections("", ...ofNumber(n)) }))],
  [
    "on pages of different boost",
    [1, 2, 1, 2, 1, 1].map((boost) => page("P", { boost, sections: sections("", shared, shared) })),
  ],
  [
    "beside others that differ in one letter",
    [shared, other, shared, other, shared, other].map((each) => page("P", { sections: sections("a", each, each) })),
  ],
  ["where they are empty", [1, 2, 3].map(() => page("P", { sections: sections("", ["", ""], ["", ""]) }))],
];
function ofNumber(n: number) {
  return [
    ...Array.from({ length: n }, (_, i) => [`Own ${n} ${i}`, "Said here alone."] as const),
    shared,
    ["End", `${n}`] as const,
  ];
}

describe("repeated sections have the same postings", () => {
  for (const [rule, pages] of cases) test(rule, () => assert.deepEqual(said(pages, false), said(pages, true)));

  test("with more sections than the cache holds", () => {
    const many = Array.from({ length: 650 }, (_, n) => [`F ${n}`, `word${n} ${"- ".repeat(7000)}`] as const);
    const pages = [0, 1, 2].map(() => page("P", { sections: sections("", ...many) }));
    assert.deepEqual(said(pages, false), said(pages, true));
  });
});
