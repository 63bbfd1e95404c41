import { describe, expect, test } from "vitest";
import { positionAt, positionFinder } from "../../../src/lib/diagnostic/index.js";

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
