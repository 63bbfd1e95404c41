import { anyChar, type CharSet, has, intersect, isNone, noChar, onlyChar, union } from "./char-set.js";
import type { PatternNode } from "./parse-pattern.js";

/**
 * What a line must hold for a pattern to match anywhere in it. Most patterns of a grammar look for a keyword that
 * most lines do not have; knowing that costs a few bit operations, asking the regular expression a hundred times more.
 */
export interface PatternNeeds {
  /** Characters a match can begin with; undefined if it may be empty or begin with anything. */
  readonly first?: CharSet;
  /** Fingerprints (see `fingerprintWords`): the line must hold all bits of one of them. None: nothing is known. */
  readonly oneOf: readonly Int32Array[];
}

/** A line's letters and pairs of letters as a bit set: 64 bits for single characters, 448 for pairs. Case is folded. */
export const fingerprintWords = 16;
const maxAlternatives = 48;

/** The fingerprint of a line, and its characters in `chars`. */
export function lineFingerprint(text: string): { bits: Int32Array; chars: CharSet } {
  const bits = new Int32Array(fingerprintWords);
  const chars: [number, number, number, number] = [0, 0, 0, 0];
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) & 127;
    chars[code >> 5]! |= 1 << (code & 31);
    const folded = fold(code);
    bits[(folded >> 5) & 1]! |= 1 << (folded & 31);
    const pair = pairBit(previous, folded);
    bits[pair >> 5]! |= 1 << (pair & 31);
    previous = folded;
  }
  return { bits, chars };
}

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const pairBit = (a: number, b: number): number => 64 + ((((a * 31 + b) * 2053) >> 3) % 448);

export function patternNeeds(root: PatternNode): PatternNeeds {
  const first = firstChars(root);
  const spots = alternatives(root).map((spot) => spot.bits);
  return {
    ...(first.optional ? {} : { first: first.set }),
    oneOf: spots.some((bits) => bits.every((word) => word === 0)) ? [] : spots,
  };
}

/** Whether a line can match at all; `true` where nothing is known. */
export function mayMatch(needs: PatternNeeds, bits: Int32Array, chars: CharSet): boolean {
  if (needs.first && isNone(intersect(needs.first, chars))) return false;
  const { oneOf } = needs;
  if (oneOf.length === 0) return true;
  for (let i = 0; i < oneOf.length; i++) {
    const wanted = oneOf[i]!;
    let word = 0;
    while (word < fingerprintWords && (wanted[word]! & ~bits[word]!) === 0) word++;
    if (word === fingerprintWords) return true;
  }
  return false;
}

interface First {
  readonly set: CharSet;
  /** The node may match without a character of `set` at its start. */
  readonly optional: boolean;
}
const nothingFirst: First = { set: noChar, optional: true };

function firstChars(node: PatternNode): First {
  switch (node.kind) {
    case "set":
      return { set: node.set, optional: false };
    case "sequence": {
      let set = noChar;
      // A lookahead at the very start narrows what comes after it.
      let ahead = anyChar;
      for (const item of node.items) {
        const first = firstChars(item);
        if (item.kind === "look") {
          if (!first.optional && isNone(set)) ahead = intersect(ahead, first.set);
          continue;
        }
        set = union(set, first.set);
        if (!first.optional) return { set: intersect(set, ahead), optional: false };
      }
      return ahead === anyChar ? { set, optional: true } : { set: ahead, optional: false };
    }
    case "choice": {
      let result: First = { set: noChar, optional: false };
      for (const item of node.items) {
        const first = firstChars(item);
        result = { set: union(result.set, first.set), optional: result.optional || first.optional };
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
      return { set: anyChar, optional: true };
    default:
      return nothingFirst;
  }
}

/** One way to match, as far as it is known: bits needed, and the characters at its two ends (-1: unknown). */
interface Spot {
  readonly bits: Int32Array;
  readonly start: number;
  readonly end: number;
  /** Consumes nothing: what stands before and after it are neighbours. */
  readonly hollow: boolean;
}

const unknown: Spot = { bits: new Int32Array(fingerprintWords), start: -1, end: -1, hollow: false };
const hollow: Spot = { ...unknown, hollow: true };

function alternatives(node: PatternNode): readonly Spot[] {
  switch (node.kind) {
    case "set": {
      const only = onlyChar(node.set);
      if (only !== -1) return [spotOf(only)];
      const few = fewChars(node.set);
      return few ? few.map(spotOf) : [unknown];
    }
    case "sequence": {
      let spots: readonly Spot[] = [hollow];
      for (const item of node.items) spots = joined(spots, alternatives(item));
      return spots;
    }
    case "choice": {
      const all = node.items.flatMap(alternatives);
      return all.length > maxAlternatives ? [unknown] : all;
    }
    case "capture":
    case "atomic":
      return alternatives(node.body);
    case "repeat":
      if (node.min === 0) return [unknown];
      return node.min === 1 && node.max === 1
        ? alternatives(node.body)
        : alternatives(node.body).map((spot) => ({ ...unknown, bits: spot.bits }));
    case "look":
      // What a look asks for stands in the line too, but not between its neighbours.
      return node.negative ? [hollow] : alternatives(node.body).map((spot) => ({ ...hollow, bits: spot.bits }));
    case "back":
      return [unknown];
    default:
      return [hollow];
  }
}

/** One of `before`, then one of `after`. Where that is too many ways, the side that tells more is kept alone. */
function joined(before: readonly Spot[], after: readonly Spot[]): readonly Spot[] {
  if (before.length * after.length > maxAlternatives) {
    const kept = tells(after) > tells(before) ? after : before;
    return kept.map((spot) => ({ ...unknown, bits: spot.bits }));
  }
  return before.flatMap((a) =>
    after.map((b) => {
      const bits = a.bits.map((word, i) => word | b.bits[i]!);
      if (a.end !== -1 && b.start !== -1 && !a.hollow && !b.hollow) {
        const pair = pairBit(a.end, b.start);
        bits[pair >> 5]! |= 1 << (pair & 31);
      }
      return {
        bits,
        start: a.hollow ? b.start : a.start,
        end: b.hollow ? a.end : b.end,
        hollow: a.hollow && b.hollow,
      };
    }),
  );
}

/** Bits asked for by the least demanding way. */
function tells(spots: readonly Spot[]): number {
  let least = Infinity;
  for (const { bits } of spots) {
    let count = 0;
    for (const word of bits) for (let rest = word; rest !== 0; rest &= rest - 1) count++;
    least = Math.min(least, count);
  }
  return least;
}

function spotOf(code: number): Spot {
  const folded = fold(code);
  const bits = new Int32Array(fingerprintWords);
  bits[(folded >> 5) & 1]! |= 1 << (folded & 31);
  return { bits, start: folded, end: folded, hollow: false };
}

/** The characters of a set of up to four, in the order of their codes; letters in both cases count once. */
function fewChars(set: CharSet): number[] | undefined {
  const codes: number[] = [];
  for (let code = 0; code < 128; code++) {
    if (!has(set, code) || (code >= 97 && code <= 122 && codes.includes(code - 32))) continue;
    codes.push(code);
    if (codes.length > 4) return undefined;
  }
  return codes;
}
