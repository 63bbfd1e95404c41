import charClasses from "./char-classes.json" with { type: "json" };

/** A set of ASCII characters as 128 bits in four words. The engine sees only ASCII: see `toAscii`. */
export type CharSet = readonly [number, number, number, number];

export const noChar: CharSet = [0, 0, 0, 0];
export const anyChar: CharSet = [-1, -1, -1, -1];

/** Both ends are included; codes beyond ASCII are ignored. */
export function charRange(from: number, to: number): CharSet {
  const words: [number, number, number, number] = [0, 0, 0, 0];
  for (let code = from; code <= Math.min(to, 127); code++) words[code >> 5]! |= 1 << (code & 31);
  return words;
}

const singles = Array.from({ length: 128 }, (_, code) => charRange(code, code));

/** The set of one character; the same object each time. */
export const oneChar = (code: number): CharSet => singles[code] ?? noChar;

export const charsOf = (text: string): CharSet => {
  let set = noChar;
  for (let i = 0; i < text.length; i++) set = union(set, oneChar(text.charCodeAt(i)));
  return set;
};

export const union = (a: CharSet, b: CharSet): CharSet => [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]];
export const intersect = (a: CharSet, b: CharSet): CharSet => [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]];
export const invert = (a: CharSet): CharSet => [~a[0], ~a[1], ~a[2], ~a[3]];
export const has = (set: CharSet, code: number): boolean => (set[code >> 5]! & (1 << (code & 31))) !== 0;
export const overlap = (a: CharSet, b: CharSet): boolean =>
  ((a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3])) !== 0;
export const isNone = (set: CharSet): boolean => (set[0] | set[1] | set[2] | set[3]) === 0;

export function charCount(set: CharSet): number {
  let count = 0;
  for (const word of set) for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The code of the only character of a set, or -1. */
export function onlyChar(set: CharSet): number {
  const [a, b, c, d] = set;
  if ((a !== 0 ? 1 : 0) + (b !== 0 ? 1 : 0) + (c !== 0 ? 1 : 0) + (d !== 0 ? 1 : 0) !== 1) return -1;
  let code = -1;
  for (let word = 0; word < 4; word++) {
    const bits = set[word]!;
    if (bits === 0) continue;
    if ((bits & (bits - 1)) !== 0) return -1;
    code = word * 32 + 31 - Math.clz32(bits);
  }
  return code;
}

const letters = 0x07fffffe;

/** Adds the other case of every letter; the same object each time for a single letter. */
export function withBothCases(set: CharSet): CharSet {
  const both = (set[2] | set[3]) & letters;
  if (both === 0) return set;
  const result: CharSet = [set[0], set[1], set[2] | both, set[3] | both];
  return isLetterInBothCases(result) ? lettersInBothCases[31 - Math.clz32(both)]! : result;
}

const lettersInBothCases = Array.from({ length: 32 }, (_, bit): CharSet => [0, 0, 1 << bit, 1 << bit]);

export const isLetterInBothCases = ([a, b, c, d]: CharSet): boolean =>
  a === 0 && b === 0 && c === d && c !== 0 && (c & (c - 1)) === 0 && (c & letters) !== 0;

/** Character classes by their POSIX or `\p` name, in lower case without `_`, `-` and blanks. */
export const namedSets: Readonly<Record<string, CharSet>> = Object.fromEntries(
  Object.entries(charClasses).map(([name, ranges]) => [name, ranges.reduce(addRange, noChar)]),
);

/** @param range the first and the last character. */
function addRange(set: CharSet, range: string): CharSet {
  return union(set, charRange(range.charCodeAt(0), range.charCodeAt(1)));
}
