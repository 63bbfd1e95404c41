import { distance } from "fastest-levenshtein";

/**
 * The candidate that `word` is most likely a misspelling of: at most one edit, or one in three letters, case ignored.
 * The first of several equally near ones wins; undefined if none is near.
 */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  const limit = Math.max(1, Math.floor(lower.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - lower.length) >= bestDistance) continue;
    const edits = distance(lower, candidate.toLowerCase());
    // If every letter differs, the words are unrelated: "a" is not a misspelt "b".
    if (edits < bestDistance && edits < lower.length) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}
