import { cutWords } from "../../bundle/search/words.js";

/** One thing a reader looks for. */
export interface Wanted {
  readonly word: string;
  /** Of an identifier: all of them together count as the word. */
  readonly parts: readonly string[];
  /** The reader may not have finished it. */
  readonly open: boolean;
  /** Raises what has it, but need not be found. */
  readonly optional: boolean;
}

const mostWords = 12;

export function parseQuery(text: string): Wanted[] {
  const wanted: Wanted[] = [];
  cutWords(text, (word, parts) => {
    const taken = parts === 0 ? [] : wanted.splice(-parts);
    // One character of a script that is written in pairs may begin one.
    const open = word.length === 1 && word > "\u0e00";
    wanted.push({ word, parts: taken.map((each) => each.word), open, optional: false });
  });
  const last = wanted.at(-1);
  if (last && /[\p{L}\p{M}\p{N}]$/u.test(text)) wanted[wanted.length - 1] = { ...last, open: true };
  const some = wanted
    .filter((each, at) => wanted.findIndex(({ word }) => word === each.word) === at)
    .slice(0, mostWords);
  return [...some, ...joined(some)];
}

/** "type script" may be meant as one word. */
const joined = (wanted: readonly Wanted[]): Wanted[] =>
  wanted.slice(1).flatMap((right, at) => {
    const left = wanted[at]!;
    const isPlain = [left, right].every(({ word, parts }) => parts.length === 0 && /^[\p{L}\p{N}]{2,}$/u.test(word));
    const isPacked = isPlain && left.word.at(-1) === right.word[0] && left.word > "\u0e00";
    if (!isPlain || isPacked) return [];
    return [{ word: left.word + right.word, parts: [], open: right.open, optional: true }];
  });
