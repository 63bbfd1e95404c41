/** What only shows in an index of many pages: files that are full, postings that wait on disk, prefixes of words. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { NumberReader } from "../../../src/bundle/search/codec.js";
import { search } from "../../../src/bundle/search/engine/engine.js";
import { createIndexOpener, type IndexFiles } from "../../../src/bundle/search/engine/index-files.js";
import { createPostingLists, type TermOrder } from "../../../src/bundle/search/posting-lists.js";
import { dataIn, type IndexText, indexOf, loaderOf, openIndex, page, sections, titlesOf } from "./index-of.js";

/** A seeded generator: the same numbers on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const next = numbers(7);
const syllables = "con pro in ter com re de ment tion al ser ver lo gic na vi gate".split(" ");
const word = (): string => Array.from({ length: 2 + next(3) }, () => syllables[next(syllables.length)]).join("");
const sentence = (length: number): string => Array.from({ length }, word).join(" ");
const pages = Array.from({ length: 1500 }, (_, i) =>
  page(`Page ${i} ${word()}`, {
    href: `page-${i}.html`,
    sections: sections(`the common start ${sentence(40)}`, [`Part ${word()}`, `the ${sentence(60)}`]),
  }),
);
const files = await indexOf(pages);
const open = createIndexOpener(loaderOf((path) => files.get(path)));

/** All of an answer that can be compared. */
const answer = async (index: IndexFiles, query: string) => {
  const { hits, marks } = await search([index], query);
  return { hits: hits.map(({ read, ...hit }) => ({ ...hit, isRead: read === undefined })), marks };
};

