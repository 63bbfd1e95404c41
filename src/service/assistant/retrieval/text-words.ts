import { cutWords } from "../../../bundle/search/index.js";

/** The distinct words of a text, in the order of their first places. */
export type TextWords = (text: string) => readonly string[];

/** Words that are kept for all texts, with what a text itself takes: about 10 MB. */
const mostKept = 500_000;
const ofText = 16;

/** Keeps what it has cut: the same sections answer many questions. */
export function createTextWords(): TextWords {
  const known = new Map<string, readonly string[]>();
  /** One string for each word of all texts. */
  const shared = new Map<string, string>();
  let count = 0;
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const words = new Set<string>();
    cutWords(text, (word) => {
      const one = shared.get(word);
      if (one === undefined) shared.set(word, word);
      words.add(one ?? word);
    });
    count += words.size + ofText;
    if (count > mostKept) {
      known.clear();
      shared.clear();
      count = words.size + ofText;
    }
    const list = [...words];
    known.set(text, list);
    return list;
  };
}
