export interface JsonBounds {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  readonly maxValues: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks a JSON text before it is parsed: a parser needs 280 ms and 90 MB for 1 MiB of brackets. Does not check that the
 * text is JSON.
 */
export function exceededBound(text: Uint8Array, { maxDepth, maxValues }: JsonBounds): keyof JsonBounds | undefined {
  let [depth, values] = [0, 1];
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === quote) i = endOfString(text, i + 1);
    else if (byte === openArray || byte === openObject) depth++;
    else if (byte === closeArray || byte === closeObject) depth--;
    else if (byte === comma) values++;
    if (depth > maxDepth) return "maxDepth";
    if (values > maxValues) return "maxValues";
  }
  return undefined;
}

/** Index of the closing quote, or the length of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let i = start;
  while (i < text.length && text[i] !== quote) i += text[i] === backslash ? 2 : 1;
  return i;
}
