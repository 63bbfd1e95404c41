import assert from "node:assert/strict";
import { hash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, test } from "vitest";
import { OutputReplacedError, type Staging, writeBundleStream } from "../../../src/bundle/archive/index.js";
import { type ExportOptions, type ExportResult, runExport, runShard, type Shard } from "../../../src/export/index.js";
import type { PageTask } from "../../../src/export/pages/thread-messages.js";
import { openOutputRecord } from "../../../src/export/store/output-record.js";
import { createReadLog, noteFileReads } from "../../../src/export/store/page-reads.js";
import { bodyPlanOf, bodySiteOf } from "../../../src/export/store/plan-hashes.js";
import { openPlanStore } from "../../../src/export/store/plan-store.js";
import { openPreviousOutput, openTextParts } from "../../../src/export/store/previous-output.js";
import type { TrackedFiles } from "../../../src/export/store/source-files.js";
import { readChecked, writeChecked } from "../../../src/lib/cache/index.js";
import type { WorkerPoolOptions } from "../../../src/lib/queue/worker-pool.js";
import type { PagePlan, Site } from "../../../src/site/site.js";
import type { SiteFiles } from "../../../src/site/source/index.js";
import { sampleOf, sweeping } from "../../quality/bundle.js";
import { cli, contentOf, finish, start } from "../../support/cli.js";
import { findCorpora } from "../../support/corpora.js";
import { createPoolInProcess } from "../../support/pool-in-process.js";
import { changeOutput, copySite, createEditor, cutSite } from "../../support/random-edits.js";
import { seeded } from "../../support/seeded.js";

/** Edits of each real site in a soak test, each one compared with an export that makes every page. */
const soaking = Number(process.env["OFFPRINT_EDITS"] ?? (process.env["OFFPRINT_SOAK"] ? 170 : 0));

const work = mkdtempSync(join(tmpdir(), "offprint-page-store-"));
afterAll(() => rmSync(work, { recursive: true }));

const fixture = (name: string): string => fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url));
/** The inputs from which the last export made its pages. */
let tasks: PageTask[] = [];
const pagePool = (options: WorkerPoolOptions) => {
  const pool = createPoolInProcess(options);
  return {
    ...pool,
    run(task: PageTask) {
      tasks.push(task);
      return pool.run(task);
    },
  };
};
function exportIn(options: ExportOptions): Promise<ExportResult> {
  tasks = [];
  return runExport(options, { pagePool });
}
/** Pages that were made from their texts, and pages with only a new document. */
const counts = () => ({
  made: tasks.filter((task) => task.kind === "page" && task.storedBody === undefined).length,
  assembled: tasks.filter((task) => task.kind !== "shared" && task.storedBody !== undefined).length,
});

