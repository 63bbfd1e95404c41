import * as sets from "./char-set.js";
import type { PatternNode } from "./pattern-node.js";

/** 64 bits for single characters and 448 for pairs of neighbours, ignoring case. */
const fingerprintWords = 16;
const maxWays = 48;

/** The fingerprint of a line, and the set of its characters. */
export function lineFingerprint(text: string): { bits: Int32Array; chars: sets.CharSet } {
  const bits = new Int32Array(fingerprintWords);
  const chars: [number, number, number, number] = [0, 0, 0, 0];
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) & 127;
    chars[code >> 5]! |= 1 << (code & 31);
    const folded = fold(code);
    bits[(folded & 63) >> 5]! |= 1 << (folded & 31);
    const pair = pairBit(previous, folded);
    bits[pair >> 5]! |= 1 << (pair & 31);
    previous = folded;
  }
  return { bits, chars };
}

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const pairBit = (a: number, b: number): number => 64 + ((((a * 31 + b) * 2053) >> 3) % 448);

/** The characters that a line must contain for a match, which is checked a hundred times faster than a match. */
export class PatternNeeds {
  /** Characters a match can begin with; `anyChar` if it may be empty or begin with anything. */
  readonly first: sets.CharSet;
  /** The line must have all bits of one of these lists. Empty if nothing is known. */
  private oneOf: readonly (readonly number[])[] | undefined;

  constructor(private readonly root: PatternNode) {
    const first = firstChars(root);
    this.first = first.optional ? sets.anyChar : first.set;
  }

  /** Whether the pattern can match on a line; `true` if nothing is known. */
  allow(bits: Int32Array, chars: sets.CharSet): boolean {
    if (!sets.overlap(this.first, chars)) return false;
    // Compute lazily, since the first characters rule out most patterns.
    this.oneOf ??= bitsOfWays(this.root);
    const { oneOf } = this;
    if (oneOf.length === 0) return true;
    for (let i = 0; i < oneOf.length; i++) {
      const needed = oneOf[i]!;
      let at = 0;
      while (at < needed.length && (bits[needed[at]! >> 5]! & (1 << (needed[at]! & 31))) !== 0) at++;
      if (at === needed.length) return true;
    }
    return false;
  }
}

function bitsOfWays(root: PatternNode): readonly (readonly number[])[] {
  const ways = waysOf(root);
  if (ways.some(({ bits }) => bits.length === 0)) return [];
  // Check pairs first, since they are rarer than letters.
  return ways.map(({ bits }) => [...new Set(bits)].sort((a, b) => b - a));
}

interface First {
  readonly set: sets.CharSet;
  /** Whether the node may match without a character of `set` at its start. */
  readonly optional: boolean;
}
const nothingFirst: First = { set: sets.noChar, optional: true };

function firstChars(node: PatternNode): First {
  switch (node.kind) {
    case "set":
      return { set: node.set, optional: false };
    case "sequence": {
      let set = sets.noChar;
      // A lookahead at the start narrows what follows.
      let ahead = sets.anyChar;
      for (const item of node.items) {
        const first = firstChars(item);
        if (item.kind === "look") {
          if (!first.optional && sets.isNone(set)) ahead = sets.intersect(ahead, first.set);
          continue;
        }
        set = sets.union(set, first.set);
        if (!first.optional) return { set: sets.intersect(set, ahead), optional: false };
      }
      return ahead === sets.anyChar ? { set, optional: true } : { set: ahead, optional: false };
    }
    case "choice": {
      let result: First = { set: sets.noChar, optional: false };
      for (const item of node.items) {
        const first = firstChars(item);
        result = { set: sets.union(result.set, first.set), optional: result.optional || first.optional };
      }
      return result;
    }
    case "capture":
    case "atomic":
      return firstChars(node.body);
    case "repeat": {
      const first = firstChars(node.body);
      return { set: first.set, optional: first.optional || node.min === 0 };
    }
    case "look": {
      if (node.behind || node.negative) return nothingFirst;
      return firstChars(node.body);
    }
    case "back":
      return { set: sets.anyChar, optional: true };
    default:
      return nothingFirst;
  }
}

