import { cutWords } from "../../../bundle/search/index.js";

interface Sentence {
  readonly start: number;
  readonly words: readonly number[];
}

/** Size of the cache, in words and what each text adds: about 10 MB. */
const maxCached = 500_000;
const ofText = 16;

export type TextWords = ReturnType<typeof createTextWords>;

/** The words of texts as numbers, which compare faster; stored, since the same sections answer many questions. */
export function createTextWords() {
  const wordsByText = new Map<string, readonly number[]>();
  const sentencesByText = new Map<string, readonly Sentence[]>();
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
  const keep = <Value>(cached: Map<string, Value>, text: string, value: Value, words: number): Value => {
    size += words + ofText;
    if (size > maxCached) {
      wordsByText.clear();
      sentencesByText.clear();
      size = words + ofText;
    }
    cached.set(text, value);
    return value;
  };
  return {
    /** The number of a word, also of one that no text has had yet. */
    numberOf,
    /** Greater than all numbers. */
    get count() {
      return numbers.size;
    },
    /** The distinct words of a text, in the order in which they first occur. */
    of(text: string): readonly number[] {
      const cached = wordsByText.get(text);
      if (cached !== undefined) return cached;
      const words = cut(text);
      return keep(wordsByText, text, words, words.length);
    },
    /** Where the sentences of a text begin, and the words of each. */
    sentencesOf(text: string): readonly Sentence[] {
      const cached = sentencesByText.get(text);
      if (cached !== undefined) return cached;
      const ends = Array.from(
        text.matchAll(/[.!?:] (?=[^\s\p{Ll}])|[。！？]/gu),
        ({ index, 0: mark }) => index + mark.length,
      );
      const starts = [0, ...ends];
      const sentences = starts.map((start, at) => ({ start, words: cut(text.slice(start, starts[at + 1])) }));
      const count = sentences.reduce((sum, { words }) => sum + words.length + ofText, 0);
      return keep(sentencesByText, text, sentences, count);
    },
  };
}

/** The words of a site that match one word of a question, as numbers of `TextWords`, and the weight of each. */
export interface AskedTerm {
  readonly numbers: readonly number[];
  readonly weights: readonly number[];
}

/** The words of a site that a question asks for. Forms of one word count once. */
export type AskedWords = ReturnType<ReturnType<typeof createWeigher>>;

/** More than a question has. */
const maxTerms = 255;

/** Weighs texts by the words of a question, in arrays: a search in a map would take most of the time. */
export function createWeigher(textWords: TextWords) {
  let weights = new Float64Array(0);
  /** The number of the term, from 1 on; 0 for a word that is not asked for. */
  let termOf = new Uint8Array(0);
  /** The terms that are in the arrays. */
  let loaded: readonly AskedTerm[] = [];
  /** The weight that texts have of each term; all 0 between two sums. */
  const found = new Float64Array(maxTerms + 1);
  /** In the order in which they are found: in another order the last bit of the sum could differ. */
  const order: number[] = [];

  const load = (terms: readonly AskedTerm[]): void => {
    if (terms === loaded) return;
    for (const { numbers } of loaded)
      for (const number of numbers) {
        weights[number] = 0;
        termOf[number] = 0;
      }
    if (textWords.count > weights.length) {
      weights = new Float64Array(2 * textWords.count);
      termOf = new Uint8Array(weights.length);
    }
    for (let term = 0; term < terms.length; term++) {
      const { numbers, weights: own } = terms[term]!;
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at]!;
        if (own[at]! <= weights[number]!) continue;
        weights[number] = own[at]!;
        termOf[number] = term + 1;
      }
    }
    loaded = terms;
  };
  const find = (words: readonly number[]): void => {
    // An iterator would make an object for each word.
    for (let at = 0; at < words.length; at++) {
      const term = termOf[words[at]!];
      if (!term) continue;
      const weight = weights[words[at]!]!;
      if (weight <= found[term]!) continue;
      if (found[term] === 0) order.push(term);
      found[term] = weight;
    }
  };
  const sum = (): number => {
    let sum = 0;
    for (const term of order) {
      sum += found[term]!;
      found[term] = 0;
    }
    order.length = 0;
    return sum;
  };
  return (all: readonly AskedTerm[]) => {
    const terms = all.slice(0, maxTerms);
    return {
      /** Sum of the weights of the asked words that texts have. */
      weightIn(...texts: readonly string[]): number {
        load(terms);
        for (const text of texts) find(textWords.of(text));
        return sum();
      },
      /** @param words of a text, as numbers. */
      weightOf(words: readonly number[]): number {
        load(terms);
        find(words);
        return sum();
      },
    };
  };
}