describe("a large index", () => {
  test("is searched in slices that leave the page responsive, with the same results", async () => {
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      return new Promise((resolve) => void setImmediate(resolve));
    };
    const index = await open("0");
    const paused = await createIndexOpener(
      loaderOf((path) => files.get(path)),
      undefined,
      pause,
    )("0");
    for (const query of ["the common start", "page 7 vergic", "contion alser mede lo", "zzqq"]) {
      pauses = 0;
      assert.deepEqual(await answer(paused, query), await answer(index, query));
      assert.ok(pauses >= query.split(" ").length, `${query}: ${pauses}`);
    }
  });

  test("is split into files of bounded size", async () => {
    const sizes = [...files].map(([path, text]) => [path, text.length] as const);
    assert.ok(sizes.length > 10);
    for (const [path, size] of sizes) assert.ok(size < 100_000, `${path}: ${size}`);
  });

  test("answers every query with few files", async () => {
    const load = loaderOf((path) => files.get(path));
    for (const query of ["c", "co", "con", "in", "page 77", "the common start", "conprointer", "zz"]) {
      let loaded = 0;
      const counted = createIndexOpener((path, name) => {
        loaded++;
        return load(path, name);
      });
      const { hits } = await search([await counted("0")], query);
      assert.ok(hits.length > 0 || query === "zz", query);
      assert.ok(loaded <= 12, `${query}: ${loaded} files`);
    }
  });

  test("shows a result by the title of its page before its text is read", async () => {
    const spread = pages.map((each, i) =>
      i % 100 === 0
        ? page(`Page\t${i}`, {
            href: `page-${i}.html`,
            trail: i % 200 === 0 ? ["Guides", "Rare"] : [],
            sections: sections(sentence(40), ["The part", `here is zyzzyva ${sentence(60)}`]),
          })
        : each,
    );
    const rare = await indexOf(spread);
    let loaded = 0;
    const load = loaderOf((path) => rare.get(path));
    const index = await createIndexOpener((path, name) => {
      loaded++;
      return load(path, name);
    })("0");
    const { hits } = await search([index], "zyzzyva");
    assert.equal(hits.length, 10);
    assert.ok(loaded <= 12, String(loaded));
    const unread = hits.filter(({ read }) => read);
    assert.ok(unread.length > 0 && unread.length < 10, String(unread.length));
    for (const { href, title, trail, text, read } of unread) {
      const number = Number(/\d+/.exec(href));
      assert.deepEqual([href, title, text], [`page-${number}.html`, `Page ${number}`, ""]);
      const groups = number % 200 === 0 ? ["Guides", "Rare"] : [];
      assert.deepEqual(trail, groups);
      const whole = await read!();
      assert.deepEqual([whole.href, whole.title, whole.read], [`${href}#s1`, "The part", undefined]);
      assert.match(whole.text, /^here is zyzzyva/);
      assert.deepEqual(whole.trail, [...groups, `Page\t${number}`]);
    }
    const all = hits.map(({ href }) => href.replace(/#.*/, ""));
    assert.equal(new Set(all).size, 10);
  });

  test("has its terms in three files at most if they are few, and each of them once", async () => {
    const some = await indexOf(pages.slice(0, 500));
    const termFiles = (of: IndexText) => [...of].filter(([path]) => /\/t\d/.test(path)).map(([, text]) => text);
    assert.ok(termFiles(some).length <= 3);
    assert.ok(termFiles(some).join("").length > 3 * 40 * 1024);
    assert.ok(termFiles(files).length > 3);
    const [tables] = [...some].filter(([path]) => /\/k\./.test(path)).map(([, text]) => dataIn(text));
    assert.deepEqual(tables!.slice(0, 2), ["", ""]);
    const index = await openIndex(some);
    for (const title of ["Page 7 ", "Page 321 ", "Page 499 "])
      assert.ok(titlesOf(await search([index], title))[0]?.startsWith(title), title);
  });

  test("has question words and synonyms in one file, which is read instead of a file for each", async () => {
    const helped = await indexOf([
      ...pages,
      page("Remove a thing", { sections: sections("How do you erase what you have?") }),
      page("Settings", { sections: sections("What a configuration may have.") }),
    ]);
    const read = new Set<string>();
    const load = loaderOf((path) => helped.get(path));
    const index = await createIndexOpener((path, name) => {
      read.add(name);
      return load(path, name);
    })("0");
    const { hits } = await search([index], "how do you delete the thing");
    assert.equal(hits[0]?.title, "Remove a thing");
    assert.ok(read.has("0/k"));
    const terms = [...read].filter((name) => /\/t\d/.test(name));
    // "delete" and "thing", each with the words around it.
    assert.ok(terms.length <= 4, terms.join(" "));
    const without = { ...index, tableWords: async () => undefined };
    for (const query of ["how do you delete the thing", "what is the config", "conprointer you"])
      assert.deepEqual(titlesOf(await search([without], query)), titlesOf(await search([index], query)), query);
  });

  test("has a few of the entries of a synonym, fewer in a larger index, although all have it in their titles", async () => {
    const titled = Array.from({ length: 12_000 }, (_, i) => page(`Settings ${i}`));
    const index = await openIndex(await indexOf([...pages, ...titled]));
    const { words } = await index.tables();
    const reader = new NumberReader(words.postings[words.terms.indexOf("settings")]!);
    assert.equal(reader.next(), titled.length);
    let entries = 0;
    for (; !reader.done; entries++) {
      reader.next();
      reader.value();
    }
    assert.equal(entries, Math.ceil(2_400_000 / index.entryCount));
  });

  test("loads no texts for an answer that nobody waits for", async () => {
    const read: string[] = [];
    const load = loaderOf((path) => files.get(path));
    const index = await createIndexOpener((path, name) => {
      read.push(name);
      return load(path, name);
    })("0");
    const isText = (name: string) => /\/s\d/.test(name);
    const { hits } = await search([index], "page 7", 0, false, () => true);
    assert.deepEqual([hits, read.filter(isText)], [[], []]);
    assert.ok((await search([index], "page 7")).hits.length > 0);
    assert.ok(read.some(isText));
  });

  test("has question words and synonyms in the file of its head if that is not in the first one", async () => {
    const tiny = page("Remove a thing", { sections: sections("How do you erase it?") });
    const longHead = await indexOf(Array.from({ length: 17_000 }, () => tiny));
    const read: string[] = [];
    const load = loaderOf((path) => longHead.get(path));
    const open = createIndexOpener((path, name) => {
      read.push(name);
      return load(path, name);
    });
    assert.deepEqual(titlesOf(await search([await open("0")], "how do you delete the thing"))[0], "Remove a thing");
    assert.deepEqual(read.slice(0, 2), ["", "0"]);
    assert.ok(!read.includes("0/k"));
  });

  test("has the best entries of a prefix whose terms fill many files", async () => {
    const terms = [...files].filter(([path]) => /\/t\d/.test(path)).flatMap(([, text]) => dataIn(text)[0]);
    assert.ok(terms.some((text) => String(text).includes("\uffff")));
    const index = await open("0");
    const { hits } = await search([index], "co");
    assert.ok(hits.length > 0);
    for (const { title, trail } of hits) assert.match([title, ...trail].join(" "), /\bco/i);
  });

  test("keeps only the best entries of a word that is on every page", async () => {
    const index = await open("0");
    assert.match(titlesOf(await search([index], "the Page 321"))[0] ?? "", /^Page 321 /);
    assert.equal(titlesOf(await search([index], "the")).length, 10);
  });
});
test("postings in temporary files are returned like those in memory", () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-postings-"));
  const order: TermOrder = { terms: ["a", "b", "c", "d"], locationOf: Uint32Array.of(3, 0, 2, 1) };
  const read = (most: number) => {
    const lists = createPostingLists(join(folder, `run-${most}`), most);
    const random = numbers(5);
    for (let entry = 0; entry < 3000; entry += 2) {
      const count = 1 + random(4);
      const terms = Uint32Array.from({ length: count }, (_, i) => i);
      const postings = Uint32Array.from({ length: count }, (_, i) => ((i % 2) << 7) | random(90)).sort();
      lists.add({ entryCount: 2, count, terms, postings }, entry);
    }
    const all = [...lists.sorted(order)].map(({ term, postings, inTitle }) => [term, [...postings], inTitle]);
    lists.close();
    return all;
  };
  try {
    const whole = read(1_000_000);
    assert.deepEqual(
      whole.map(([term]) => term),
      ["a", "b", "c", "d"],
    );
    for (const most of [300, 1000, 2001]) assert.deepEqual(read(most), whole);
    assert.deepEqual(readdirSync(folder), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("stored postings are returned like those of a new index, even if pages have been removed, added or reordered", () => {
  const random = numbers(9);
  const pageOf = (terms: readonly number[]) => ({
    entryCount: 2,
    count: terms.length,
    terms: Uint32Array.from(terms),
    postings: Uint32Array.from(terms, (_, i) => ((i < terms.length / 2 ? 0 : 1) << 7) | random(90)),
  });
  const pages = [[0, 1, 2], [2], [1, 3], [0, 2, 3], [3]].map(pageOf);
  const added = pageOf([4, 2]);
  const before: TermOrder = { terms: ["a", "c", "d", "e"], locationOf: Uint32Array.of(0, 1, 2, 3) };
  // The fifth term comes between the others.
  const after: TermOrder = { terms: ["a", "b", "c", "d", "e"], locationOf: Uint32Array.of(0, 2, 3, 4, 1) };
  const listsOf = (lists: ReturnType<typeof createPostingLists>, order: TermOrder) =>
    [...lists.sorted(order)].map(({ term, place, postings, inTitle }) => ({ term, place, postings, inTitle }));
  const first = createPostingLists("unused");
  for (const [at, page] of pages.entries()) first.add(page, 2 * at);
  const kept = listsOf(first, before).map(({ place, postings }) => ({ place, postings }));
  for (const next of [
    [0, 1, 2, 3, 4],
    [0, -1, 2, 3, 4],
    [0, 1, -1, 2, 3, 4],
    [4, 0, -1, 3],
    [-1, 1],
  ]) {
    const stored = { entryCount: 10, read: () => kept.values() as Iterator<(typeof kept)[number], undefined> };
    const reused = createPostingLists("unused", 1000, stored);
    const whole = createPostingLists("unused");
    for (const [at, page] of next.entries()) {
      whole.add(pages[page] ?? added, 2 * at);
      if (page < 0) reused.add(added, 2 * at);
      else reused.reuse(2 * page, 2, 2 * at);
    }
    assert.deepEqual(listsOf(reused, after), listsOf(whole, after));
  }
});
