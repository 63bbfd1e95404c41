/** Tests fail for what the code does, never because the machine is slow. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { patienceMs } from "../support/patience.js";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** Each finds a wall-clock limit, whose milliseconds may be its first group. */
const limits: readonly RegExp[] = [
  /^\s*\}, (\d[\d_]{3,}(?: \* [\d_]+)*)\);/gm, // Of a test or hook, as its last argument.
  /\btimeout: (\d[\d_]{2,}(?: \* [\d_]+)*)/g,
  /\bAbortSignal\.timeout\(/g,
  /\bset(?:DefaultTimeout|DefaultNavigationTimeout)\((\d[\d_]*)/g,
  /\bwaitUntil\([^;{]*?, (\d[\d_]{3,})\);/g,
  /(?:performance|Date)\.now\(\) - \w+\)?(?:\.toBeLessThan\(| <=? )(\d[\d_]{2,})/g,
];

/** The programs that are started by hand, and this. */
const exempt = /^(?:support\/patience|quality\/time-limits\.test|page\/islands-site\/write-expected)\.ts$/;

test("no test has a wall-clock limit that a machine twenty times slower could reach", () => {
  const found = globSync("**/*.{ts,tsx}", { cwd: folder })
    .filter((path) => !exempt.test(path))
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(folder + path, "utf8");
      return limits.flatMap((pattern) =>
        [...text.matchAll(pattern)]
          .filter(([, ms]) => ms === undefined || productOf(ms) < patienceMs)
          .map(({ 0: line, index }) => `${path}:${text.slice(0, index).split("\n").length} ${line}`),
      );
    });
  assert.deepEqual(found, []);
});

const productOf = (text: string): number =>
  text.split(" * ").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
