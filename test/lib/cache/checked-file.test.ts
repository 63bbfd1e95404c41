import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { readChecked, readCheckedLines, writeChecked, writeCheckedLines } from "../../../src/lib/cache/index.js";

const folder = mkdtempSync(join(tmpdir(), "checked-"));
const file = join(folder, "lines");
/** A failure prints texts; thousands of buffers would take all memory. */
const linesIn = (path: string): string[] => [...readCheckedLines(path)].map(String);
const texts: readonly (readonly [rule: string, lines: readonly string[]])[] = [
  ["no line", []],
  ["one line", ["a"]],
  ["lines in other scripts", ["→ α", "", "日本語", "x"]],
  ["more than one piece", Array.from({ length: 3_000 }, (_, n) => `${n} ${"ä".repeat(n % 200)}`)],
  ["a line longer than a piece", ["a", "b".repeat(200_000), "c"]],
];
for (const [rule, lines] of texts)
  test(`a checked file has ${rule}`, () => {
    assert.equal(writeCheckedLines(file, lines), true);
    assert.deepEqual(linesIn(file), lines);
    const written = readFileSync(file);
    assert.equal(writeChecked(file, Buffer.from(lines.join("\n"))), true);
    assert.ok(readFileSync(file).equals(written));
  });

test("a damaged checked file has no content and no lines", () => {
  writeCheckedLines(file, ["one", "two"]);
  writeFileSync(file, readFileSync(file, "utf8").replace("two", "tow"));
  assert.equal(readChecked(file), undefined);
  assert.deepEqual(linesIn(file), []);
});

test("lines that cannot be written leave the old file and no draft", () => {
  writeCheckedLines(file, ["one"]);
  const failing = function* () {
    yield "two";
    throw new Error("no more");
  };
  assert.equal(writeCheckedLines(file, failing()), false);
  assert.deepEqual(linesIn(file), ["one"]);
  assert.deepEqual(readdirSync(folder), ["lines"]);
});
