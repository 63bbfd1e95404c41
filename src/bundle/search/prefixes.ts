import { filesRead, longestPrefix, prefixMark, weightSteps } from "./index-format.js";
import type { TermList } from "./posting-lists.js";

/** Entries that are kept for a prefix. */
const keptEntries = 64;

/**
 * Adds a term for each prefix whose terms fill more files than a browser should read; it has the entries with the
 * highest title weights of these terms. `lists` are in term order.
 *
 * @param filesDone number of complete term files so far.
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
        yield { term: prefix + prefixMark, postings: best.postings() };
    }
  }
  for (const list of lists) {
    yield* closeTo(sharedLength(previous, list.term));
    const deepest = Math.min(longestPrefix, list.term.length);
    while (open < deepest) levels[open++]!.reset(filesDone());
    const { postings } = list;
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i]!;
      if ((posting & 127) >= weightSteps) for (let level = 0; level < open; level++) levels[level]!.add(posting);
    }
    previous = list.term;
    yield list;
  }
  yield* closeTo(0);
}

export function sharedLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Keeps the entries with the highest weights; the first ones among equals. */
function createBest() {
  const entries = new Uint32Array(keptEntries);
  const values = new Uint8Array(keptEntries);
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
      if (count === keptEntries && value <= values[least]!) return;
      const entry = posting >>> 7;
      let at = 0;
      while (at < count && entries[at] !== entry) at++;
      if (at === keptEntries) at = least;
      else if (at < count && value <= values[at]!) return;
      entries[at] = entry;
      values[at] = value;
      if (at === count) count++;
      if (count < keptEntries) return;
      least = 0;
      for (let i = 1; i < keptEntries; i++) if (values[i]! <= values[least]!) least = i;
    },
    postings: () => Uint32Array.from(entries.subarray(0, count), (entry, i) => entry * 128 + values[i]!).sort(),
  };
}