/** The report and the bytes equal those of an export without a cache. */
async function assertAsCold(result: ExportResult, options: ExportOptions, what: string): Promise<void> {
  const { cacheFolder: _, archive: __, ...rest } = options;
  const cold = await exportIn({ ...rest, output: "memory" });
  assert.equal(result.ok, cold.ok, what);
  assert.deepEqual(result.diagnostics, cold.diagnostics, what);
  assert.deepEqual(result.external, cold.external, what);
  assert.deepEqual(result.inputs, cold.inputs, what);
  if (!cold.ok || !result.ok) return;
  assert.deepEqual(result.manifest, cold.manifest, what);
  const paths = readdirSync(result.output!, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(paths.length, cold.files!.size, what);
  for (const [path, bytes] of cold.files!)
    assert.ok(readFileSync(join(result.output!, path)).equals(bytes), `${path} after ${what}`);
}

/** A file that has just changed may change again without a new time, so data read from it is not stored. */
const settled = (): Promise<void> => sleep(60);

/** @param pageCount of a larger site, only so many pages are left. */
async function editAtRandom(name: string, folder: string, edits: number, seed: number, pageCount = Infinity) {
  const place = mkdtempSync(join(work, "edits-"));
  const source = copySite(folder, join(place, "site"));
  const random = seeded(seed);
  cutSite(source, pageCount, random);
  const edit = createEditor(source, random);
  const base = { source, output: join(place, "out"), cacheFolder: join(place, "cache") };
  const baseUrls = [undefined, undefined, undefined, "https://docs.example.com"];
  const done: string[] = [];
  await exportIn(base);
  for (let at = 0; at < edits; at++) {
    for (let more = random(); more < 1; more += 0.6) done.push(edit());
    const options = { ...base, baseUrl: baseUrls[Math.floor(random() * baseUrls.length)] };
    if (random() < 0.25) done.push(changeOutput(base.output, random));
    if (random() < 0.5) await settled();
    const result = await exportIn(options);
    await assertAsCold(result, options, `${name}, seed ${seed}: ${done.join("; ")}`);
  }
  rmSync(place, { recursive: true });
}

const editedSites = [
  "snippets-and-variables",
  "nested-navigation",
  "api-reference",
  "languages-and-versions",
  "redirects-and-feeds",
];
for (const name of soaking ? editedSites : sampleOf(editedSites, 2)) {
  const at = editedSites.indexOf(name);
  const edits = soaking ? 16 : sweeping ? 4 : at < 2 ? 2 : 1;
  test(`${name}: after each of ${edits} random edits, the export is that of a site without a cache`, () =>
    editAtRandom(name, fixture(`sites/${name}`), edits, 17 + at));
}

const image = (size: number): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="9"/>`;
/** Six pages: two show a snippet, one an image, one refers to another by its title alone. */
function smallSite() {
  const place = mkdtempSync(join(work, "small-"));
  const source = join(place, "site");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  };
  const pages = ["index", "a", "b", "c", "d", "e"];
  const config = { theme: "mint", name: "Acme", colors: { primary: "#0f766e" }, logo: "/images/logo.svg" };
  const configure = (navigation: object, more = {}) =>
    write("docs.json", JSON.stringify({ ...config, navigation, ...more }));
  configure({ pages });
  for (const page of pages) write(`${page}.mdx`, `---\ntitle: Page ${page}\n---\n\nText of ${page}, see [b](/b).\n`);
  const shows = `import Note from "/snippets/note.mdx";\n\n<Note />\n`;
  write("snippets/note.mdx", "A note.\n");
  for (const page of ["a", "b"]) write(`${page}.mdx`, `---\ntitle: Page ${page}\n---\n\n${shows}`);
  write("images/x.svg", image(10));
  write("images/logo.svg", image(30));
  write("c.mdx", "---\ntitle: Page c\n---\n\n![X](/images/x.svg)\n");
  write("d.mdx", "---\ntitle: Page d\n---\n\n[](/e) [Not yet](/f)\n");
  const options = { source, output: join(place, "out"), cacheFolder: join(place, "cache") };
  return { source, options, write, pages, configure };
}

type Small = ReturnType<typeof smallSite>;
const edits: Readonly<Record<string, readonly [made: number, assembled: number, edit: (site: Small) => void]>> = {
  "a text": [1, 0, ({ write }) => write("a.mdx", "---\ntitle: Page a\n---\n\nOther.\n")],
  "the title of a page that nothing names": [1, 5, ({ write }) => write("b.mdx", "---\ntitle: B\n---\n\nText.\n")],
  "the title of a page that a link shows": [2, 4, ({ write }) => write("e.mdx", "---\ntitle: E\n---\n\nText.\n")],
  "a snippet": [2, 0, ({ write }) => write("snippets/note.mdx", "Another note.\n")],
  "an image": [1, 0, ({ write }) => write("images/x.svg", image(20))],
  "the bytes of an image of the same size": [0, 0, ({ write }) => write("images/x.svg", `${image(10)}\n`)],
  "the dates of all files": [
    0,
    0,
    ({ source, pages }) => {
      for (const page of pages) utimesSync(join(source, `${page}.mdx`), 1, 1);
    },
  ],
  "the order of the navigation": [0, 6, ({ configure, pages }) => configure({ pages: pages.toReversed() })],
  "a page that a broken link names": [
    2,
    5,
    ({ write, configure, pages }) => {
      write("f.mdx", "---\ntitle: Page f\n---\n\nText.\n");
      configure({ pages: [...pages, "f"] });
    },
  ],
  "a removed page": [
    // The pages that link to it.
    2,
    3,
    ({ source, configure, pages }) => {
      rmSync(join(source, "b.mdx"));
      configure({ pages: pages.filter((page) => page !== "b") });
    },
  ],
  "a setting of the frame": [0, 6, ({ configure, pages }) => configure({ pages }, { banner: { content: "News" } })],
  "a setting of the body": [6, 0, ({ configure, pages }) => configure({ pages }, { variables: { x: "y" } })],
  "a style sheet that selects parts": [6, 0, ({ write }) => write("styles.css", "[data-component-part] { top: 0 }\n")],
  "a page that selects parts": [
    6,
    0,
    ({ write }) => write("a.mdx", "---\ntitle: Page a\n---\n\n<style>{`[data-component-part] { top: 0 }`}</style>\n"),
  ],
  "a removed image of the frame": [0, 6, ({ source }) => rmSync(join(source, "images/logo.svg"))],
  "a page that was replaced in the bundle": [
    0,
    1,
    ({ options }) => {
      writeFileSync(join(options.output, "new"), "x");
      renameSync(join(options.output, "new"), join(options.output, "a.html"));
    },
  ],
  "a page of the bundle with other bytes, but of the same size and date, with verify": [
    0,
    1,
    ({ options }) => {
      const file = join(options.output, "a.html");
      const { atime, mtime } = statSync(file);
      // File systems count time in ticks.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      writeFileSync(file, readFileSync(file, "utf8").replace("Page a", "Page x"));
      utimesSync(file, atime, mtime);
    },
  ],
  "a page that was removed from the bundle": [0, 1, ({ options }) => rmSync(join(options.output, "a.html"))],
  "a bundle that was removed": [0, 6, ({ options }) => rmSync(options.output, { recursive: true })],
};
for (const [at, [name, [made, assembled, edit]]] of Object.entries(edits).entries())
  test(`after ${name}, ${made} pages are made and ${assembled} documents are assembled around stored bodies`, async () => {
    const site = smallSite();
    await exportIn(site.options);
    edit(site);
    const result = await exportIn({ ...site.options, verify: name.endsWith("with verify") });
    assert.deepEqual(counts(), { made, assembled });
    await assertAsCold(result, site.options, name);
    // Whatever was changed, its result is in the store; in a sweep after each of them.
    if (!sweeping && at % 4 !== 0) return;
    await exportIn(site.options);
    assert.deepEqual(counts(), { made: 0, assembled: 0 });
  });

test("an export into memory or an archive makes only documents; a check and one without a cache make all pages", async () => {
  const { options } = smallSite();
  await exportIn(options);
  await exportIn({ ...options, output: "memory" });
  assert.deepEqual(counts(), { made: 0, assembled: 6 });
  await exportIn({ ...options, output: undefined, archive: join(work, "small.zip") });
  assert.deepEqual(counts(), { made: 0, assembled: 6 });
  await exportIn({ ...options, output: undefined });
  assert.deepEqual(counts(), { made: 6, assembled: 0 });
  await exportIn({ ...options, cacheFolder: undefined });
  assert.deepEqual(counts(), { made: 6, assembled: 0 });
  await exportIn(options);
  assert.equal(counts().made, 0);
});

test("another title makes documents only where it is shown, and adds few entries to the index", async () => {
  const { source, options, write } = smallSite();
  const tabs = ["one", "two"].map((tab) => ({ tab, pages: Array.from({ length: 10 }, (_, at) => `${tab}/${at}`) }));
  const config = { theme: "mint", name: "Acme", colors: { primary: "#0f766e" }, navigation: { tabs } };
  write("docs.json", JSON.stringify(config));
  const page = (path: string, title: string) => write(`${path}.mdx`, `---\ntitle: ${title}\n---\n\nOf ${path}.\n`);
  for (const path of tabs.flatMap((tab) => tab.pages)) page(path, `Page ${path}`);
  // This page shows the title of a page of the other tab.
  write("two/3.mdx", "[](/one/7)\n");
  await exportIn(options);
  const indexes = () =>
    storeFiles(options.cacheFolder)
      .map((file) => basename(file))
      .filter((name) => name.startsWith("index"));
  const edited = async (path: string, text: string) => {
    appendFileSync(join(source, path), text);
    const result = await exportIn(options);
    const made = counts();
    if (sweeping || exports++ % 4 === 0) await assertAsCold(result, options, path);
    return made;
  };
  let exports = 0;
  page("one/7", "Another title");
  const unlisted = 6;
  const inodesOf = (path: string) =>
    ["html", "md"].map((type) => statSync(join(options.output, `${path}.${type}`)).ino);
  const before = inodesOf("one/8");
  assert.deepEqual(await edited("one/7.mdx", ""), { made: 2, assembled: 9 + unlisted });
  const after = inodesOf("one/8");
  assert.notEqual(after[0], before[0]);
  assert.equal(after[1], before[1], "what follows from the body is not written again");
  assert.deepEqual(indexes(), ["index"]);
  for (let added = 1; added <= 8; added++) {
    assert.deepEqual(await edited("two/9.mdx", "\nMore.\n"), { made: 1, assembled: 0 });
    assert.equal(indexes().length, 1 + added);
  }
  assert.deepEqual(await edited("two/9.mdx", "\nMore.\n"), { made: 1, assembled: 0 });
  assert.deepEqual(indexes(), ["index"]);
});

test("the plan of an earlier export is not used for files that have changed since", async () => {
  const { options, write, configure, pages } = smallSite();
  await settled();
  await exportIn(options);
  const plan = storeFiles(options.cacheFolder).find((file) => basename(file) === "plan")!;
  const before = readFileSync(plan);
  // As if the run had ended before its plan was written.
  const edited = async (what: string, edit: () => void) => {
    edit();
    await settled();
    await exportIn(options);
    writeFileSync(plan, before);
    await assertAsCold(await exportIn(options), options, what);
  };
  await edited("title", () => write("a.mdx", "---\ntitle: Other\n---\n\nText.\n"));
  await edited("class", () => write("b.mdx", '---\ntitle: Page b\n---\n\n<p className="mt-7">Text.</p>\n'));
  await edited("import", () => write("c.mdx", 'import Note from "/d.mdx";\n\n<Note />\n'));
  await edited("settings", () => configure({ pages: pages.slice(1) }));
});

test("a new title or description changes the stored plan, unless the rest of the plan shows the old one", async () => {
  const { options, write, configure, pages } = smallSite();
  const page = (path: string, texts: string) => write(`${path}.mdx`, `---\n${texts}\n---\n\n## More\n\nText.\n`);
  const link = (title: string) => write("link.mdx", `---\ntitle: ${title}\nurl: https://example.com/\n---\n`);
  configure({ pages: [...pages, "d#more", "link"] });
  page("a", "title: A");
  page("c", "title: C\nsidebarTitle: See\ndescription: Of c");
  page("d", "title: D");
  link("Elsewhere");
  await settled();
  await exportIn(options);
  const plan = storeFiles(options.cacheFolder).find((file) => basename(file) === "plan")!;
  const isMadeAnew = async (what: string, edit: () => void) => {
    const before = readFileSync(plan);
    edit();
    await settled();
    await assertAsCold(await exportIn(options), options, what);
    return !readFileSync(plan).equals(before);
  };
  const title = () => page("a", "title: Another");
  assert.equal(await isMadeAnew("title", title), false);
  const texts = () => page("c", "title: C 2\nsidebarTitle: See 2\ndescription: Of c 2");
  assert.equal(await isMadeAnew("all texts", texts), false);
  assert.equal(await isMadeAnew("no description", () => page("c", "title: C 3\nsidebarTitle: See 3")), true);
  assert.equal(await isMadeAnew("a link to a heading", () => page("d", "title: D 2")), true);
  assert.equal(await isMadeAnew("a link to another site", () => link("Somewhere")), true);
  assert.equal(await isMadeAnew("another key", () => page("a", "title: Another\nicon: star")), true);
  assert.equal(await isMadeAnew("a title again", () => page("a", "title: The last\nicon: star")), false);
});

