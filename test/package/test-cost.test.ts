import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/cli.js";

const script = fileURLToPath(new URL("../../scripts/check-test-cost.js", import.meta.url));
const record = { "a.test.ts": 10, "b.test.ts": 5, "c.test.ts": 2, "d.test.ts": 0.1 };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Runs the check on files that take so many seconds. */
function check(seconds: Readonly<Record<string, number>>, ...flags: string[]) {
  const report = join(folder, "report.jsonl");
  const path = join(folder, "cost.json");
  writeFileSync(
    report,
    Object.entries(seconds)
      .map(([file, value]) => JSON.stringify({ file, seconds: value }))
      .join("\n"),
  );
  writeFileSync(path, JSON.stringify(record));
  const env = { ...process.env, OFFPRINT_COST_RECORD: path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, report, ...flags], { encoding: "utf8", env });
  return { status, stdout, faults: stderr.trim(), record: JSON.parse(readFileSync(path, "utf8")) as unknown };
}

test("test files that cost as much as their record pass, even on a machine that is half as fast", () => {
  expect(check(record)).toMatchObject({ status: 0, faults: "" });
  expect(check({ "a.test.ts": 20, "b.test.ts": 10, "c.test.ts": 4, "d.test.ts": 0.3 })).toMatchObject({ status: 0 });
});

test("a test file that costs a fifth more than its record fails the check", () => {
  const { status, faults } = check({ ...record, "a.test.ts": 13.5 });
  expect([status, faults]).toEqual([1, "a.test.ts takes 13.5 s of processor time; its record allows 13.0 s here."]);
});

test("an expensive test file without a record fails the check", () => {
  const { status, faults } = check({ ...record, "new.test.ts": 12 });
  expect([status, faults]).toEqual([1, "new.test.ts has no record and takes 12.0 s."]);
});

test("a program that test files share is counted in the sum, and needs no record", () => {
  const { status, stdout, faults } = check({ ...record, "(Chromium)": 300 });
  expect([status, faults]).toEqual([0, ""]);
  expect(stdout).toMatch(/^4 files, 317 s .*\n\(Chromium\) takes 300 s of them\.\n$/);
});

test("with --write, the report becomes the record of test costs", () => {
  expect(check({ "a.test.ts": 1.26 }, "--write")).toMatchObject({ status: 0, record: { "a.test.ts": 1.3 } });
});
