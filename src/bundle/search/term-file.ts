import { characterOf, codes, putNumber } from "./codec.js";
import { filesRead, longestPrefix, prefixMark, weightSteps } from "./index-format.js";
import type { TermList } from "./posting-lists.js";
import { grown } from "./term-table.js";

const blank = 32;

/** Some of the terms of an index in order, with their postings; both joined by blanks. */
export interface TermPart {
  readonly terms: string;
  readonly postings: Uint8Array;
}

/** The two parts of the data of a file, quoted. */
export function termData(parts: readonly TermPart[]): Uint8Array {
  const postings = parts.flatMap((part, at) => (at === 0 ? [part.postings] : [Buffer.from(" "), part.postings]));
  // No term or number contains a character that needs an escape.
  const terms = parts.map((part) => part.terms).join(" ");
  return Buffer.concat([Buffer.from(`"${terms}","`), ...postings, Buffer.from('"')]);
}

/** Terms in order, with their postings. */
export function createTermFile() {
  let terms: string[] = [];
  let numbers = new Uint8Array(1 << 17);
  let at = 0;
  let termBytes = 0;
  let previous = "";
  return {
    get isEmpty(): boolean {
      return terms.length === 0;
    },
    get bytes(): number {
      return termBytes + at;
    },
    /** @param count entries with the term. @param postings entry, shifted by 7 bits, and weight, ascending. */
    add(term: string, count: number, postings: Uint32Array): void {
      const cut = shorter(term, previous);
      previous = term;
      terms.push(cut);
      termBytes += cut.length + 1;
      // A number takes six characters at most, a weight one.
      const most = at + 8 + 7 * postings.length;
      if (most > numbers.length) numbers = grown(numbers, 2 * most);
      if (terms.length > 1) numbers[at++] = blank;
      at = putNumber(numbers, at, count);
      let entry = 0;
      for (let i = 0; i < postings.length; i++) {
        const posting = postings[i]!;
        at = putNumber(numbers, at, (posting >>> 7) - entry);
        entry = posting >>> 7;
        numbers[at++] = codes[posting & 127]!;
      }
    },
    /** The next term begins a new part. */
    take(): TermPart {
      const part = { terms: terms.join(" "), postings: numbers.slice(0, at) };
      terms = [];
      at = 0;
      termBytes = 0;
      previous = "";
      return part;
    },
  };
}

const maxShared = 44;

/** A character for the length of the prefix shared with the previous term, and the rest of the term. */
function shorter(term: string, previous: string): string {
  let shared = Math.min(maxShared, sharedLength(term, previous));
  // A character of two code units stays whole.
  if (!term.slice(0, shared).isWellFormed()) shared--;
  return characterOf(shared) + term.slice(shared);
}

/** The number of entries of a prefix. */
const maxPrefixEntries = 64;

/**
 * Adds a term for each prefix whose terms fill more files than a browser should read; it has the entries with the
 * highest title weights of these terms. `lists` are in term order.
 *
 * @param filesDone number of complete parts so far.
 */
export function* withPrefixes(lists: Iterable<TermList>, filesDone: () => number): Iterable<TermList> {
  const levels = Array.from({ length: longestPrefix }, createBest);
  let open = 0;
  let previous = "";
  function* closeTo(length: number): Iterable<TermList> {
    while (open > length) {
      const best = levels[--open]!;
      const prefix = previous.slice(0, open + 1);
      if (filesDone() - best.firstFile >= filesRead - 1 && prefix.isWellFormed())
        yield { term: prefix + prefixMark, postings: best.postings(), inTitle: true };
    }
  }
  for (const list of lists) {
    yield* closeTo(sharedLength(previous, list.term));
    const deepest = Math.min(longestPrefix, list.term.length);
    while (open < deepest) levels[open++]!.reset(filesDone());
    const { postings, inTitle } = list;
    for (let i = 0; inTitle && i < postings.length; i++) {
      const posting = postings[i]!;
      if ((posting & 127) >= weightSteps) for (let level = 0; level < open; level++) levels[level]!.add(posting);
    }
    previous = list.term;
    yield list;
  }
  yield* closeTo(0);
}

function sharedLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Keeps the entries with the highest weights; the first ones among equals. */
function createBest() {
  const entries = new Uint32Array(maxPrefixEntries);
  const values = new Uint8Array(maxPrefixEntries);
  let count = 0;
  let least = 0;
  return {
    firstFile: 0,
    reset(firstFile: number): void {
      this.firstFile = firstFile;
      count = 0;
    },
    add(posting: number): void {
      const value = posting & 127;
      if (count === maxPrefixEntries && value <= values[least]!) return;
      const entry = posting >>> 7;
      let at = 0;
      while (at < count && entries[at] !== entry) at++;
      if (at === maxPrefixEntries) at = least;
      else if (at < count && value <= values[at]!) return;
      entries[at] = entry;
      values[at] = value;
      if (at === count) count++;
      if (count < maxPrefixEntries) return;
      least = 0;
      for (let i = 1; i < maxPrefixEntries; i++) if (values[i]! <= values[least]!) least = i;
    },
    postings: () => Uint32Array.from(entries.subarray(0, count), (entry, i) => entry * 128 + values[i]!).sort(),
  };
}

/** Only the most frequent words are kept, so that the file stays small. */
const maxWords = 30_000;

// Only letters; characters of scripts without blanks come in pairs.
const isWord = (term: string): boolean => term.length >= 4 && term.length <= 24 && /^[\p{L}\p{M}]+$/u.test(term);

/** Collects the words that typing errors are corrected to. */
export function createCommonWords() {
  const words: string[] = [];
  const counts: number[] = [];
  return {
    /** Terms must be added in order. */
    add(term: string, count: number, inTitle: boolean): void {
      if ((count < 2 && !inTitle) || !isWord(term)) return;
      words.push(term);
      counts.push(count);
    },
    /** The words with their frequency as a string literal; empty if there are none. */
    take(): string {
      const least = counts.length <= maxWords ? 0 : counts.toSorted((a, b) => b - a)[maxWords]! + 1;
      let previous = "";
      const written: string[] = [];
      for (const [i, word] of words.entries()) {
        if (counts[i]! < least) continue;
        written.push(shorter(word, previous) + characterOf(Math.min(44, Math.floor(2 * Math.log2(counts[i]!)))));
        previous = word;
      }
      return written.length === 0 ? "" : `"${written.join(" ")}"`;
    },
  };
}
