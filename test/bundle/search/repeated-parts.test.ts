/** What pages of an index repeat is in a file once. */
import assert from "node:assert/strict";
import { test } from "vitest";
import type { PagePart } from "../../../src/bundle/search/index-format.js";
import { withoutRepeatedParts, withRepeatedParts } from "../../../src/bundle/search/index-format.js";
import { indexOf, openIndex, page, sections } from "./index-of.js";

const text = "The name of the account, as people see it, with up to 80 letters.";
const entry = (href: string, ...parts: readonly unknown[]) => [
  href,
  "Title",
  ["Group"],
  "GET",
  ["", "", "Start"],
  ...parts,
];
const entries = [
  entry(
    "a.html",
    ["name", "name", text],
    ["body-name", "name", text],
    ["code", "code", text, "x = 1"],
    ["id", "id", "1"],
  ),
  entry("b.html", ["name", "name", text], ["code", "code", text, "x = 2"], ["id", "id", "1"], ["name", "", text]),
];
const written = JSON.parse(
  `[${new TextDecoder().decode(withoutRepeatedParts(new TextEncoder().encode(JSON.stringify(entries).slice(1, -1))))}]`,
) as (readonly unknown[])[];

test("a part and a text are written once in a file", () => {
  assert.deepEqual(written[0]!.slice(4), [
    ["", "", "Start"],
    ["name", "name", text],
    ["body-name", "name", 1],
    ["code", "code", 1, "x = 1"],
    ["id", "id", "1"],
  ]);
  assert.deepEqual(written[1]!.slice(4), [0, 1, ["code", "code", 1, "x = 2"], 4, ["name", "", 1]]);
});

test("a reader has each part of each page", () => {
  const read = withRepeatedParts(written);
  assert.deepEqual(read, entries);
  assert.notEqual(read[0]![5], read[1]![5], "one object for parts of two pages");
});

test("a long page is in several files, and a query reads only the one with its part", async () => {
  const many = Array.from({ length: 20 }, (_, i) => [`Part ${i}`, `word${i} other `.repeat(500).trim()] as const);
  const files = await indexOf([page("Before"), page("Long", { sections: sections("First.", ...many) }), page("After")]);
  assert.ok([...files.keys()].filter((path) => /\/s\d+\./.test(path)).length > 3);
  const index = await openIndex(files);
  const [, title, , , ...parts] = await index.page(1);
  assert.equal(title, "Long");
  assert.deepEqual(
    parts.map(([, heading]) => heading),
    ["", ...many.map(([heading]) => heading)],
  );
  assert.equal((await index.page(2))[1], "After");
  const { page: found, part } = await index.part(index.firstOf[1]! + 9);
  assert.deepEqual([found[1], part[1], part[2]], ["Long", ...many[8]!]);
});

test("pages of a reference share larger files than others", async () => {
  /** Text in a file on average, in UTF-16 code units. */
  const textAFile = async (words: number): Promise<number> => {
    const fields = Array.from({ length: 30 }, (_, i) => [`field ${i}`, `word${i} `.repeat(words).trim()] as const);
    const pages = Array.from({ length: 40 }, (_, i) => page(`P ${i}`, { sections: sections("", ...fields) }));
    const files = await indexOf(pages);
    const last = (await (await openIndex(files)).page(39)) as readonly unknown[];
    const texts = last.slice(5).map((part) => (part as PagePart)[2]);
    assert.deepEqual(
      texts,
      fields.map(([, each]) => each),
    );
    const count = [...files.keys()].filter((path) => /\/s\d+\./.test(path)).length;
    return (40 * texts.join("").length) / count;
  };
  assert.ok((await textAFile(20)) > 40_000);
  assert.ok((await textAFile(100)) < 40_000);
});