test("an export of some pages leaves the others in the store", async () => {
  const { options } = smallSite();
  await exportIn(options);
  const some = { ...options, paths: ["a", "b"] };
  const result = await exportIn(some);
  assert.equal(counts().made, 0);
  await assertAsCold(result, some, "paths");
  await exportIn(options);
  assert.equal(counts().made, 0);
});

test("a strict export that fails does not change the bundle, and the next one is right", async () => {
  const { options, write } = smallSite();
  await exportIn(options);
  write("a.mdx", "---\ntitle: Page a\n---\n\n<Card>\n");
  assert.equal((await exportIn({ ...options, strict: true })).ok, false);
  await assertAsCold(await exportIn(options), options, "strict");
});

test("a page about which the machine has something to report is made again", async () => {
  const { options, write } = smallSite();
  write("a.mdx", "---\ntitle: Page a\n---\n\nText.\n");
  const failing = (given: WorkerPoolOptions) => {
    const pool = pagePool(given);
    const lost = { ok: false, lost: "deadline", reason: "It was slow." } as const;
    return {
      ...pool,
      run: async (task: PageTask) => (task.kind === "page" && task.index === 1 && !task.lost ? lost : pool.run(task)),
    };
  };
  tasks = [];
  assert.ok((await runExport(options, { pagePool: failing })).diagnostics.some(({ code }) => code === "PAGE_TOO_SLOW"));
  const result = await exportIn(options);
  assert.deepEqual(counts(), { made: 1, assembled: 0 });
  await assertAsCold(result, options, "a lost page");
});

