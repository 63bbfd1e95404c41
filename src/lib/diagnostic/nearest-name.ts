import { distance } from "fastest-levenshtein";

/**
 * The candidate that `word` most likely stands for, or undefined where none is near: at most one edit, or one
 * in three letters, without regard to case. Of equally near ones the first wins.
 */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    // A distance of the whole word is no resemblance: "a" is not a misspelt "b".
    if (edits < bestDistance && edits < wanted.length) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}
