import { characterOf, codes, putNumber } from "./codec.js";
import { sharedLength } from "./prefixes.js";

const blank = 32;

/** A file of terms in order, with their postings. */
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
    /**
     * @param count number of entries that contain the term.
     * @param postings those that are kept: entry, shifted by 7 bits, and weight, ascending.
     */
    add(term: string, count: number, postings: Uint32Array): void {
      const cut = shorter(term, previous);
      previous = term;
      terms.push(cut);
      termBytes += cut.length + 1;
      // A number takes six characters at most, a weight one.
      const most = at + 8 + 7 * postings.length;
      if (most > numbers.length) {
        const larger = new Uint8Array(2 * most);
        larger.set(numbers);
        numbers = larger;
      }
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
    /** The two parts of the data, quoted; the next term begins a new file. */
    take(): Uint8Array {
      // No term or number contains a character that needs an escape.
      const data = Buffer.concat([Buffer.from(`"${terms.join(" ")}","`), numbers.subarray(0, at), Buffer.from('"')]);
      terms = [];
      at = 0;
      termBytes = 0;
      previous = "";
      return data;
    },
  };
}

const mostShared = 44;

/** A character for the length of the prefix shared with the previous term, and the rest of the term. */
export function shorter(term: string, previous: string): string {
  let shared = Math.min(mostShared, sharedLength(term, previous));
  // A character of two code units stays whole.
  if (!term.slice(0, shared).isWellFormed()) shared--;
  return characterOf(shared) + term.slice(shared);
}
