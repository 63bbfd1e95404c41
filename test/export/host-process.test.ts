import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { contentOf, finish, page, start, temporaryFolder, writeSite } from "../support/cli.js";

const library = pathToFileURL(fileURLToPath(new URL("../../dist/index.js", import.meta.url))).href;

/** A build tool: exports and checks a site, and compares its own state before and after. */
const script = `
import v8 from "node:v8";
import { syncBuiltinESMExports } from "node:module";
import { getEventListeners } from "node:events";
import { setTimeout } from "node:timers/promises";

const flags = [];
v8.setFlagsFromString = (flag) => flags.push(flag);
syncBuiltinESMExports();
const { checkSite, exportSite } = await import(${JSON.stringify(library)});
const stop = new AbortController();
const [source, output, archive, cacheFolder] = process.argv.slice(-4);

/** Threads, their ports and child processes. */
const running = () => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort|Process/.test(name));
const state = () => ({
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  environment: { ...process.env },
  folder: process.cwd(),
  mask: process.umask(),
  title: process.title,
  exitCode: process.exitCode,
  globals: Object.getOwnPropertyNames(globalThis),
  signal: getEventListeners(stop.signal, "abort").length,
  stdin: process.stdin.listenerCount("data"),
  running: running(),
  flags: [...flags],
});
const before = state();
const results = [
  await exportSite({ source, output, archive, cacheFolder, signal: stop.signal }),
  await exportSite({ source, cacheFolder, output: "memory", signal: stop.signal }),
  await exportSite({ source, cacheFolder, archive: archive.replace(".zip", ".tar.gz"), signal: stop.signal }),
  await checkSite({ source, cacheFolder, signal: stop.signal }),
];
// The process that renders diagrams is killed at the end of a run; the system reports its exit a moment later.
for (let i = 0; i < 100 && running().length > 0; i++) await setTimeout(50);
console.log(JSON.stringify({ before, after: state(), ok: results.map(({ ok }) => ok) }));
`;

test("an export leaves its process as it was, and writes only to output, archive and cache folder", async () => {
  const place = temporaryFolder();
  const source = writeSite(join(place, "site"), {
    "index.mdx": page("Start", "```mermaid\ngraph TD\n  A --> B\n```\n\n```js\nconst a = 1;\n```"),
    "two.mdx": page("Two", "[Start](/)"),
  });
  const [work, home] = [join(place, "work"), join(place, "home")];
  for (const folder of [work, home]) mkdirSync(folder);
  const tool = join(place, "build.mjs");
  writeFileSync(tool, script);
  const before = contentOf(source);
  const [output, archive, cache] = ["out", "x.zip", "cache"].map((name) => join(place, name));
  const child = start(process.execPath, [tool, source, output!, archive!, cache!], {
    cwd: work,
    env: { PATH: process.env["PATH"], TMPDIR: work, HOME: home },
  });
  const { code, stdout, stderr } = await finish(child);
  assert.deepEqual([code, stderr], [0, ""]);
  const run = JSON.parse(stdout) as { before: { flags: unknown }; after: unknown; ok: boolean[] };
  assert.deepEqual(run.ok, [true, true, true, true]);
  expect(run.after).toEqual(run.before);
  assert.deepEqual(run.before.flags, []);
  assert.deepEqual(contentOf(source), before);
  for (const folder of [work, home]) assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(readdirSync(place).toSorted(), [
    "build.mjs",
    "cache",
    "home",
    "out",
    "site",
    "work",
    "x.tar.gz",
    "x.zip",
  ]);
});
