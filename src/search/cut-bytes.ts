import { hashStart, hashStep } from "./term-table.js";
import { cutWords, longestWord, type TakeWord } from "./words.js";

export interface TakeBytes {
  /** A word of lower-case letters and digits. Good until the call ends. */
  bytes(bytes: Uint8Array, from: number, to: number, hash: number): void;
  word: TakeWord;
}

/**
 * Gives the words of a piece of JSON text, its quotes left out, as `cutWords` does. Most of them are plain and are given
 * where they stand, without a string being made; for what is not, `cutWords` is asked.
 */
export function cutBytes(json: Buffer, start: number, end: number, take: TakeBytes): void {
  const kindAt = (at: number): number => (at < end ? kinds[json[at]!]! : separator);
  /** All of the piece, for words of ASCII, which stand in it where they stand in the bytes. */
  let text: string | undefined;
  let at = start;
  while (at < end) {
    const from = at;
    let kind = kinds[json[at]!]!;
    if (kind === separator) {
      at++;
      continue;
    }
    if (kind === escaped) {
      at += json[at + 1] === letterU ? 6 : 2;
      continue;
    }
    const isCapital = kind === capital;
    let hash = hashStart;
    if (isCapital) {
      hash = hashStep(hash, json[at]! | 32);
      kind = kindAt(++at);
    }
    while (kind === plain) {
      hash = hashStep(hash, json[at]!);
      kind = ++at < end ? kinds[json[at]!]! : separator;
    }
    // A joiner at the end joins nothing.
    const isPlain = kind <= escaped || (kind === joiner && at > from && kindAt(at + 1) <= escaped);
    if (!isPlain) {
      let all = 0;
      for (; kind > escaped; kind = kindAt(++at)) all |= json[at]!;
      const first = json[from - 1] === apostrophe ? from - 1 : from;
      if (all < 128) text ??= json.toString("latin1", start, end);
      cutWords(all < 128 ? text!.slice(first - start, at - start) : json.toString("utf8", first, at), take.word);
    } else if (at - from === 1 ? json[from - 1] !== apostrophe : at - from <= longestWord) {
      if (isCapital) take.bytes(lowered(json, from, at), 0, at - from, hash);
      else take.bytes(json, from, at, hash);
    }
  }
}

const scratch = new Uint8Array(longestWord);

function lowered(json: Uint8Array, from: number, to: number): Uint8Array {
  scratch[0] = json[from]! | 32;
  for (let i = from + 1; i < to; i++) scratch[i - from] = json[i]!;
  return scratch;
}

const letterU = 117;
const apostrophe = 39;

// What ends a word comes first.
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
