import type { CommonWord } from "./index-files.js";

/** A word that may have been meant, and how many letters it is away. */
export interface NearWord {
  readonly word: string;
  readonly distance: number;
}

const mostNear = 4;

/**
 * The words that a mistyped one may have meant: one letter too many, too few, wrong, or two exchanged; in longer words
 * two such mistakes. Nearest first, then the most frequent.
 *
 * @param open the word may be the beginning of what was meant.
 */
export function nearWords(typed: string, words: readonly CommonWord[], open: boolean): NearWord[] {
  const allowed = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2;
  if (allowed === 0) return [];
  const letters = lettersOf(typed);
  const found: (NearWord & { readonly frequency: number })[] = [];
  for (const { word, frequency } of words) {
    if (word.length < typed.length - allowed) continue;
    if (!open && word.length > typed.length + allowed) continue;
    // Every letter that the word does not have costs a mistake.
    if (bitsOf(letters & ~lettersOf(word)) > allowed) continue;
    const distance = distanceOf(typed, word, allowed, open);
    if (distance <= allowed) found.push({ word, distance, frequency });
  }
  const firstLetter = (word: string): number => Number(word[0] !== typed[0]);
  found.sort(
    (a, b) =>
      a.distance - b.distance ||
      firstLetter(a.word) - firstLetter(b.word) ||
      b.frequency - a.frequency ||
      a.word.length - b.word.length,
  );
  const nearest = found[0]?.distance ?? 0;
  return found.filter(({ distance }) => distance === nearest).slice(0, mostNear);
}

/** Which letters a word has, as far as 32 kinds can be told apart. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function bitsOf(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count++;
  return count;
}

/** Mistakes between two words; more than `allowed` come out as one more. With `open`, to the nearest beginning of `word`. */
export function distanceOf(typed: string, word: string, allowed: number, open: boolean): number {
  const width = Math.min(word.length, typed.length + allowed);
  let beforeLast: number[] = [];
  let last = Array.from({ length: width + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= width; j++) {
      const isSame = typed[i - 1] === word[j - 1];
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1])
        distance = Math.min(distance, beforeLast[j - 2]! + 1);
      row.push(distance);
      least = Math.min(least, distance);
    }
    if (least > allowed) return allowed + 1;
    beforeLast = last;
    last = row;
  }
  return open ? Math.min(...last) : width < word.length ? allowed + 1 : last[width]!;
}
