import assert from "node:assert/strict";
import { test } from "vitest";
import { matchesPattern } from "../../../src/reader/playground/form/match-pattern.ts";
import { withinCpu } from "../../support/machine-time.js";

const patterns = [
  "^abc$",
  "b",
  "^[A-Z]{3}-\\d+$",
  "^(?:a|bc)*$",
  "^a{2,3}$",
  "^a{2}b?$",
  "x*?y",
  "^\\w+@\\w+\\.com$",
  "^(?<year>\\d{4})-\\d\\d$",
  "^\\p{L}+$",
  "^[^\\]]+$",
  "\\bword\\b",
  "^(?!no)\\w+$",
  "^(?=.*\\d).{3,}$",
  "^\\u{1F600}$",
  "^\\x41$",
  "^.$",
  "^{x}$",
  "",
  "^(a+)+$",
];
const texts = [
  "",
  "abc",
  "bc",
  "aaa",
  "aab",
  "ABC-12",
  "xxy",
  "me@you.com",
  "2024-01",
  "Ünï",
  "no",
  "a word.",
  "no1",
  "yes1",
  "😀",
  "A",
  "\n",
  "{x}",
  "]",
];

for (const pattern of patterns)
  test(`matches /${pattern}/ as the browser's engine does`, () => {
    const engine = safely(pattern);
    for (const text of texts) assert.equal(matchesPattern(pattern, text), engine.test(text), JSON.stringify(text));
  });

function safely(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

const slow = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(.*)*x$",
  "(a*)*b",
  "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$",
  ".*.*.*.*=.*",
];
for (const pattern of slow)
  test(`gives up on /${pattern}/ in time`, async () => {
    await withinCpu(1_000, () => {
      for (const text of ["a".repeat(40), `${"a".repeat(20_000)}!`]) matchesPattern(pattern, text);
    });
  });

for (const pattern of ["(a)\\1", "(?<=a)b", "(", "[", "*", `${"(".repeat(50_000)}a`])
  test(`cannot tell for ${pattern.slice(0, 20)}`, () => assert.equal(matchesPattern(pattern, "ab"), undefined));
