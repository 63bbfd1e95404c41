import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ExportPhase, exportShard, exportSite } from "offprint";
import { describe, test } from "vitest";
import { sampleOf } from "../../quality/bundle.js";
import { page, temporaryFolder, writeSite } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const api = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { summary: "List", responses: { 200: { description: "All" } } } } },
});
const settings = {
  theme: "mint",
  name: "Acme",
  colors: { primary: "#0a6c5b" },
  navigation: {
    pages: ["index", "other", "last", { group: "API", openapi: "api.json", pages: ["GET /pets"] }],
  },
  fonts: { family: "Own", source: "/fonts/own.woff2", format: "woff2" },
};

/** A site with a file of every kind that an export reads. */
function writeEveryKind(folder: string): string {
  const site = writeSite(folder, {
    "docs.json": JSON.stringify(settings),
    "index.mdx": page("Start", 'import Part from "/snippets/part.mdx";\n\n<Part />\n\n![A dot](/images/dot.png)'),
    "other.mdx": page("Other", 'import { Live } from "/snippets/live.jsx";\n\n<Live />'),
    "last.mdx": page("Last", "Old text."),
    "snippets/part.mdx": "A part.",
    "snippets/live.jsx": "export const Live = () => <b>live</b>;",
    "api.json": api,
    "style.css": ".a { color: red }",
    "script.js": "window.a = 1;",
    "download.txt": "A file to download.",
  });
  writeSite(join(folder, "fonts"), { "own.woff2": "not a font", "docs.json": "" });
  rmSync(join(folder, "fonts/docs.json"));
  writeSite(join(folder, "images"), { "docs.json": "" });
  rmSync(join(folder, "images/docs.json"));
  writeFileSync(join(folder, "images/dot.png"), pixel);
  return site;
}

/** Exports a site that changes once, and the same site again. */
async function exportWhile(
  phase: ExportPhase,
  change: (site: string) => void,
  { run = exportInProcess, cacheFolder }: { run?: typeof exportInProcess; cacheFolder?: string } = {},
) {
  const folder = temporaryFolder();
  const site = writeEveryKind(join(folder, "site"));
  let isDone = false;
  const output = join(folder, "out");
  const result = await run({
    source: site,
    output,
    cacheFolder,
    onProgress(progress) {
      if (progress.phase !== phase || isDone) return;
      isDone = true;
      change(site);
    },
  });
  const again = await exportInProcess({ source: site, output: join(folder, "again") });
  const changed = result.diagnostics.filter(({ code }) => code === "SOURCE_CHANGED");
  const others = result.diagnostics.filter(({ code }) => code !== "SOURCE_CHANGED");
  return { folder, output, result, again, changed, others };
}

const kinds = [
  "last.mdx",
  "snippets/part.mdx",
  "snippets/live.jsx",
  "api.json",
  "images/dot.png",
  "fonts/own.woff2",
  "style.css",
  "script.js",
  "download.txt",
];

type Exported = Awaited<ReturnType<typeof exportWhile>>;

function expectNewState(exported: Exported, paths: readonly string[], what: RegExp): void {
  const { folder, result, again, changed, others } = exported;
  assert.equal(result.ok, true);
  assert.deepEqual(changed.map(({ location }) => location?.sourcePath).toSorted(), paths.toSorted());
  for (const diagnostic of changed) {
    assert.equal(diagnostic.severity, "warning");
    assert.match(diagnostic.what, what);
  }
  assert.deepEqual(others, again.diagnostics);
  assert.deepEqual(result.manifest?.files, again.manifest?.files);
  assert.deepEqual(readdirSync(folder).toSorted(), ["again", "out", "site"]);
}

