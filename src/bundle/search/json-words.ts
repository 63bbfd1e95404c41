import { endOfString } from "../../lib/json/index.js";
import { hashStart, hashStep } from "./term-table.js";
import { cutWords, isBound, isMark, longestWord, type TakeWord } from "./words.js";

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
export function endOfArray(json: Uint8Array, from: number): number {
  let at = from;
  for (; json[at] !== closeBracket; at++) if (json[at] === quote) at = endOfString(json, at + 1);
  return at;
}

const quote = 34;
const openBracket = 91;
const closeBracket = 93;

export interface TakeBytes {
  /** A word of lower-case letters and digits. `bytes` is valid until the call ends. */
  bytes(bytes: Uint8Array, from: number, to: number, hash: number): void;
  word: TakeWord;
}

/**
 * Passes the words of a string in JSON text to `take`, as `cutWords` does. Most of them are plain and are passed as bytes,
 * without creating a string; the others go through `cutWords`.
 *
 * @param end index of the closing quote.
 */
export function cutBytes(json: Buffer, start: number, end: number, take: TakeBytes): void {
  /** The whole string as Latin-1, for ASCII words: its indexes are those of the bytes. */
  let text: string | undefined;
  let at = start;
  /** The end of the last escape, which is not a word: `\n`. */
  let escapeEnd = start;
  while (at < end) {
    const from = at;
    let kind = kinds[json[at]!]!;
    if (kind === separator || kind === joiner) {
      at++;
      if (!isMark(json[from]!) || marked[json[at]!] !== 1 || (from !== escapeEnd && isBound(json[from - 1]!))) continue;
      while (marked[json[at]!] === 1) at++;
      cutWords(json.toString("utf8", from, at), take.word);
      continue;
    }
    if (kind === escaped) {
      at += json[at + 1] === letterU ? 6 : 2;
      escapeEnd = at;
      continue;
    }
    let hash = hashStart;
    for (; kind === capital; kind = kinds[json[++at]!]!) hash = hashStep(hash, json[at]! | 32);
    const capitals = at - from;
    if (capitals < 2) for (; kind === plain; kind = kinds[json[++at]!]!) hash = hashStep(hash, json[at]!);
    // A joiner at the end is a separator.
    const isPlain = kind <= escaped || (kind === joiner && kinds[json[at + 1]!]! <= escaped);
    if (!isPlain) {
      let all = 0;
      for (; kind > escaped; kind = kinds[json[++at]!]!) all |= json[at]!;
      const first = json[from - 1] === apostrophe ? from - 1 : from;
      if (all < 128) text ??= json.toString("latin1", start, end);
      cutWords(all < 128 ? text!.slice(first - start, at - start) : json.toString("utf8", first, at), take.word);
    } else if (at - from === 1 ? json[from - 1] !== apostrophe : at - from <= longestWord) {
      if (capitals > 0) take.bytes(lowered(json, from, at), 0, at - from, hash);
      else take.bytes(json, from, at, hash);
    }
  }
}

const scratch = new Uint8Array(longestWord);

function lowered(json: Uint8Array, from: number, to: number): Uint8Array {
  for (let i = from; i < to; i++) scratch[i - from] = json[i]! | 32;
  return scratch;
}

const letterU = 117;
const apostrophe = 39;

// Kinds that end a word come first.
const separator = 0;
const escaped = 1;
const plain = 2;
const capital = 3;
const joiner = 4;

/** A byte of a character beyond ASCII. */
const other = 5;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ((byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57)) return plain;
  if (byte >= 65 && byte <= 90) return capital;
  if (byte === 45 || byte === 46 || byte === 95) return joiner;
  if (byte >= 128) return other;
  return byte === 92 ? escaped : separator;
});
const pathMarks = Buffer.from("/{}:@");

/** 1 for a byte with which a flag or a path may go on. */
const marked = kinds.map((kind, byte) => Number(kind > escaped || pathMarks.includes(byte)));
