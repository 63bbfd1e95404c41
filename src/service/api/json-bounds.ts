import { ApiError } from "./api-error.js";

/** Deepest nesting of arrays and objects that is parsed; requests need two levels. */
const maxDepth = 16;
/** Most values that are parsed; the largest valid request has some 10,000. */
const maxValues = 20_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks the nesting and the number of values of a JSON text before it is parsed: a parser needs 280 ms and 90 MB for
 * 1 MiB of brackets. Does not check that the text is JSON.
 *
 * @throws {ApiError} 400 for too deep nesting, 413 for too many values.
 */
export function checkJsonBounds(body: Uint8Array): void {
  let [depth, values] = [0, 1];
  for (let i = 0; i < body.length; i++) {
    const byte = body[i];
    if (byte === quote) i = endOfString(body, i + 1);
    else if (byte === openArray || byte === openObject) depth++;
    else if (byte === closeArray || byte === closeObject) depth--;
    else if (byte === comma) values++;
    if (depth > maxDepth)
      throw new ApiError(
        400,
        `The body nests arrays and objects more than ${maxDepth} levels deep. Send a flat object.`,
      );
    if (values > maxValues)
      throw new ApiError(413, `The body has more than ${maxValues} values, which is the most that is taken.`);
  }
}

/** Index of the closing quote, or the length of the text. */
function endOfString(body: Uint8Array, start: number): number {
  let i = start;
  while (i < body.length && body[i] !== quote) i += body[i] === backslash ? 2 : 1;
  return i;
}
