/** A record is kept from one export to the next: it must not depend on other pages, and give the index of a new one. */
import assert from "node:assert/strict";
import { describe, test, vi } from "vitest";
import { createRecordReader, createRecordWriter, type SearchPage } from "../../../src/bundle/search/search-record.js";
import { createTermTable } from "../../../src/bundle/search/term-table.js";
import { indexOf, indexOfRecords, page, sections } from "./index-of.js";

const shared = ["Errors", "What went wrong, and where it did so."] as const;
const pages: readonly SearchPage[] = Array.from({ length: 90 }, (_, n) =>
  page(`Page ${n}`, {
    keywords: [`key${n}`, "größe"],
    description: "A page about tokens",
    boost: 1 + (n % 3),
    sections: sections(`Über api_key${n % 7} and 検索エンジン`, shared, [`Own ${n}`, "said once", `run${n}()`]),
  }),
);
const large = page("Large", {
  sections: sections(Array.from({ length: 20_000 }, (_, n) => `word${n} word${n % 300}`).join(" ")),
});
const fresh = (each: SearchPage): Uint8Array => createRecordWriter()(each).slice();

describe("a record of the search", () => {
  test("is the same whatever pages came before", () => {
    const write = createRecordWriter();
    for (const each of [...pages, large, ...pages])
      assert.deepEqual(Buffer.from(write(each)), Buffer.from(fresh(each)));
  });

  test("has the words of its page", () => {
    const table = createTermTable();
    const { entry, words } = createRecordReader(table)(fresh(pages[3]!));
    assert.equal((JSON.parse(Buffer.from(entry).toString()) as unknown[])[1], "Page 3");
    const terms = table.terms();
    const inLast = [...words.postings.subarray(0, words.count).entries()].filter(([, posting]) => posting >>> 7 === 2);
    assert.deepEqual(
      inLast.map(([at]) => terms[words.terms[at]!]),
      ["own", "3", "said", "once", "run3"],
    );
    for (const term of ["uber", "api_key3", "検索", "grosse", "key3", "tokens"]) assert.ok(terms.includes(term), term);
  });

  test("gives the same index from the cache of an earlier export", async () => {
    const all = [...pages, large];
    const kept = all.map(fresh);
    const products = all.map(() => 0);
    const order = [...all.keys()].reverse();
    const expected = await indexOf(all);
    const ofKept = await indexOfRecords(products, order, (at) => () => kept[at]!);
    const ofBoth = await indexOfRecords(products, order, (at) => (at % 5 === 0 ? kept[at]! : () => kept[at]!));
    assert.deepEqual(ofKept, expected);
    assert.deepEqual(ofBoth, expected);
  });
});

test("a table of terms that an earlier export stored accepts more terms, without a warning from Node", () => {
  const first = createTermTable();
  const kept = ["alpha", "größe", "beta"].map((term) => first.numberOf(term));
  const bytes = Buffer.from(new Uint8Array(first.dump()).buffer);
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  try {
    const table = createTermTable({ size: first.size, bytes });
    assert.deepEqual(
      ["alpha", "größe", "beta", "gamma"].map((term) => table.numberOf(term)),
      [...kept, 3],
    );
    assert.deepEqual(table.terms(), ["alpha", "größe", "beta", "gamma"]);
    assert.deepEqual(warn.mock.calls, []);
  } finally {
    warn.mockRestore();
  }
});