/** A way in which a pattern can match: the bits that it needs, and its first and last character (-1 if unknown). */
interface Way {
  readonly bits: readonly number[];
  readonly start: number;
  readonly end: number;
  /** It consumes nothing, so the characters around it are neighbours. */
  readonly hollow: boolean;
}

const unknown: Way = { bits: [], start: -1, end: -1, hollow: false };
const hollow: Way = { ...unknown, hollow: true };

function waysOf(node: PatternNode): readonly Way[] {
  switch (node.kind) {
    case "set":
      return fewChars(node.set)?.map(wayOf) ?? [unknown];
    case "sequence": {
      let ways: readonly Way[] = [hollow];
      const { items } = node;
      for (let i = 0; i < items.length; i++) {
        // Read a whole word at once.
        const codes: number[] = [];
        for (let item = items[i]; item?.kind === "set"; item = items[++i]) {
          const only = onlyLetter(item.set);
          if (only === -1) break;
          codes.push(only);
        }
        if (codes.length > 0) ways = joined(ways, [wordWay(codes)]);
        if (i < items.length) ways = joined(ways, waysOf(items[i]!));
      }
      return ways;
    }
    case "choice": {
      const all: Way[] = [];
      for (const item of node.items) {
        all.push(...waysOf(item));
        if (all.length > maxWays) return [unknown];
      }
      return all;
    }
    case "capture":
    case "atomic":
      return waysOf(node.body);
    case "repeat":
      return node.min === 0 ? [unknown] : waysOf(node.body).map((way) => ({ ...unknown, bits: way.bits }));
    case "look":
      // The line contains what a lookaround requires, but not between the characters around it.
      return node.negative ? [hollow] : waysOf(node.body).map((way) => ({ ...hollow, bits: way.bits }));
    case "back":
      return [unknown];
    default:
      return [hollow];
  }
}

function wordWay(codes: readonly number[]): Way {
  const bits = codes.map((code) => code & 63);
  for (let i = 1; i < codes.length; i++) bits.push(pairBit(codes[i - 1]!, codes[i]!));
  return { bits, start: codes[0]!, end: codes.at(-1)!, hollow: false };
}

/** A way of `before` followed by a way of `after`. If there are too many, only those of the side with more bits remain. */
function joined(before: readonly Way[], after: readonly Way[]): readonly Way[] {
  if (after.length === 1 && after[0] === hollow) return before;
  if (before.length === 1 && before[0] === hollow) return after;
  if (before.length * after.length > maxWays) {
    const richer = minBits(after) > minBits(before) ? after : before;
    return richer.map((way) => ({ ...unknown, bits: way.bits }));
  }
  return before.flatMap((a) => after.map((b) => join(a, b)));
}

function join(a: Way, b: Way): Way {
  const areNeighbours = a.end !== -1 && b.start !== -1 && !a.hollow && !b.hollow;
  return {
    bits: areNeighbours ? [...a.bits, ...b.bits, pairBit(a.end, b.start)] : [...a.bits, ...b.bits],
    start: a.hollow ? b.start : a.start,
    end: b.hollow ? a.end : b.end,
    hollow: a.hollow && b.hollow,
  };
}

const minBits = (ways: readonly Way[]): number => Math.min(...ways.map((way) => way.bits.length));

function wayOf(code: number): Way {
  const folded = fold(code);
  return { bits: [folded & 63], start: folded, end: folded, hollow: false };
}

/** The folded code of the only character of a set, counting both cases of a letter as one; or -1. */
const onlyLetter = (set: sets.CharSet): number =>
  fold(sets.onlyChar(sets.isLetterInBothCases(set) ? [0, 0, 0, set[3]] : set));

/** The characters of a set of up to four, counting both cases of a letter once; undefined for larger sets. */
function fewChars(set: sets.CharSet): number[] | undefined {
  if (sets.charCount(set) > 8) return undefined;
  const codes: number[] = [];
  for (let code = 0; code < 128; code++) {
    if (sets.has(set, code) && !(code >= 97 && code <= 122 && codes.includes(code - 32))) codes.push(code);
  }
  return codes.length > 4 ? undefined : codes;
}
