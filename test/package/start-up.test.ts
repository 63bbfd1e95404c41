import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder, writeSite } from "../support/cli.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Sizes of the scripts that one run of the program loads in its main thread, by path. */
function loadedScripts(...words: readonly string[]): ReadonlyMap<string, number> {
  const folder = temporaryFolder();
  const list = join(folder, "loaded.txt");
  const preload = join(folder, "preload.mjs");
  writeFileSync(list, "");
  writeFileSync(
    preload,
    `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";
registerHooks({
  load(url, context, next) {
    if (isMainThread && url.startsWith("file:")) appendFileSync(${JSON.stringify(list)}, url + "\\n");
    return next(url, context);
  },
});
`,
  );
  execFileSync(process.execPath, ["--import", preload, program, ...words], { stdio: "pipe" });
  const paths = readFileSync(list, "utf8")
    .trim()
    .split("\n")
    .map((url) => fileURLToPath(url))
    .filter((path) => path !== preload);
  return new Map(paths.map((path) => [path, readFileSync(path).length]));
}

const bytesOf = (scripts: ReadonlyMap<string, number>): number => [...scripts.values()].reduce((sum, n) => sum + n, 0);

test("the help loads no command, and little else", () => {
  const scripts = loadedScripts("--help");
  expect(bytesOf(scripts)).toBeLessThan(120_000);
  expect([...scripts.keys()].filter((path) => path.endsWith("/cli/export.js"))).toEqual([]);
});

test("an export of a site that has not changed does not load what makes pages", async () => {
  const site = writeSite(temporaryFolder(), { "docs.json": '{"name":"Small"}', "index.mdx": "# One\n\nText.\n" });
  const output = join(temporaryFolder(), "out");
  const words = ["export", site, "--output", output, "--cache", temporaryFolder()];
  // A file that has just been written may change again without a new time.
  await setTimeout(200);
  const first = loadedScripts(...words);
  expect(bytesOf(first)).toBeGreaterThan(600_000);
  // Such as the parser of style sheets, which takes 7 ms to load.
  expect([...first.keys()].filter((path) => path.includes("/node_modules/"))).toEqual([]);
  expect(bytesOf(loadedScripts(...words))).toBeLessThan(350_000);
});
