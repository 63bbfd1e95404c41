import { characterOf } from "./codec.js";
import { weightSteps } from "./index-format.js";
import { shorter } from "./term-file.js";

/** Only the most frequent words are kept, so that the file stays small. */
const mostWords = 30_000;
// Only letters; characters of scripts without blanks come in pairs.
const isWord = (term: string): boolean => term.length >= 4 && term.length <= 24 && /^[\p{L}\p{M}]+$/u.test(term);

/** Collects the words that typing errors are corrected to. */
export function createCommonWords() {
  const words: string[] = [];
  const counts: number[] = [];
  return {
    /** Terms must be added in order. */
    add(term: string, postings: Uint32Array): void {
      if (!isWord(term)) return;
      const inTitle = postings.some((posting) => (posting & 127) >= weightSteps);
      if (postings.length < 2 && !inTitle) return;
      words.push(term);
      counts.push(postings.length);
    },
    /** The words with their frequency as a string literal; empty if there are none. */
    take(): string {
      const least = counts.length <= mostWords ? 0 : counts.toSorted((a, b) => b - a)[mostWords]! + 1;
      let previous = "";
      const kept: string[] = [];
      for (const [i, word] of words.entries()) {
        if (counts[i]! < least) continue;
        kept.push(shorter(word, previous) + characterOf(Math.min(44, Math.floor(2 * Math.log2(counts[i]!)))));
        previous = word;
      }
      return kept.length === 0 ? "" : `"${kept.join(" ")}"`;
    },
  };
}
