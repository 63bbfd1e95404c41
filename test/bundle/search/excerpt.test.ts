import assert from "node:assert/strict";
import { test } from "vitest";
import type { Marks } from "../../../src/bundle/search/engine/expand-term.js";
import { codeExcerpt, excerptOf, type Fragment, markMatches } from "../../../src/reader/search/excerpt.js";

const marks = (words: readonly string[], prefixes: readonly string[] = []): Marks => ({
  words: new Set(words),
  prefixes,
});
const shown = (fragments: readonly Fragment[]): string =>
  fragments.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("");

const cases: readonly (readonly [rule: string, text: string, marks: Marks, shown: string])[] = [
  ["a word", "Install the tool", marks(["install"]), "[Install] the tool"],
  ["the start of a word", "Authentication", marks([], ["auth"]), "[Auth]entication"],
  ["a whole accented word", "Un café noir", marks(["cafe"]), "Un [café] noir"],
  ["an identifier by its parts", "call getUserById()", marks(["getuserbyid"]), "call [getUserById]()"],
  ["neighbouring characters as one", "在结果中提升页面", marks(["结果", "果中"]), "在[结果中]提升页面"],
  ["nothing without a match", "Nothing here", marks(["install"]), "Nothing here"],
];
for (const [rule, text, queryMarks, expected] of cases)
  test(`markMatches marks ${rule}`, () => assert.equal(shown(markMatches(text, queryMarks)), expected));

test("excerptOf shows the part with the most query terms", () => {
  const text = `${"alpha beta gamma delta ".repeat(20)}a queue retries the job later. ${"omega ".repeat(50)}`;
  const excerpt = shown(excerptOf(text, marks(["queue", "job"])));
  assert.match(excerpt, /^… .*a \[queue\] retries the \[job\] later\..* …$/);
  assert.ok(excerpt.length < 190);
});
test("excerptOf starts at the beginning if there is no match", () => {
  assert.match(shown(excerptOf("One two three. ".repeat(30), marks(["x"]))), /^One two three\./);
});
test("excerptOf also cuts a text without spaces", () =>
  assert.ok(shown(excerptOf("字".repeat(2000), marks(["x"]))).length < 170));
test("codeExcerpt shows the line with the match", () => {
  assert.equal(
    shown(codeExcerpt("import a\n  const token = read()\nrun()", marks(["token"]))),
    "const [token] = read()",
  );
});
test("codeExcerpt shows nothing if no line matches", () => {
  assert.deepEqual(codeExcerpt("import a", marks(["token"])), []);
});
