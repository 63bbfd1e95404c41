import assert from "node:assert/strict";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import type { RegexEngine } from "shiki/types";
import { beforeAll, test } from "vitest";
import { Line, toAscii } from "../../../src/lib/textmate/line-regex.js";
import { parsePattern } from "../../../src/lib/textmate/parse-pattern.js";
import { lineFingerprint, PatternNeeds } from "../../../src/lib/textmate/pattern-needs.js";
import { createEngine, type Match, TooManySearches } from "../../../src/lib/textmate/scanner.js";

const engine = createEngine({ maxSearchesPerLine: 1000 });
const everyGroup = Array.from({ length: 20 }, (_, index) => index);
const scannerOf = (sources: readonly string[]) =>
  engine.scanner(sources.map((source) => engine.pattern(source, everyGroup)));
let oniguruma: RegexEngine;
beforeAll(async () => {
  oniguruma = await createOnigurumaEngine(import("shiki/wasm"));
});

const lines = [
  "const answer = 42; // comment\n",
  `if (x == "a\\"b") { return foo(bar, [1, 2]); }\n`,
  "  \t<div class='x'>Text &amp; more</div>\n",
  "aaa aab AAB ab_c a-b ]x[ ^ $ \\ 0x1F\n",
  "\n",
  "(((a)))((b)) {{{}}} <<>>\n",
];

/** Each pattern is searched from several positions on each line. The match and its groups must equal Oniguruma's. */
const patterns = [
  "a",
  "(?:a|b)+",
  "a*?b",
  "(a)(b)?",
  "a++b",
  "(?>a+)b",
  "a{2}",
  "a{2,}",
  "a{,2}b",
  "x{",
  "a{1,2}?",
  "^\\s*",
  "\\s+$",
  "\\bfoo\\b",
  "\\Bo",
  "\\A.",
  ".\\Z",
  "$",
  "[[:alpha:]]+",
  "[^[:space:]]+",
  "[a-c&&[^b]]",
  "[\\w-]+",
  "[]x]",
  "[^]x]",
  "[a-]",
  "[-a]",
  "[\\]\\[]",
  "[a[0-9]]",
  "\\h+",
  "\\H",
  "\\d\\D",
  "\\x41",
  "\\x{42}",
  "\\t",
  "\\p{L}+",
  "\\P{L}+",
  "\\p{^Alpha}",
  "[[:upper:]]",
  "(?i)AAB",
  "(?i:A)ab",
  "a(?i)A|B",
  "(?-i)a",
  "(?m:.)$",
  "(?i)[a-c]+",
  "(?=a)a",
  "(?!a)\\w",
  "(?<=a)b",
  "(?<!a)b",
  "(?<=a|aa)b",
  "(?=(a))a",
  "(?<=^|\\s)a",
  "(.)\\1",
  "(?<n>.)\\k<n>",
  "(a)|(b)",
  "(['\"]).*?\\1",
  "\\G\\w",
  "(?:\\G|a)b",
  "(?!\\G)b",
  "\\G(a)|b",
  "(?<p>\\((?:[^()]|\\g<p>)*\\))",
  "\\R",
  "\\N+",
  "(?#note)a",
  "()a",
  "a|",
  "|a",
  "\\/\\/.*$",
  "\\$",
  "\\^",
  "\\-",
  "\\#",
  "[\\x00-\\x40]",
  "[^\\x00-\\x7F]",
  "(?:)",
  "\uffff",
  "\\\uffff|a",
  "(a|\\\uffff)b",
];
for (const pattern of patterns) {
  test(`${JSON.stringify(pattern)} finds what Oniguruma finds`, () => {
    const ours = scannerOf([pattern]);
    const theirs = oniguruma.createScanner([pattern]);
    for (const text of lines) {
      for (const start of [0, 1, 5]) {
        if (start > text.length) continue;
        const found = ours.find(new Line(text), start);
        const wanted = theirs.findNextMatchSync(oniguruma.createString(text), start, 0);
        // Oniguruma marks a group that took no part by a large number.
        const groups = wanted?.captureIndices.map(({ start, end }) =>
          start > text.length ? { start: 0, end: 0 } : { start, end },
        );
        assert.deepEqual(found?.pattern.groups(), groups, `${JSON.stringify(text)} from ${start}`);
        assert.equal(found?.end, groups?.[0]?.end);
      }
    }
  });
}

test("the earliest match wins; of matches at one position, that of the first pattern", () => {
  const scanner = scannerOf(["c", "b+", "bb", "(?!x)a"]);
  const line = new Line("bbca\n");
  assert.equal(scanner.find(line, 0)?.index, 1);
  assert.equal(scanner.find(line, 2)?.index, 0);
  assert.equal(scanner.find(line, 3)?.index, 3);
  assert.equal(scanner.find(line, 4), undefined);
});

