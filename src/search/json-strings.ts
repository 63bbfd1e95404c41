/**
 * Finds the strings of an array of strings and of arrays of strings, written as JSON without blanks.
 *
 * @param visit gets the place of a string in the outer array, its place in an inner one or -1, and where its text begins
 * and ends in the bytes.
 */
export function findStrings(
  json: Buffer,
  visit: (outer: number, inner: number, from: number, to: number) => void,
): void {
  let outer = 0;
  let inner = -1;
  for (let at = 1; at < json.length - 1; at++) {
    const byte = json[at];
    if (byte === openBracket) inner = 0;
    else if (byte === closeBracket) {
      inner = -1;
      outer++;
    } else if (byte === quote) {
      const end = endOfString(json, at + 1);
      visit(outer, inner, at + 1, end);
      at = end;
      if (inner < 0) outer++;
      else inner++;
    }
  }
}

function endOfString(json: Buffer, from: number): number {
  let end = from;
  while (json[end] !== quote) end += json[end] === backslash ? 2 : 1;
  return end;
}

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
