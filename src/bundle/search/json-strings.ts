/**
 * Finds the strings of an array of strings and of arrays of strings, written as JSON without blanks.
 *
 * @param visit gets the index of a string in the outer array, its index in an inner one or -1, and the byte offsets of its
 * text.
 * @param pass gets the index of an inner array and the offset of its bracket. To skip the array, it returns the offset of
 * the closing bracket.
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

/** Offset of the closing bracket of an array of strings. @param from its first byte, or one between two strings. */
export function endOfArray(json: Buffer, from: number): number {
  let at = from;
  for (; json[at] !== closeBracket; at++) if (json[at] === quote) at = endOfString(json, at + 1);
  return at;
}

/** Offset of the closing quote of a string. @param from after its opening quote. */
export function endOfString(json: Buffer, from: number): number {
  let end = from;
  while (json[end] !== quote) end += json[end] === backslash ? 2 : 1;
  return end;
}

const quote = 34;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