const storeFiles = (folder: string): string[] =>
  readdirSync(join(folder, "pages"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

test("a store that is damaged in any file, at any place, only costs time", async () => {
  const { options, write } = smallSite();
  const random = seeded(5);
  await exportIn(options);
  for (let round = 0; round < (sweeping ? 12 : 7); round++) {
    const files = storeFiles(options.cacheFolder);
    const file = files[round % files.length]!;
    const bytes = readFileSync(file);
    const at = Math.floor(random() * bytes.length);
    if (round % 3 === 0) truncateSync(file, at);
    else if (round % 3 === 1) {
      bytes[at]! ^= 1 << Math.floor(random() * 8);
      writeFileSync(file, bytes);
    } else rmSync(file);
    write("a.mdx", `---\ntitle: Page a\n---\n\nRound ${round}.\n`);
    // The frame too, so that bodies are read.
    write("e.mdx", `---\ntitle: Page ${round}\n---\n\nText.\n`);
    await assertAsCold(await exportIn(options), options, `round ${round}: ${file}`);
  }
});

test("the pages of several partial indexes are stored, and one index remains", async () => {
  const { options, write } = smallSite();
  await exportIn(options);
  const index = storeFiles(options.cacheFolder).find((file) => basename(file) === "index")!;
  const lines = readChecked(index)!.toString().split("\n");
  const outdated = lines.map((line) => line.replaceAll(/"text ([abc])\.mdx","\w+"/g, '"text $1.mdx","0"'));
  assert.notDeepEqual(outdated, lines);
  rmSync(index);
  writeChecked(`${index}-1-2`, Buffer.from(lines.slice(0, 3).join("\n")));
  writeChecked(`${index}-2-2`, Buffer.from(lines.slice(3).join("\n")));
  writeChecked(`${index}-damaged`, Buffer.from("x"));
  appendFileSync(`${index}-damaged`, "y");
  // Newer than those that are right.
  writeChecked(`${index}-outdated`, Buffer.from(outdated.join("\n")));
  utimesSync(`${index}-outdated`, new Date(), new Date(Date.now() + 60_000));
  const result = await exportIn(options);
  assert.deepEqual(counts(), { made: 0, assembled: 0 });
  await assertAsCold(result, options, "partial indexes");
  assert.deepEqual(
    readdirSync(dirname(index)).filter((name) => name.startsWith("index")),
    ["index"],
  );
  write("a.mdx", "---\ntitle: Page a\n---\n\nOther.\n");
  await exportIn(options);
  assert.deepEqual(counts(), { made: 1, assembled: 0 });
});

for (const name of sampleOf(
  ["languages-and-versions", "api-reference", "snippets-and-variables", "redirects-and-feeds"],
  1,
))
  test(`${name}: three shards make each page once, and an export makes only documents around them`, async () => {
    const place = mkdtempSync(join(work, "shards-"));
    const source = fixture(`sites/${name}`);
    const cacheFolder = join(place, "cache");
    let sum = 0;
    for (const index of [3, 1, 2]) {
      tasks = [];
      const result = await runShard({ source, cacheFolder, shard: { index, count: 3 } }, { pagePool });
      assert.ok(result.ok && result.made === result.shardPages, JSON.stringify(result));
      assert.ok(result.shardPages < result.pageCount);
      assert.equal(tasks.filter(({ kind }) => kind === "page").length, result.made);
      sum += result.made;
      assert.equal(sum > result.pageCount, false);
    }
    const options = { source, cacheFolder, output: join(place, "out") };
    const result = await exportIn(options);
    assert.equal(sum, result.pageCount);
    assert.equal(tasks.filter((task) => task.kind !== "shared" && task.storedBody === undefined).length, 0);
    await assertAsCold(result, options, "shards");
    assert.deepEqual(storeFiles(cacheFolder).filter((file) => /^index/.test(basename(file))).length, 1);
  });

test("a shard makes only what has changed; the export makes and reports what the shard cannot store", async () => {
  const { options, write, source } = smallSite();
  const { cacheFolder } = options;
  const shardOf = (index: number, count: number) =>
    runShard({ source, cacheFolder, shard: { index, count } }, { pagePool });
  assert.deepEqual((await shardOf(1, 1)).made, 6);
  assert.deepEqual((await shardOf(1, 1)).made, 0);
  write("a.mdx", "---\ntitle: Page a\n---\n\n<Card>\n");
  write("b.mdx", "---\ntitle: Page b\n---\n\n[Missing](/nowhere)\n");
  const made = (await shardOf(1, 2)).made + (await shardOf(2, 2)).made;
  assert.ok(made <= 2, `${made} pages`);
  const result = await exportIn(options);
  assert.ok(result.diagnostics.length >= 2);
  await assertAsCold(result, options, "shards with mistakes");
  rmSync(join(source, "docs.json"));
  const failed = await shardOf(1, 2);
  assert.ok(!failed.ok && failed.diagnostics.length > 0);
});

test("the shards of a site depend only on its paths, and invalid ones are refused", async () => {
  const { options, source, configure, pages, write } = smallSite();
  const { cacheFolder } = options;
  const partsOf = async (): Promise<number[]> => {
    const parts: number[] = [];
    for (const index of [1, 2, 3]) {
      tasks = [];
      await runShard({ source, cacheFolder: `${cacheFolder}-${index}`, shard: { index, count: 3 } }, { pagePool });
      for (const task of tasks) if (task.kind === "page") parts[task.index] = index;
      rmSync(`${cacheFolder}-${index}`, { recursive: true });
    }
    return parts;
  };
  const before = await partsOf();
  write("f.mdx", "---\ntitle: Page f\n---\n\nText.\n");
  configure({ pages: [...pages, "f"] });
  assert.deepEqual((await partsOf()).slice(0, 6), before);
  for (const shard of [
    { index: 0, count: 8 },
    { index: 9, count: 8 },
    { index: 1, count: 0 },
    { index: 1.5, count: 2 },
  ] as Shard[])
    await assert.rejects(runShard({ source, cacheFolder, shard }), { name: "InvalidOption" });
  await assert.rejects(runShard({ source, shard: { index: 1, count: 2 } }), /needs cacheFolder/);
});

test("an export that was stopped at any time leaves a store that the next one can use", async () => {
  const { options, write } = smallSite();
  await exportIn(options);
  for (let stop = 1; stop < 16; stop += sweeping ? 2 : 3) {
    write("a.mdx", `---\ntitle: Page a ${stop}\n---\n\nRound ${stop}.\n`);
    const control = new AbortController();
    let left = stop;
    const onProgress = (): void => {
      if (left-- === 0) control.abort(new Error("stopped"));
    };
    await exportIn({ ...options, onProgress, signal: control.signal }).catch((error: Error) =>
      assert.equal(error.message, "stopped"),
    );
    await assertAsCold(await exportIn(options), options, `stopped at ${stop}`);
  }
});

test("two exports at once with one cache, and two sites with one cache, do not interfere", async () => {
  const [one, two] = [smallSite(), smallSite()];
  const other = { ...two.options, cacheFolder: one.options.cacheFolder };
  two.write("a.mdx", "---\ntitle: Another site\n---\n\nText.\n");
  for (let round = 0; round < 2; round++) {
    one.write("c.mdx", `---\ntitle: Page ${round}\n---\n\nText.\n`);
    const second = { ...one.options, output: `${one.options.output}-2` };
    const [first, again, others] = await Promise.all([exportIn(one.options), exportIn(second), exportIn(other)]);
    await assertAsCold(first!, one.options, "first");
    await assertAsCold(again!, second, "second");
    await assertAsCold(others!, other, "other site");
  }
});

test("a bundle never shares a file with the cache or with the bundle before", async () => {
  const { options, write } = smallSite();
  await exportIn(options);
  write("a.mdx", "---\ntitle: Page a\n---\n\nOther.\n");
  await exportIn(options);
  const files = readdirSync(options.output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) assert.equal(statSync(join(parentPath, name)).nlink, 1, name);
});

test("a record of the cache cannot name a file outside of the bundle", () => {
  const place = mkdtempSync(join(work, "outside-"));
  const [store, target, folder] = ["store", "out", "staging"].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [target, folder]) mkdirSync(each);
  const staging = { target, folder, keep() {}, isReplaced: () => false } as Partial<Staging> as Staging;
  for (const path of ["../secret.html", "a/../../secret.html", "a//b.html", "fine.html"])
    writeFileSync(join(target, path.replaceAll(/.*\//g, "")), "x");
  writeFileSync(join(place, "secret.html"), "x");
  const files = ["../secret.html", "a/../../secret.html", "/secret.html", "fine.html"].map((path) => ({
    path,
    bytes: 1,
    sha256: "0",
  }));
  const open = () => openPreviousOutput(store, openOutputRecord(store, staging, false), staging);
  open().save(files);
  const previous = open();
  assert.deepEqual(
    files.map((file) => previous.take([file])),
    [false, false, false, true],
  );
});

test("a change to the entries of a bundle's folder is undone, and with verify a change to a file's content, too", async () => {
  const { options, write, configure, pages } = smallSite();
  // Only a bundle with more old files than new ones is updated, not replaced as a whole.
  const more = Array.from({ length: 40 }, (_, at) => (at === 0 ? "guide/f" : `guide/f${at}`));
  for (const page of more) write(`${page}.mdx`, `---\ntitle: ${page}\n---\n\nText.\n`);
  configure({ pages: [...pages, ...more] });
  const file = join(options.output, "guide/f.html");
  let count = 0;
  /** Exports another text of page a: by then, the folder of page f has not changed for a while. */
  const exportOther = async (verify?: boolean): Promise<ExportResult> => {
    await settled();
    write("a.mdx", `---\ntitle: Page a\n---\n\nText ${count++}.\n`);
    return exportIn({ ...options, verify });
  };
  await exportIn(options);
  const damages: readonly (() => void)[] = [
    () => rmSync(file),
    () => renameSync(join(options.output, "index.html"), file),
    () => writeFileSync(join(options.output, "guide/more.txt"), "x"),
  ];
  for (const [at, damage] of damages.entries()) {
    await exportOther();
    damage();
    await assertAsCold(await exportOther(), options, `damage ${at}`);
  }
  await exportOther();
  appendFileSync(file, "x");
  await exportOther();
  assert.match(readFileSync(file, "utf8"), /x$/);
  await assertAsCold(await exportOther(true), options, "verify");
});

test("a run whose bundle is replaced while it reuses its files begins again", async () => {
  const { options, write } = smallSite();
  await exportIn(options);
  write("a.mdx", "---\ntitle: Page a\n---\n\nOther.\n");
  let left = 1;
  const result = await exportIn({
    ...options,
    onProgress({ phase }) {
      const manifest = join(options.output, "offprint.json");
      if (phase === "outputs" && left-- > 0) writeFileSync(manifest, `${readFileSync(manifest, "utf8")}\n`);
    },
  });
  assert.equal(tasks.filter((task) => task.kind === "page" && task.index === 1).length, 2);
  await assertAsCold(result, options, "a replaced bundle");
});

test("a page whose file has not changed is not scanned again, unless the variables in its front matter have", () => {
  const folder = mkdtempSync(join(work, "scans-"));
  const states = new Map([["a.mdx", { values: [1], text: "1", isSettled: true }]]);
  const read: string[] = [];
  const begin = (variables: object) => {
    const texts = new Map([["a.mdx", "hash"]]);
    const files = {
      paths: ["a.mdx"],
      textHashes: texts,
      allReads: () => ["a.mdx"],
      noteText: (path: string) => void read.push(path),
    } as unknown as TrackedFiles;
    const run = { settings: { cacheFolder: folder, features: {} } } as Parameters<typeof openPlanStore>[0];
    const store = openPlanStore(run, { root: "/site", stateOf: (path) => states.get(path)! })!;
    const begun = store.begin(variables, files);
    return { ...begun.scans, end: () => store.save(undefined, files, begun) };
  };
  const scan = { head: "", imports: ["./b"], snippetFiles: [], classWords: ["p-4", "p-4"], diagnostics: [] };
  const first = begin({});
  assert.equal(first.get("a.mdx"), undefined);
  first.set("a.mdx", scan);
  first.end();
  assert.deepEqual(begin({}).get("a.mdx"), { ...scan, classWords: ["p-4"] });
  assert.deepEqual(read, ["a.mdx"]);
  assert.equal(begin({ name: "x" }).get("a.mdx"), undefined);
  states.set("a.mdx", { values: [2], text: "2", isSettled: false });
  const third = begin({});
  assert.equal(third.get("a.mdx"), undefined);
  third.set("a.mdx", scan);
  third.end();
  assert.equal(begin({}).get("a.mdx"), undefined, "a file that may change again without another state");
});

test("parts of a text are copied from the file that they were written into", async () => {
  const folder = mkdtempSync(join(work, "parts-"));
  const text = join(folder, "llms-full.txt");
  writeFileSync(text, "onetwothree");
  const open = (sha256: string) => openTextParts(folder, (_, written) => (written === sha256 ? text : undefined));
  const keep = open("1");
  const first = keep.begin("llms-full.txt", () => undefined);
  for (const piece of ["one", "two", "three"]) first.keep(piece, piece.length);
  keep.save([{ path: "llms-full.txt", bytes: 11, sha256: "1" }]);
  const again = open("1");
  const second = again.begin("llms-full.txt", () => undefined);
  const found = ["three", "two", "four"].map((key) => second.find(key));
  assert.equal(found[2], undefined);
  const known = [found[1]!, found[0]!];
  const written = await writeBundleStream(folder, "copy.txt", ["a", ...known, "b", ...known.toReversed()]);
  assert.equal(readFileSync(join(folder, "copy.txt"), "utf8"), "atwothreebthreetwo");
  assert.deepEqual(written, { path: "copy.txt", bytes: 18, sha256: hash("sha256", "atwothreebthreetwo", "hex") });
  truncateSync(text, 8);
  await assert.rejects(writeBundleStream(folder, "copy.txt", known), OutputReplacedError);
  again.save([]);
  assert.equal(
    open("2")
      .begin("llms-full.txt", () => undefined)
      .find("two"),
    undefined,
  );
});

test("many exports leave few packs, without entries that are no longer needed", async () => {
  const { options, write } = smallSite();
  for (let round = 0; round < 14; round++) {
    write("a.mdx", `---\ntitle: Page a\n---\n\nRound ${round}.\n`);
    await exportIn(options);
  }
  const packs = storeFiles(options.cacheFolder).filter((file) => file.endsWith(".pack"));
  assert.ok(packs.length <= 9, `${packs.length} packs`);
  const result = await exportIn(options);
  assert.equal(counts().made, 0);
  await assertAsCold(result, options, "packs");
  for (let round = 0; round < 7; round++) await exportIn({ ...options, output: `${options.output}-${round}` });
  assert.equal(storeFiles(options.cacheFolder).filter((file) => basename(file).startsWith("output-")).length, 4);
});

test("the body of a page cannot read anything that is not recorded", () => {
  const plan = bodyPlanOf({ title: "A", previous: 3, outputPath: "a.html" } as PagePlan);
  assert.equal(plan.title, "A");
  assert.throws(() => plan.previous, /"previous", which is not noted/);
  const site = bodySiteOf({ config: { name: "Acme", navbar: {} }, pages: [] } as unknown as Site);
  assert.equal(site.config.name, "Acme");
  assert.throws(() => site.config.navbar, /not noted/);
  assert.throws(() => site.pages, /not noted/);
  const files = noteFileReads({ root: "/", paths: [] } as unknown as SiteFiles, createReadLog());
  assert.throws(() => files.readBytes("a.png"), /not noted/);
});

/** Options of an export by the command line, which keeps its cache in a folder with its own name. */
const ofCommand = ({ options }: Small) => ({ ...options, cacheFolder: join(options.cacheFolder, "offprint") });
const startExport = (
  site: Small,
  output: string,
  program = cli,
  more: readonly string[] = [],
  { flags = [], env = {} }: { readonly flags?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
) =>
  start(process.execPath, [...flags, program, "export", site.source, "-o", output, "--json", ...more], {
    env: { ...process.env, XDG_CACHE_HOME: site.options.cacheFolder, ...env },
  });

const kills = soaking ? 50 : sweeping ? 8 : 2;
test(`an export that is killed, at ${kills} moments, leaves a store and a bundle that the next one can use`, async () => {
  const site = smallSite();
  const options = { ...ofCommand(site), archive: join(dirname(site.source), "site.tar.gz") };
  await exportIn(options);
  let killed = 0;
  for (let kill = 0; kill < kills; kill++) {
    site.write("a.mdx", `---\ntitle: Page a\n---\n\nRound ${kill}.\n`);
    site.write("e.mdx", `---\ntitle: Page ${kill}\n---\n\nText.\n`);
    // Without an archive, an output with few changes is updated in place.
    const child = startExport(site, options.output, cli, kill % 3 === 0 ? [] : ["-a", options.archive]);
    // A line for each step, eleven in all. After the last one, the store and the report are written.
    const line = Math.floor((kill / kills) * 11);
    const last = '"progress":100,';
    let text = "";
    child.stderr!.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const isReached = kill % 2 ? text.split("\n").length - 1 > line : text.includes(last);
      if (isReached) setTimeout(() => child.kill("SIGKILL"), (kill * 7) % 23);
    });
    if ((await finish(child)).signal === "SIGKILL") killed++;
    // The damage of two adds up.
    if (kill % 2) await assertAsCold(await exportIn(options), options, `kill ${kill} after ${text}`);
  }
  assert.ok(killed > kills / 4, `${killed} killed`);
  await exportIn({
    ...options,
    output: undefined,
    archive: join(dirname(site.source), "cold.tar.gz"),
    cacheFolder: undefined,
  });
  assert.ok(readFileSync(options.archive).equals(readFileSync(join(dirname(site.source), "cold.tar.gz"))));
});

test("two versions of the program that export one site at once, with one cache, share nothing", async () => {
  const site = smallSite();
  const place = dirname(site.source);
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const other = join(place, "other");
  cpSync(join(root, "dist"), join(other, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(other, "package.json"));
  symlinkSync(join(root, "node_modules"), join(other, "node_modules"));
  writeFileSync(join(other, "dist/build-id.txt"), "another build");
  // What is in the document around a stored body, and in a body: the image of a page that no round changes.
  const changes = { 'generator:"Offprint"': 'generator:"Another"', 'decoding:"async"': 'decoding:"sync"' };
  const pages = join(other, "dist/page-thread.js");
  for (const [ours, changed] of Object.entries(changes)) {
    const code = readFileSync(pages, "utf8");
    assert.ok(code.includes(ours), ours);
    writeFileSync(pages, code.replaceAll(ours, changed));
  }
  const options = ofCommand(site);
  const theirs = { output: `${options.output}-2`, program: join(other, "dist/cli/main.js") };
  for (const round of [1, 2]) {
    site.write("a.mdx", `---\ntitle: Page a ${round}\n---\n\nRound ${round}.\n`);
    const [{ code, stderr }, ours] = await Promise.all([
      finish(startExport(site, theirs.output, theirs.program)),
      exportIn(options),
    ]);
    assert.equal(code, 0, stderr);
    await assertAsCold(ours, options, `round ${round}`);
  }
  const cold = `${options.output}-3`;
  await finish(startExport(site, cold, theirs.program, ["--no-cache"]));
  assert.match(readFileSync(join(cold, "a.html"), "utf8"), /content="Another"/);
  assert.match(readFileSync(join(cold, "c.html"), "utf8"), /decoding="sync"/);
  assert.deepEqual(contentOf(theirs.output), contentOf(cold));
});

test("a file with an unchanged time and size may still have changed", async () => {
  const site = smallSite();
  const { source, write } = site;
  const options = { ...ofCommand(site), archive: join(dirname(source), "site.zip") };
  const future = new Date(Date.now() + 10 ** 10);
  for (const path of ["a.mdx", "b.mdx", "images/x.svg", "."]) utimesSync(join(source, path), future, future);
  await exportIn(options);
  const rewrite = (path: string, text: string, time?: Date): void => {
    const { mtime, size } = statSync(join(source, path));
    assert.equal(Buffer.byteLength(text), size);
    write(path, text);
    utimesSync(join(source, path), time ?? mtime, time ?? mtime);
  };
  const index = storeFiles(options.cacheFolder).find((file) => basename(file) === "index")!;
  const edits: readonly (() => void)[] = [
    () => rewrite("a.mdx", readFileSync(join(source, "a.mdx"), "utf8").replace("Page a", "Page x")),
    () => rewrite("e.mdx", readFileSync(join(source, "e.mdx"), "utf8").replace("Text of", "Word of")),
    () => rewrite("images/x.svg", image(20)),
    () => rewrite("snippets/note.mdx", "A word.\n", statSync(index).mtime),
    () => rewrite("docs.json", readFileSync(join(source, "docs.json"), "utf8").replace("Acme", "Emca"), new Date(0)),
  ];
  for (const [at, edit] of edits.entries()) {
    edit();
    await assertAsCold(await exportIn(options), options, `edit ${at}`);
  }
  const cold = join(dirname(source), "cold.zip");
  await exportIn({ ...options, output: undefined, archive: cold, cacheFolder: undefined });
  assert.ok(readFileSync(options.archive).equals(readFileSync(cold)));
});

/** For a process whose clock was an hour ahead until `AHEAD_UNTIL`: what changed before keeps the times of then. */
const clockAhead = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const until = Number(process.env.AHEAD_UNTIL);
  const { now } = Date;
  const ahead = (ms) => ms + (ms < until ? 3_600_000 : 0);
  const asThen = (stats) => {
    for (const name of stats ? ["mtimeMs", "ctimeMs"] : []) stats[name] = ahead(stats[name]);
    return stats;
  };
  Date.now = () => ahead(now());
  for (const name of ["statSync", "lstatSync", "fstatSync"]) {
    const stat = fs[name];
    fs[name] = (...args) => asThen(stat(...args));
  }
  syncBuiltinESMExports();
`;

test("a clock that is set back between two exports does no harm", async () => {
  const site = smallSite();
  const options = ofCommand(site);
  const flags = ["--import", `data:text/javascript,${encodeURIComponent(clockAhead)}`];
  const exportUntil = async (until: number): Promise<void> => {
    const env = { AHEAD_UNTIL: String(until) };
    const run = await finish(startExport(site, options.output, cli, [], { flags, env }));
    assert.equal(run.code, 0, run.stderr);
  };
  const files = (folder: string) => Object.entries(contentOf(folder)).filter(([, hash]) => hash !== "folder");
  const assertCold = async (what: string): Promise<void> => {
    const cold = { ...options, output: `${options.output}-cold`, cacheFolder: undefined };
    await exportIn(cold);
    assert.deepEqual(files(options.output), files(cold.output), what);
  };
  await settled();
  await exportUntil(Infinity);
  const setBack = Date.now();
  const edits: readonly (() => void)[] = [
    () => site.write("a.mdx", readFileSync(join(site.source, "a.mdx"), "utf8").replace("Page a", "Page x")),
    () => {
      site.write("e.mdx", "---\ntitle: E\n---\n\nText.\n");
      appendFileSync(join(options.output, "a.html"), "x");
      rmSync(join(options.output, "b.html"));
    },
    () => {},
  ];
  for (const [at, edit] of edits.entries()) {
    edit();
    await exportUntil(setBack);
    await assertCold(`edit ${at}`);
  }
});

test.skipIf(process.platform !== "linux")("a disk that is too full for the store only loses the store", async () => {
  const site = smallSite();
  const options = ofCommand(site);
  // A pack has the bodies of all pages, so it is larger than each file of the bundle.
  const words = "Words of a long text. ".repeat(1_000);
  for (const page of site.pages) site.write(`${page}.mdx`, `---\ntitle: Page ${page}\n---\n\n${words}\n`);
  const limited = ["-c", 'ulimit -f 250; exec "$0" "$@"', process.execPath, cli];
  const env = { ...process.env, XDG_CACHE_HOME: site.options.cacheFolder };
  const run = await finish(start("bash", [...limited, "export", site.source, "-o", options.output, "-q"], { env }));
  assert.equal(run.code, 0, run.stderr);
  const packs = storeFiles(options.cacheFolder).filter((file) => file.endsWith(".pack"));
  assert.equal(Math.max(...packs.map((file) => statSync(file).size)), 250 * 1024);
  site.write("e.mdx", "---\ntitle: Page e 2\n---\n\nText.\n");
  await assertAsCold(await exportIn(options), options, "a full disk");
});

const otherDisk = ["/dev/shm", "/tmp", fileURLToPath(new URL("../../../.cache", import.meta.url))].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(work).dev,
);
test.skipIf(otherDisk === undefined)("the cache may be on another file system than the bundle", async () => {
  const { options: usual, write } = smallSite();
  const options = { ...usual, cacheFolder: mkdtempSync(join(otherDisk!, "offprint-cache-")) };
  try {
    await exportIn(options);
    write("a.mdx", "---\ntitle: Page a\n---\n\nOther.\n");
    const result = await exportIn(options);
    assert.deepEqual(counts(), { made: 1, assembled: 0 });
    await assertAsCold(result, options, "another file system");
  } finally {
    rmSync(options.cacheFolder, { recursive: true });
  }
});

const ofWhole = Math.ceil(soaking / 40);
for (const [at, { name, folder }] of (soaking ? findCorpora() : []).entries()) {
  const seed = Date.now() + at;
  test(
    `${name}: the same after ${soaking} random edits of 40 pages`,
    () => editAtRandom(name, folder, soaking, seed, 40),
    7_200_000,
  );
  test(
    `${name}: the same after ${ofWhole} random edits of all pages`,
    () => editAtRandom(name, folder, ofWhole, seed),
    7_200_000,
  );
}
