import { distance } from "fastest-levenshtein";

/** How often each code unit, modulo 128, occurs in the word; all 0 between calls. */
const counts = new Int16Array(128);

/**
 * The candidate of which `word` is most likely a misspelling: at most one edit, or one in three letters, ignoring case.
 * Two swapped neighbouring letters are one edit. If both names have the same number of words, each pair of words must be
 * similar: "member_created" is not a misspelt "order_created".
 * The first of several equally near ones wins; undefined if none is near.
 */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  const limit = Math.max(1, Math.floor(lower.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (let i = 0; i < lower.length; i++) counts[lower.charCodeAt(i) & 127]! += 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - lower.length) >= bestDistance) continue;
    const other = candidate.toLowerCase();
    // A lower bound that is cheaper than the distance: every letter that only one of them has is an edit.
    if (Math.max(lower.length, other.length) - sharedLetters(other) >= bestDistance) continue;
    const edits = isSwap(lower, other) ? 1 : distance(lower, other);
    // If every letter differs, the words are unrelated: "a" is not a misspelt "b".
    if (edits < bestDistance && edits < lower.length) {
      best = candidate;
      bestDistance = edits;
    }
  }
  counts.fill(0);
  return best !== undefined && areWordsNear(lower, best.toLowerCase()) ? best : undefined;
}

function areWordsNear(lower: string, other: string): boolean {
  const words = lower.split(separator);
  const others = other.split(separator);
  if (words.length === 1 || words.length !== others.length) return !isOtherPart(lower, other);
  return words.every((word, i) => {
    const edits = isSwap(word, others[i]!) ? 1 : distance(word, others[i]!);
    return edits === 0 || (edits <= Math.max(1, word.length / 3) && edits < word.length);
  });
}

/** Whether what differs has no letters in common: "paytransaction" is not a misspelt "voidtransaction". */
function isOtherPart(lower: string, other: string): boolean {
  let start = 0;
  let end = 0;
  const most = Math.min(lower.length, other.length);
  while (start < most && lower[start] === other[start]) start++;
  while (end < most - start && lower.at(-1 - end) === other.at(-1 - end)) end++;
  const [part, otherPart] = [lower, other].map((word) => word.slice(start, word.length - end)) as [string, string];
  const least = Math.min(part.length, otherPart.length);
  return least >= 3 && distance(part, otherPart) >= Math.max(part.length, otherPart.length);
}

const separator = /[^\p{L}\p{N}]+/u;

function isSwap(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  const isOfLetters = /^[a-z]{2}/.test(word.slice(at, at + 2));
  return (
    isOfLetters &&
    word[at] === other[at + 1] &&
    word[at + 1] === other[at] &&
    word.slice(at + 2) === other.slice(at + 2)
  );
}

/** How many letters of `other` pair with one of the word in `counts`. */
function sharedLetters(other: string): number {
  let shared = 0;
  for (let i = 0; i < other.length; i++) if (counts[other.charCodeAt(i) & 127]!-- > 0) shared++;
  for (let i = 0; i < other.length; i++) counts[other.charCodeAt(i) & 127]! += 1;
  return shared;
}

/** The existing name that a misspelt one probably stands for. */
export interface LikelyName {
  readonly name: string;
  /** The names have the same letters; otherwise they are only similar. */
  readonly certain: boolean;
}

/** The candidate that is `word` in another spelling, or else the nearest one. */
export function likelyName(word: string, candidates: Iterable<string>): LikelyName | undefined {
  const names = [...candidates];
  const alike = spelledAlike(word, names);
  const name = alike ?? nearestName(word, names);
  return name === undefined ? undefined : { name, certain: alike !== undefined };
}

/** The only candidate that differs from `word` just in case, hyphens, underscores, dots, colons and spaces. */
export function spelledAlike(word: string, candidates: Iterable<string>): string | undefined {
  const bare = lettersOf(word);
  const alike = new Set([...candidates].filter((name) => lettersOf(name) === bare));
  return alike.size === 1 && bare !== "" ? [...alike][0] : undefined;
}

const lettersOf = (name: string): string => name.replace(/[-_.: ]/g, "").toLowerCase();