const firstGroup = (match: Match | undefined): number | undefined => match?.pattern.groups()[1]?.start;

test("many patterns together find what the best of them finds alone", () => {
  for (const text of lines) {
    const together = scannerOf(patterns);
    const line = new Line(text);
    for (let start = 0; start <= text.length; start++) {
      let best: { readonly index: number; readonly start: number; readonly end: number } | undefined;
      patterns.forEach((pattern, index) => {
        const alone = createEngine({ maxSearchesPerLine: 1000 });
        const match = alone.scanner([alone.pattern(pattern, everyGroup)]).find(new Line(text), start);
        if (match && (!best || match.start < best.start)) best = { index, start: match.start, end: match.end };
      });
      const found = together.find(line, start);
      const summary = found && { index: found.index, start: found.start, end: found.end };
      assert.deepEqual(summary, best, `${JSON.stringify(text)} from ${start}`);
    }
  }
});

test("a pattern keeps its matches apart when two scanners and two lines alternate", () => {
  const [one, two] = [scannerOf(["(k)e"]), scannerOf(["z", "(k)e"])];
  const [first, second] = [new Line("..ke..ke\n"), new Line("ke\n")];
  assert.equal(firstGroup(one.find(first, 0)), 2);
  assert.equal(firstGroup(two.find(second, 0)), 0);
  assert.equal(firstGroup(one.find(first, 4)), 6);
  assert.equal(firstGroup(two.find(first, 1)), 2);
});

test("a group is captured once it is requested, even on the current line", () => {
  const line = new Line("abc\n");
  const before = engine.scanner([engine.pattern("(a)(b)(?:\\1|(c))", [2])]).find(line, 0);
  assert.deepEqual(
    before?.pattern.groups().map(({ end }) => end),
    [3, 1, 2, 0],
  );
  const after = engine.scanner([engine.pattern("(a)(b)(?:\\1|(c))", [3])]).find(line, 0);
  assert.deepEqual(
    after?.pattern.groups().map(({ end }) => end),
    [3, 1, 2, 3],
  );
});

test("a line that takes too many steps throws TooManySearches", () => {
  const scanner = scannerOf(["a"]);
  const line = new Line("a\n");
  assert.throws(() => {
    for (let i = 0; i <= 1000; i++) scanner.find(line, 0);
  }, TooManySearches);
});

const needs = [
  // a pattern …                       pattern                        line                  may match
  ["without its keyword is ruled out", "\\b(?:abstract|declare)\\b", "const a = 1;\n", false],
  ["with its keyword is tried", "\\b(?:abstract|declare)\\b", "abstract class\n", true],
  ["ignores case where it has the flag", "(?i)select", "SELECT\n", true],
  ["is ruled out by its first character", "[0-9]+", "no digits\n", false],
  ["is tried if it may be empty", "a*", "xyz\n", true],
  ["takes a lookahead into account", "(?=.*=>)x", "x = 1\n", false],
  ["takes a lookbehind into account", "(?<=new)\\s", "a b\n", false],
  ["expects nothing from a negative lookahead", "(?!abstract)c", "c\n", true],
  ["expects nothing from an optional part", "(?:abstract\\s+)?class", "class\n", true],
] as const;
for (const [rule, pattern, text, wanted] of needs) {
  test(`a pattern ${rule}`, () => {
    const { bits, chars } = lineFingerprint(text);
    assert.equal(new PatternNeeds(parsePattern(pattern)!.root).allow(bits, chars), wanted);
  });
}

const hostile = [
  "(".repeat(5000),
  "[".repeat(5000),
  "a{9999999}",
  "(?<a>\\g<a>\\g<a>\\g<a>\\g<a>)",
  "\\",
  "(?",
  "[a",
  "*",
  "a**",
];
for (const pattern of hostile) {
  test(`${JSON.stringify(pattern.slice(0, 20))} does not break the engine`, () => {
    scannerOf([pattern]).find(new Line("aaa\n"), 0);
  });
}

const asciiLines = [
  ["ASCII alone", "ASCII alone"],
  ["Größe – 5 €", "Grzze \x7f 5 \x7f"],
  ["Ärger", "Zrger"],
  ["日本", "zz"],
  ["a\u00a0b", "a b"],
  ["x🚀y", "x\x7f\x7fy"],
] as const;
for (const [text, wanted] of asciiLines) test(`${text} in ASCII`, () => assert.equal(toAscii(text), wanted));

test("only some patterns with text of the code are cached, so that an engine does not grow with the site", () => {
  const end = (n: number) => engine.pattern(`tag${n}`, [0], true);
  const grammarPattern = engine.pattern("tag", [0]);
  const first = end(0);
  assert.equal(end(0), first);
  for (let n = 1; n <= 500; n++) end(n);
  assert.notEqual(end(0), first);
  assert.equal(engine.pattern("tag", [0]), grammarPattern);
});
