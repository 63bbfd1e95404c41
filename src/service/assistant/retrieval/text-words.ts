import { cutWords } from "../../../bundle/search/index.js";

/** The words of texts as numbers, which are compared faster. */
export interface TextWords {
  /** The distinct words of a text, in the order of their first places. */
  of(text: string): readonly number[];
  /** Where the sentences of a text begin, and the words of each. */
  sentencesOf(text: string): readonly Sentence[];
  /** The number of a word, also of one that no text has had yet. */
  numberOf(word: string): number;
  /** Above all numbers. */
  readonly count: number;
}

export interface Sentence {
  readonly start: number;
  readonly words: readonly number[];
}

/** Words that are kept for all texts, with what a text itself takes: about 10 MB. */
const mostKept = 500_000;
const ofText = 16;

/** Keeps what it has cut: the same sections answer many questions. */
export function createTextWords(): TextWords {
  const known = new Map<string, readonly number[]>();
  const cutInto = new Map<string, readonly Sentence[]>();
  const numbers = new Map<string, number>();
  let size = 0;
  const numberOf = (word: string): number => {
    const number = numbers.get(word) ?? numbers.size;
    if (number === numbers.size) numbers.set(word, number);
    return number;
  };
  const cut = (text: string): readonly number[] => {
    const words = new Set<number>();
    cutWords(text, (word) => words.add(numberOf(word)));
    return [...words];
  };
  const keep = <Value>(kept: Map<string, Value>, text: string, value: Value, words: number): Value => {
    size += words + ofText;
    if (size > mostKept) {
      known.clear();
      cutInto.clear();
      size = words + ofText;
    }
    kept.set(text, value);
    return value;
  };
  return {
    numberOf,
    get count() {
      return numbers.size;
    },
    of(text) {
      const kept = known.get(text);
      if (kept !== undefined) return kept;
      const words = cut(text);
      return keep(known, text, words, words.length);
    },
    sentencesOf(text) {
      const kept = cutInto.get(text);
      if (kept !== undefined) return kept;
      const ends = Array.from(text.matchAll(/[.!?:] (?=\S)|[。！？]/g), ({ index, 0: mark }) => index + mark.length);
      const starts = [0, ...ends];
      const sentences = starts.map((start, at) => ({ start, words: cut(text.slice(start, starts[at + 1])) }));
      const count = sentences.reduce((sum, { words }) => sum + words.length + ofText, 0);
      return keep(cutInto, text, sentences, count);
    },
  };
}
