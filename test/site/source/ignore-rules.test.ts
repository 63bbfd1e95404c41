import assert from "node:assert/strict";
import ignore from "ignore";
import { test } from "vitest";
import defaults from "../../../src/site/source/default-ignore-rules.json" with { type: "json" };
import { ignoreTest } from "../../../src/site/source/ignore-rules.js";
import { seeded } from "../../support/seeded.js";

const inRules = [..."ab*?.!#{$(+ ", "**", "foo", "x.md", "é", "[ab]", "[a/b]", "\\*", "\\ ", "a b", "*.md", "/", "\t"];
const names = [
  "a",
  "b",
  "foo",
  "x.md",
  "ab",
  "axb",
  "é",
  "foo.md",
  "a b",
  "*",
  "$",
  "(",
  "foo\t",
  "a ",
  "#",
  ".x",
  "build",
];

test("a path is excluded exactly if one of all rules excludes it", () => {
  const random = seeded(5);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)]!;
  const some = (most: number, make: () => string): string[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, make);
  let excluded = 0;
  for (let round = 0; round < 400; round++) {
    const rules = some(3, () => some(4, () => pick(inRules)).join(random() < 0.3 ? "/" : ""));
    const isIgnored = ignoreTest(rules.join("\n"), [], () => undefined);
    if (typeof isIgnored !== "function") continue;
    const all = ignore({ ignorecase: false, allowRelativePaths: true }).add([...defaults, ...rules]);
    for (const path of some(20, () => some(3, () => pick(names)).join("/") + pick(["", "", "/"]))) {
      assert.equal(isIgnored(path), all.ignores(path), JSON.stringify([rules, path]));
      if (isIgnored(path)) excluded++;
    }
  }
  assert.ok(excluded > 500);
});
