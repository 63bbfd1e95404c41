import { anyEnding, filesRead, longestShared, weightSteps } from "./index-format.js";
import type { TermList } from "./posting-lists.js";

/** As many entries are kept for a beginning. */
const kept = 64;

/**
 * Adds to terms in their order, for each beginning whose terms fill more files than a reader's browser should read, one
 * that holds the entries with the weightiest titles of them all.
 *
 * @param filesDone how many files of terms are full by now.
 */
export function* withBeginnings(lists: Iterable<TermList>, filesDone: () => number): Iterable<TermList> {
  const levels = Array.from({ length: longestShared }, createBest);
  let open = 0;
  let previous = "";
  function* closeTo(length: number): Iterable<TermList> {
    while (open > length) {
      const best = levels[--open]!;
      const beginning = previous.slice(0, open + 1);
      if (filesDone() - best.firstFile >= filesRead - 1 && beginning.isWellFormed())
        yield { term: beginning + anyEnding, postings: best.postings() };
    }
  }
  for (const list of lists) {
    yield* closeTo(sharedLength(previous, list.term));
    const deepest = Math.min(longestShared, list.term.length);
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

interface Best {
  firstFile: number;
  reset(firstFile: number): void;
  add(posting: number): void;
  postings(): Uint32Array;
}

/** Keeps the entries of the greatest weight, of equal ones the first that came. */
function createBest(): Best {
  const entries = new Uint32Array(kept);
  const values = new Uint8Array(kept);
  let count = 0;
  let least = 0;
  return {
    firstFile: 0,
    reset(firstFile) {
      this.firstFile = firstFile;
      count = 0;
    },
    add(posting) {
      const value = posting & 127;
      if (count === kept && value <= values[least]!) return;
      const entry = posting >>> 7;
      let at = 0;
      while (at < count && entries[at] !== entry) at++;
      if (at === kept) at = least;
      else if (at < count && value <= values[at]!) return;
      entries[at] = entry;
      values[at] = value;
      if (at === count) count++;
      if (count < kept) return;
      least = 0;
      for (let i = 1; i < kept; i++) if (values[i]! <= values[least]!) least = i;
    },
    postings: () => Uint32Array.from(entries.subarray(0, count), (entry, i) => entry * 128 + values[i]!).sort(),
  };
}
