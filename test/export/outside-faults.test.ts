import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import {
  cli,
  contentOf,
  finish,
  page,
  runCli,
  start,
  temporaryFolder,
  writeManyPages,
  writeSite,
} from "../support/cli.js";

const library = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Exports the site in a process of its own that runs `hook` at each progress. */
function exportWith(hook: string, limit: string, prepare = "") {
  const options = JSON.stringify({ source: join(folder, "site"), output: join(folder, "out") });
  const script = join(folder, "export.mjs");
  writeFileSync(
    script,
    `import fs from "node:fs";
    import { Worker } from "node:worker_threads";
    import { exportSite } from ${JSON.stringify(library)};
    ${prepare}
    const result = await exportSite({ ...${options}, onProgress: ({ phase, done }) => { ${hook} } });
    console.log(JSON.stringify([result.ok, result.pageCount, result.diagnostics]));`,
  );
  return finish(start("bash", ["-c", `${limit}; exec "$0" "$@"`, process.execPath, script]));
}

test("an export waits while too many files are open", async () => {
  writeManyPages(join(folder, "site"), 30);
  const closeLater = `
    const { parentPort } = require("node:worker_threads");
    const close = (fds) => fds.forEach((fd) => require("node:fs").closeSync(fd));
    parentPort.on("message", (fds) => setTimeout(close, 500, fds));
    parentPort.postMessage("ready");`;
  const prepare = `
    const closer = new Worker(${JSON.stringify(closeLater)}, { eval: true });
    await new Promise((resolve) => closer.once("message", resolve));
    closer.unref();`;
  const hook = `
    if (phase !== "pages" || done !== 5) return;
    const fds = [];
    try {
      for (;;) fds.push(fs.openSync("/dev/null"));
    } catch {
      closer.postMessage(fds);
    }`;
  const run = await exportWith(hook, "ulimit -n 64", prepare);
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(JSON.parse(run.stdout), [true, 30, []]);
});

test("a file that exceeds the size limit of the system ends the export with one sentence", async () => {
  writeSite(join(folder, "site"), { "index.mdx": page("Start", "Welcome."), "large.txt": "x".repeat(4_000_000) });
  const args = ["export", join(folder, "site"), "-o", join(folder, "out"), "--no-cache", "-q"];
  const run = await finish(start("bash", ["-c", 'ulimit -f 1000; exec "$0" "$@"', process.execPath, cli, ...args]));
  assert.equal(run.code, 3, run.stderr);
  expect(run.stderr).toMatch(/^offprint: EFBIG[^\n]*\n {2}fix: the file exceeds the size limit[^\n]*untouched\.\n$/);
  assert.deepEqual(readdirSync(folder), ["site"]);
});

test("an unfinished bundle that is deleted during the export ends it with a system error, and leaves nothing", async () => {
  writeManyPages(join(folder, "site"), 30);
  const hook = `
    if (phase !== "pages" || done !== 5) return;
    for (const name of fs.readdirSync(${JSON.stringify(folder)}))
      if (name.startsWith(".out.offprint-")) fs.rmSync(${JSON.stringify(`${folder}/`)} + name, { recursive: true });`;
  const run = await exportWith(hook, "true");
  assert.equal(run.code, 1);
  assert.match(run.stderr, /ENOENT: no such file or directory/);
  assert.deepEqual(readdirSync(folder).toSorted(), ["export.mjs", "site"]);
});

test.skipIf(isRoot)("a page and an output without permission end the export with one sentence each", async () => {
  writeSite(join(folder, "site"), { "index.mdx": page("Start", "Welcome."), "other.mdx": page("Other", "Text.") });
  chmodSync(join(folder, "site/other.mdx"), 0);
  const args = ["export", join(folder, "site"), "--no-cache", "-q", "-o"];
  const unreadable = await runCli([...args, join(folder, "out")]);
  assert.equal(unreadable.code, 3);
  assert.match(unreadable.stderr, /^offprint: EACCES: cannot read other\.mdx of the site [^\n]*\n {2}fix: [^\n]*\n$/);
  rmSync(join(folder, "site/other.mdx"));
  mkdirSync(join(folder, "closed"), { mode: 0o500 });
  const before = contentOf(folder);
  const closed = await runCli([...args, join(folder, "closed/out")]);
  assert.equal(closed.code, 3);
  assert.match(closed.stderr, /^offprint: EACCES: [^\n]*\n {2}fix: choose another folder[^\n]*\n$/);
  assert.deepEqual(contentOf(folder), before);
});
