import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import type { Staging } from "../../../src/bundle/archive/index.js";
import { openOutputRecord } from "../../../src/export/store/output-record.js";
import { exportSite } from "../../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "offprint-unchanged-"));
const source = join(folder, "site");
const options = {
  source,
  output: join(folder, "out"),
  archive: join(folder, "out.zip"),
  cacheFolder: join(folder, "cache"),
  concurrency: 1,
};

const config = {
  theme: "mint",
  name: "Acme",
  colors: { primary: "#0f766e" },
  navigation: { pages: ["index", "guide"] },
};

/** File systems count time in ticks. */
const nextTick = (): Promise<void> => setTimeout(60);
const write = (path: string, text: string): void => writeFileSync(join(source, path), text);
/** Exports once and says whether anything was made. */
async function runs(more: object = {}): Promise<boolean> {
  await nextTick();
  const result = await exportSite({ ...options, ...more });
  assert.ok(result.ok);
  return result.unchanged !== true;
}

beforeAll(async () => {
  mkdirSync(source);
  write("docs.json", JSON.stringify(config));
  write("index.mdx", "[Guide](/guide) and [nowhere](/nowhere)\n");
  write("guide.mdx", "## First steps\n");
  assert.equal(await runs(), true);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("an export of an unchanged site makes nothing, and reports the same", async () => {
  const bundle = statSync(join(options.output, "index.html"), { bigint: true });
  const [first, second] = [await exportSite(options), await exportSite({ ...options, concurrency: 2 })];
  for (const result of [first, second]) {
    assert.ok(result.ok && result.unchanged);
    assert.equal(result.pageCount, 2);
    assert.equal(result.siteName, "Acme");
    assert.deepEqual(
      result.diagnostics.map(({ code }) => code),
      ["LINK_NOT_FOUND"],
    );
    assert.deepEqual(
      JSON.parse(readFileSync(join(options.output, "offprint.json"), "utf8")),
      JSON.parse(JSON.stringify(result.manifest)),
    );
    assert.equal(result.archive?.bytes, statSync(options.archive).size);
    assert.deepEqual(
      result.inputs,
      ["docs.json", "guide.mdx", "index.mdx"].map((name) => join(source, name)),
    );
    const bytes = result.manifest!.files.reduce((sum, file) => sum + file.bytes, 0);
    assert.deepEqual(result.size, { fileCount: result.manifest!.files.length, bytes });
  }
  assert.equal(statSync(join(options.output, "index.html"), { bigint: true }).ctimeNs, bundle.ctimeNs);
});

const edits: Readonly<Record<string, () => void>> = {
  "a page has another text": () => write("guide.mdx", "# Guide\n\nMore.\n"),
  "a page has another text of the same length and date": () => {
    const { atime, mtime } = statSync(join(source, "guide.mdx"));
    write("guide.mdx", "# Guide\n\nLess.\n");
    utimesSync(join(source, "guide.mdx"), atime, mtime);
  },
  "a page takes the place of another": () => {
    writeFileSync(join(folder, "new.mdx"), "# Guide\n\nNews.\n");
    renameSync(join(folder, "new.mdx"), join(source, "guide.mdx"));
  },
  "a file is added": () => write("note.txt", "A note.\n"),
  "a file is removed": () => rmSync(join(source, "note.txt")),
  "a rule excludes files": () => write(".mintignore", "drafts\n"),
  "a file of the bundle was replaced": () => {
    writeFileSync(join(folder, "other.html"), "x");
    renameSync(join(folder, "other.html"), join(options.output, "index.html"));
  },
  "a file of the bundle was removed": () => rmSync(join(options.output, "guide.html")),
  "a file was put into the bundle": () => writeFileSync(join(options.output, "notes.txt"), "x"),
  "the bundle was removed": () => rmSync(options.output, { recursive: true }),
  "a folder was put into the bundle": () => mkdirSync(join(options.output, "notes")),
  "the archive was removed": () => rmSync(options.archive),
  "the archive was edited": () => appendFileSync(options.archive, "x"),
};
for (const [name, edit] of Object.entries(edits))
  test(`the next export makes the bundle again if ${name}`, async () => {
    await nextTick();
    edit();
    assert.equal(await runs(), true);
    assert.equal(await runs(), false);
  });

test("files that were written again with the same bytes count as unchanged: a fresh checkout, a restored cache", async () => {
  const copies = [source, options.output, options.cacheFolder, options.archive];
  for (const paths of [[join(source, "index.mdx")], [options.output], copies]) {
    for (const path of paths) {
      cpSync(path, `${path}.copy`, { recursive: true });
      rmSync(path, { recursive: true });
      renameSync(`${path}.copy`, path);
    }
    await nextTick();
    assert.equal(await runs(), false);
    assert.equal(await runs(), false);
  }
  const page = join(options.output, "guide.html");
  const html = readFileSync(page, "utf8");
  rmSync(page);
  writeFileSync(page, html.replace("Guide", "Gvide"));
  assert.notEqual(readFileSync(page, "utf8"), html);
  assert.equal(await runs(), true);
  assert.equal(readFileSync(page, "utf8"), html);
});

test("an output folder whose parent cannot be written is recognized, although the run works in it", async () => {
  const output = join(folder, "mount");
  mkdirSync(output);
  const inside = { output, archive: undefined };
  await runs(inside);
  // A run that may not write to the parent makes its work folder inside the output, as it does for a mount point.
  const staging = {
    target: output,
    folder: join(output, ".mount.offprint-1-a", "bundle"),
  } as Partial<Staging> as Staging;
  const name = readdirSync(join(options.cacheFolder, "pages")).find((entry) => !entry.startsWith("."))!;
  const open = () => openOutputRecord(join(options.cacheFolder, "pages", name), staging, false);
  await nextTick();
  mkdirSync(staging.folder, { recursive: true });
  assert.equal(open()?.isWhole(), true);
  writeFileSync(join(output, "other"), "x");
  assert.equal(open()?.isWhole(), false);
});

test("with verify, a change to a file of the bundle is found and undone", async () => {
  const file = join(options.output, "guide.html");
  const before = readFileSync(file);
  await nextTick();
  assert.equal(await runs({ verify: true }), false);
  appendFileSync(file, "x");
  assert.equal(await runs({ verify: true }), true);
  assert.ok(readFileSync(file).equals(before));
  assert.equal(await runs({ verify: true }), false);
});

test("the next export gives the same result as any export", async () => {
  const fresh = await exportSite({ source, output: "memory" });
  assert.ok(fresh.ok);
  assert.deepEqual(
    readdirSync(options.output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
    fresh.files.size,
  );
  for (const [path, bytes] of fresh.files) assert.ok(readFileSync(join(options.output, path)).equals(bytes), path);
});

test("other settings make the bundle again, and each combination has its own record", async () => {
  const other = { baseUrl: "https://docs.example.com", output: join(folder, "other"), archive: undefined };
  assert.equal(await runs(other), true);
  assert.equal(await runs(other), false);
  assert.equal(await runs(), false);
  const analytics = { url: "https://count.example.com", domain: "docs.example.com" };
  assert.equal(await runs({ analytics }), true);
  assert.equal(await runs({ analytics }), false);
  assert.equal(await runs({ analytics: { ...analytics, searches: true } }), true);
  assert.equal(await runs({ strict: false, parser: "remark" }), true);
  assert.equal(await runs({ cacheFolder: undefined }), true);
});

test("a file that changes while it is exported is exported again", async () => {
  let left = 1;
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase === "outputs" && left-- > 0) write("guide.mdx", "# Guide\n\nAfter it was read.\n");
  };
  write("guide.mdx", "# Guide\n\nBefore.\n");
  assert.equal(await runs({ onProgress }), true);
  assert.match(readFileSync(join(options.output, "guide.html"), "utf8"), /After it was read/);
  // How soon its record is trusted depends on the machine; the next run is one of the new file in any case.
  await runs();
  assert.match(readFileSync(join(options.output, "guide.html"), "utf8"), /After it was read/);
});

test("a bundle that was made from answers of the network is made again", async () => {
  const api = { openapi: "https://127.0.0.1:9/openapi.json" };
  write("docs.json", JSON.stringify({ ...config, api }));
  assert.equal(await runs(), true);
  assert.equal(await runs(), true);
});
