// Breadth on demand, beyond `npm test`:
//
//   npm run sweep                          tests over everything that npm test samples
//   npm run sweep -- --changed REF         the same, of files that changed since REF
//   npm run sweep -- specs FOLDER          exports every API specification of a folder and compares pages and source
//   npm run sweep -- sites FOLDER          exports every documentation site of a folder, compares pages and source, and
//                                          opens a sample in Chromium
//   npm run sweep -- import FOLDER         converts every repository of a folder from its tool, exports it, and compares pages,
//                                          navigation, anchors and code with the files
import { spawnSync } from "node:child_process";
import { sweepImports } from "./import/run.ts";
import { sweepSites } from "./sites/run.ts";
import { sweepSpecs } from "./specs/run.ts";

/** Tests that take samples of what they could test; the variable OFFPRINT_SWEEP lets them take all. */
const sampledTests =
  "test/quality test/reader test/bundle/search test/bundle/outputs test/export/corpora.test.ts test/export/same-bytes.test.ts test/export/store/page-store.test.ts test/export/run/changing-site.test.ts test/export/run/outside-faults.test.ts test/serve/in-browser.test.ts test/security test/fuzz test/cli/codes.test.ts test/page/content test/page/diagrams test/page/islands/limits.test.ts test/page/islands-site test/reference/models.test.ts test/reference/compiled-samples.test.ts test/service/console test/service/jobs/random-schedules.test.ts test/service/worker/sandbox.test.ts test/repair".split(
    " ",
  );

const args = process.argv.slice(2);
const [what, ...rest] = args;
const sweeps: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  specs: sweepSpecs,
  sites: sweepSites,
  import: sweepImports,
};
process.exitCode = what !== undefined && Object.hasOwn(sweeps, what) ? await sweeps[what]!(rest) : runTests();

function runTests(): number {
  const vitest = ["vitest", "run", ...sampledTests, "--testTimeout", "1800000", ...args];
  const env = { ...process.env, OFFPRINT_SWEEP: "1" };
  return spawnSync("npx", vitest, { stdio: "inherit", env }).status ?? 1;
}
