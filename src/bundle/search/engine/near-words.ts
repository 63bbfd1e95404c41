import type { CommonWord } from "./index-files.js";

/** A word similar to the typed one, and its edit distance. */
interface NearWord {
  readonly word: string;
  readonly distance: number;
}

const maxNear = 4;

/**
 * Known words that a mistyped word may stand for: with one letter inserted, deleted, replaced, or two swapped, and in
 * longer words two such mistakes. Nearest first, then the most frequent.
 *
 * @param open the typed word may be unfinished.
 */
export function nearWords(typed: string, words: readonly CommonWord[], open: boolean): NearWord[] {
  const allowed = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2;
  if (allowed === 0) return [];
  const letters = lettersOf(typed);
  const found: (NearWord & { readonly frequency: number })[] = [];
  for (const { word, frequency } of words) {
    if (word.length < typed.length - allowed) continue;
    if (!open && word.length > typed.length + allowed) continue;
    // Each letter missing from the word is at least one mistake.
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
  return found.filter(({ distance }) => distance === nearest).slice(0, maxNear);
}

/** The letters of a word as a set of 32 bits. */
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

/** Edit distance, at most `allowed + 1`. With `open`, the distance to the nearest prefix of `word`. */
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
