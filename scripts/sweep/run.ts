// Breadth on demand, beyond `npm test`:
//
//   npm run sweep                          tests over everything that npm test samples
//   npm run sweep -- --changed REF         the same, of files that changed since REF
//   npm run sweep -- specs FOLDER          exports every API specification of a folder and compares pages and source
import { spawnSync } from "node:child_process";
import { sweepSpecs } from "./specs/run.ts";

const [kind, ...rest] = process.argv.slice(2);
if (kind === "specs") process.exitCode = await sweepSpecs(rest);
else process.exitCode = runTests(process.argv.slice(2));

function runTests(args: readonly string[]): number {
  const { status } = spawnSync("npx", ["vitest", "run", ...args], {
    stdio: "inherit",
    env: { ...process.env, OFFPRINT_SWEEP: "1" },
  });
  return status ?? 1;
}
