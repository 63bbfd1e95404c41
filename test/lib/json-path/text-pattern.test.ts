import { describe, expect, test } from "vitest";
import { readTextPattern } from "../../../src/lib/json-path/text-pattern.js";

const patterns = [
  ..."a|ab|a*|a+b|a?b|(a|b)*c|a{2}|a{2,}|a{1,3}b|(ab){2}|a{0}b|()*|(a*)*b|(a|aa)+|.|.*|a.c|[ab]|[^ab]|[a-c]+".split(
    "|",
  ),
  ..."ab|cd;a|;|a;(|a)b;[a-c-]+;[-a]+;[a\\]b]+;\\.\\*;\\n;\\p{Lu};\\P{L}+;[\\p{Lu}\\p{Nd}]+;^ab$;^a;b$;a^b;😀;[😀-😂]{2};\\d+;[\\w-]+".split(
    ";",
  ),
];
const texts = [
  "",
  "a",
  "b",
  "ab",
  "abc",
  "aaa",
  "aab",
  "abab",
  "a-c",
  "a]b",
  ".*",
  "\n",
  "\r",
  "\u2028",
  "A1",
  "Ü",
  "12",
  "😀",
  "😁😂",
  "cd",
  "xaby",
];

/** The same as the engine of the language has it. */
const engineOf = (pattern: string, isSearch: boolean): RegExp => {
  const source = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./g, (part) => (part === "." ? "[^\\n\\r]" : part));
  return new RegExp(isSearch ? source : `^(?:${source})$`, "u");
};

describe("a pattern matches the same texts as RegExp:", () => {
  const isRead = (pattern: string): boolean => {
    try {
      engineOf(pattern, true);
      return true;
    } catch {
      return false;
    }
  };
  for (const pattern of patterns.filter(isRead))
    test(pattern, () => {
      const read = readTextPattern(pattern);
      for (const text of texts)
        for (const isSearch of [false, true])
          expect(
            read.matches(text, isSearch, () => {}),
            `${JSON.stringify(text)} ${isSearch}`,
          ).toBe(engineOf(pattern, isSearch).test(text));
    });
});

describe("an invalid pattern is refused:", () => {
  const wrong = [
    "(",
    ")",
    "(a",
    "a)",
    "[",
    "[]",
    "[a",
    "]",
    "*",
    "a**",
    "a{",
    "a{,2}",
    "a{2,1}",
    "a{x}",
    "\\",
    "\\q",
    "[b-a]",
    "[a-\\d]",
  ];
  for (const pattern of [...wrong, "\\p{Greek}", "\\p{Xx}", "\\pL", "(?:a)", "(?=a)", "\\1"])
    test(pattern, () => expect(() => readTextPattern(pattern)).toThrow(/was not expected/));
  for (const pattern of ["a{100000}", "(a{100}){100}", "(){999999999}", "((){5000}){5000}", "(a?){6000}"])
    test(`${pattern}, for its size`, () => expect(() => readTextPattern(pattern)).toThrow(/too large/));
  test("a pattern that is nested too deeply is refused", () =>
    expect(() => readTextPattern(`${"(".repeat(5000)}a${")".repeat(5000)}`)).toThrow(/nested too deep/));
});

describe("the time is linear in the length of the text:", () => {
  const slow = ["(a+)+", "(a|aa)+", "(a|a?)+", "(.*)*b", "(a*)*(a*)*(a*)*b", "(a{1,20}){1,20}b"];
  for (const pattern of slow)
    test(pattern, () => {
      const effortFor = (length: number, isSearch: boolean): number => {
        let effort = 0;
        readTextPattern(pattern).matches(`${"a".repeat(length)}!`, isSearch, (count) => {
          effort += count;
        });
        return effort;
      };
      for (const isSearch of [false, true]) {
        expect(effortFor(2000, isSearch)).toBeLessThan(2.1 * effortFor(1000, isSearch) + 1000);
        expect(effortFor(2000, isSearch)).toBeLessThan(2000 * 1500);
      }
    });
});
