/**
 * Finds the strings of an array of strings and of arrays of strings, written as JSON without blanks.
 *
 * @param visit gets the place of a string in the outer array, its place in an inner one or -1, and where its text begins
 * and ends in the bytes.
 * @param pass gets the place of an inner array and where its bracket stands, and gives where its closing bracket stands
 * if its strings need no visit.
 */
export function findStrings(
  json: Buffer,
  visit: (outer: number, inner: number, from: number, to: number) => void,
  pass?: (outer: number, from: number) => number | undefined,
): void {
  let outer = 0;
  let inner = -1;
  for (let at = 1; at < json.length - 1; at++) {
    const byte = json[at];
    if (byte === openBracket) {
      const end = pass?.(outer, at);
      if (end === undefined) inner = 0;
      else {
        at = end;
        outer++;
      }
    } else if (byte === closeBracket) {
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

/** Where the closing bracket of an array of strings stands. @param from behind one of its strings, or its first byte. */
export function endOfArray(json: Buffer, from: number): number {
  let at = from;
  for (; json[at] !== closeBracket; at++) if (json[at] === quote) at = endOfString(json, at + 1);
  return at;
}

/** Where the closing quote of a string stands. @param from behind its first quote. */
export function endOfString(json: Buffer, from: number): number {
  let end = from;
  while (json[end] !== quote) end += json[end] === backslash ? 2 : 1;
  return end;
}

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
