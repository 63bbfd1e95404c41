import { describe, expect, test } from "vitest";
import { lengthOnLine, positionAt, positionFinder, withLineFeeds } from "../../../src/lib/diagnostic/index.js";

const text = "ab\ncd\r\n\n😀x";
const cases = [
  ["the first character", 0, 1, 1],
  ["a line feed, on the line it ends", 2, 1, 3],
  ["the character after it", 3, 2, 1],
  ["a line with CR", 5, 2, 3],
  ["an empty line", 7, 3, 1],
  ["a character beyond the basic plane as two", 10, 4, 3],
  ["the end of the text", 11, 4, 4],
] as const;
for (const [rule, offset, line, column] of cases) {
  describe(`counts ${rule}`, () => {
    test("in positionAt", () => expect(positionAt(text, offset)).toEqual({ line, column }));
    test("in positionFinder", () => expect(positionFinder(text)(offset)).toEqual({ line, column }));
  });
}

test("a length ends with its line, and is never 0", () => {
  expect(lengthOnLine("a /* b\r\nc", 2, 7)).toBe(4);
  expect(lengthOnLine("a /* b\nc", 2, 2)).toBe(2);
  expect(lengthOnLine("a\n", 1, 1)).toBe(1);
});

test("a lone carriage return becomes a line feed, and offsets stay", () =>
  expect(withLineFeeds("a\rb\r\nc\r")).toBe("a\nb\r\nc\n"));