describe("a file that vanishes while the site is read", () => {
  for (const path of sampleOf(kinds, 4))
    test(`${path}: the bundle is that of the site without the file, and the file is reported`, async () => {
      const exported = await exportWhile("assets", (site) => rmSync(join(site, path)));
      expectNewState(exported, [path], /was deleted while the export was reading the site/);
    });

  test("files of every kind, after their threads have started", async () => {
    const removeAll = (site: string) => {
      for (const path of kinds) rmSync(join(site, path));
    };
    const exported = await exportWhile("pages", removeAll, { run: exportSite });
    expectNewState(exported, kinds, /was deleted while the export was reading the site/);
  });

  test("docs.json: nothing is exported, and the diagnostics say why", async () => {
    const { result, output } = await exportWhile("assets", (site) => rmSync(join(site, "docs.json")));
    assert.equal(result.ok, false);
    assert.ok(result.diagnostics.some(({ code }) => code === "CONFIG_NOT_FOUND"));
    assert.equal(existsSync(output), false);
  });

  test("with a cache, the result is the same", async () => {
    const cacheFolder = temporaryFolder();
    const exported = await exportWhile("assets", (site) => rmSync(join(site, "last.mdx")), { cacheFolder });
    expectNewState(exported, ["last.mdx"], /was deleted/);
  });
});

describe("a file that changes while the site is read", () => {
  test("of any kind is in the bundle with its new content, and is reported", async () => {
    const changeAll = (site: string) => {
      for (const path of kinds) appendFileSync(join(site, path), "\n\n ");
    };
    const exported = await exportWhile("pages", changeAll, { run: exportSite });
    expectNewState(exported, kinds, /changed while the export was reading the site/);
  });

  test("but is not part of the site is not reported", async () => {
    const { changed } = await exportWhile("pages", (site) => writeFileSync(join(site, "new.mdx"), page("New", "x")));
    assert.deepEqual(changed, []);
  });

  test("repeatedly ends the export with one sentence, and leaves the previous bundle", async () => {
    const folder = temporaryFolder();
    const site = writeEveryKind(join(folder, "site"));
    const output = join(folder, "out");
    await exportInProcess({ source: site, output });
    const before = readFileSync(join(output, "last.html"), "utf8");
    let count = 0;
    const running = exportInProcess({
      source: site,
      output,
      onProgress({ phase }) {
        if (phase === "outputs") writeFileSync(join(site, "last.mdx"), page("Last", `Text ${count++}.`));
      },
    });
    await assert.rejects(running, /keeps changing: last\.mdx changed during each of 4 attempts/);
    assert.equal(readFileSync(join(output, "last.html"), "utf8"), before);
    assert.deepEqual(readdirSync(folder).toSorted(), ["out", "site"]);
  });
});

describe("a shard of a site", () => {
  /** Makes the only shard while the site changes at a phase, and exports the site with the same cache. */
  async function shardWhile(change: (site: string) => void) {
    const folder = temporaryFolder();
    const site = writeEveryKind(join(folder, "site"));
    const cacheFolder = join(folder, "cache");
    let isDone = false;
    const shard = await exportShard({
      source: site,
      cacheFolder,
      shard: { index: 1, count: 1 },
      onProgress({ phase }) {
        if (phase !== "assets" || isDone) return;
        isDone = true;
        change(site);
      },
    });
    const joined = await exportInProcess({ source: site, output: join(folder, "joined"), cacheFolder });
    const alone = await exportInProcess({ source: site, output: join(folder, "alone") });
    return { shard, joined, alone };
  }

  test("in which a page vanishes is made again without the page, and reports it", async () => {
    const { shard, joined, alone } = await shardWhile((site) => rmSync(join(site, "last.mdx")));
    assert.equal(shard.ok, true);
    assert.deepEqual(
      shard.diagnostics.map(({ code, location }) => [code, location?.sourcePath]),
      [["SOURCE_CHANGED", "last.mdx"]],
    );
    assert.deepEqual(joined.manifest?.files, alone.manifest?.files);
  });

  test("in which files of every kind vanish or change gives the export of the final site", async () => {
    for (const change of [rmSync, (path: string) => appendFileSync(path, "\n\n ")]) {
      const { shard, joined, alone } = await shardWhile((site) => {
        for (const path of kinds) change(join(site, path));
      });
      assert.equal(shard.ok, true);
      assert.deepEqual(joined.diagnostics, alone.diagnostics);
      assert.deepEqual(joined.manifest?.files, alone.manifest?.files);
    }
  });
});
