import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished, test } from "vitest";
import { finish, start, temporaryFolder, writeManyPages } from "../support/cli.js";

const isSoak = process.env["OFFPRINT_SOAK"] === "1";
const library = fileURLToPath(new URL("../../dist/index.js", import.meta.url));

/** Exports a site in its own process, which reports when its first page is finished. */
function startExport(pages: number, pageTimeoutMs: number): ChildProcess {
  const folder = temporaryFolder();
  const options = { source: writeManyPages(join(folder, "site"), pages), output: join(folder, "out"), pageTimeoutMs };
  const script = join(folder, "export.mjs");
  writeFileSync(
    script,
    `import { exportSite } from ${JSON.stringify(library)};
    const onProgress = ({ phase }) => phase === "pages" && process.stderr.write("pages\\n");
    const { ok, pageCount, diagnostics } = await exportSite({ ...${JSON.stringify(options)}, onProgress });
    console.log(JSON.stringify({ ok, pageCount, diagnostics }));`,
  );
  return start(process.execPath, [script]);
}

async function expectPages(child: ChildProcess, pages: number): Promise<void> {
  const run = await finish(child);
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(JSON.parse(run.stdout), { ok: true, pageCount: pages, diagnostics: [] });
}

test("a process that is paused for longer than the timeout of a page exports every page", async () => {
  const child = startExport(60, 1000);
  const ended = expectPages(child, 60);
  for (let stops = 0; stops < 3; stops++) {
    await new Promise((resolve) => child.stderr!.once("data", resolve));
    child.kill("SIGSTOP");
    await sleep(1300);
    child.kill("SIGCONT");
  }
  await ended;
});

test.skipIf(!isSoak)("200 pages next to four busy processes have no error page", async () => {
  const busy = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["-e", "const end = Date.now() + 300_000; while (Date.now() < end);"]),
  );
  onTestFinished(() => void busy.map((each) => each.kill("SIGKILL")));
  await expectPages(startExport(200, 2000), 200);
});
