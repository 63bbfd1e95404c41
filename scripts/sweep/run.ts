// Breadth on demand, beyond `npm test`:
//
//   npm run sweep                          tests over everything that npm test samples
//   npm run sweep -- --changed REF         the same, of the folders of test that mirror what has changed since REF
//   npm run sweep -- specs FOLDER          exports every API specification of a folder and compares pages and source
//   npm run sweep -- sites FOLDER          exports every documentation site of a folder, compares pages and source, and
//                                          opens a sample in Chromium
//   npm run sweep -- import FOLDER         converts every repository of a folder from its tool, exports it, and compares pages,
//                                          navigation, anchors and code with the files
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sweepImports } from "./import/run.ts";
import { sweepSites } from "./sites/run.ts";
import { sweepSpecs } from "./specs/run.ts";

const args = process.argv.slice(2);
const [what, ...rest] = args;
const sweeps: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  specs: sweepSpecs,
  sites: sweepSites,
  import: sweepImports,
};
process.exitCode = what !== undefined && Object.hasOwn(sweeps, what) ? await sweeps[what]!(rest) : runTests();

function runTests(): number {
  const at = args.indexOf("--changed");
  const changed = at < 0 ? undefined : changedSince(args.splice(at, 2)[1]!);
  const files = sampledTests().filter((path) => changed === undefined || changed.some((each) => covers(path, each)));
  if (files.length === 0) {
    console.log("No test that takes samples covers what has changed.");
    return 0;
  }
  const vitest = ["vitest", "run", ...files, "--testTimeout", "1800000", ...args];
  const env = { ...process.env, OFFPRINT_SWEEP: "1" };
  return spawnSync("npx", vitest, { stdio: "inherit", env }).status ?? 1;
}

/** Test files that take samples of what they could test, themselves or in a module beside them. */
function sampledTests(): string[] {
  const samples = (path: string): boolean => {
    const text = readFileSync(path, "utf8");
    const besides = [...text.matchAll(/ from "\.\/([\w-]+)\.js"/g)].map(([, name]) =>
      join(dirname(path), `${name}.ts`),
    );
    return (
      /\b(?:sweeping|sampleOf|OFFPRINT_SWEEP)\b/.test(text) || besides.some((each) => existsSync(each) && samples(each))
    );
  };
  return globSync("test/**/*.test.{ts,tsx}").filter(samples).toSorted();
}

function changedSince(ref: string): readonly string[] {
  const words = ["diff", "--name-only", "--no-renames", `${ref}...HEAD`];
  return execFileSync("git", words, { encoding: "utf8" }).trim().split("\n");
}

/** Tests of rooms that their folder does not mirror. */
const acrossRooms: Readonly<Record<string, RegExp>> = {
  "test/quality": /^src\/(?:page|reference|bundle|reader)\//,
  "test/security": /^src\/(?:page|reference|site|bundle)\//,
  "test/page/highlight": /^src\/lib\/textmate\//,
  "test/fuzz": /^src\/(?:page|reference|site|export)\//,
  "test/export/corpora": /^src\/(?:page|reference|site|bundle)\//,
  "test/bundle/outputs/markdown-of-corpora": /^src\/(?:page|site)\//,
};

/** Whether a test file is, or lies in the nearest folder of test that mirrors the folder of, a changed file of src or test. */
function covers(test: string, changed: string): boolean {
  if (!/^(?:src|test)\//.test(changed)) return false;
  if (Object.entries(acrossRooms).some(([folder, rooms]) => test.startsWith(folder) && rooms.test(changed)))
    return true;
  let folder = dirname(changed).replace(/^src/, "test");
  while (!existsSync(folder)) folder = dirname(folder);
  return folder === "test" ? test === changed : test.startsWith(`${folder}/`);
}
