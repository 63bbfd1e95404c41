import { hashStart, hashStep } from "./term-table.js";

/** The postings of a section: the number of the term and the weight of each. */
export interface SectionPostings {
  readonly terms: Uint32Array;
  readonly weights: Uint8Array;
}

/** In bytes, of each thread. Above that all are dropped: pages with the same section follow each other. */
const mostKept = 3 * 1024 * 1024;
/** Approximate size of a kept section besides its bytes and postings. */
const usualRest = 500;
/** The hash covers about this many bytes of a section; matches are compared in full. */
const hashedBytes = 32;

interface Section {
  readonly hash: number;
  readonly bytes: Uint8Array;
  readonly boost: number;
}

/** Keeps the postings of sections that several pages contain, such as the fields of an error; identified by their bytes. */
export function createKnownSections() {
  const kept = new Map<number, Section & SectionPostings>();
  let keptBytes = 0;
  /** Hashes of sections seen: most occur once, so nothing else is kept of them. */
  const seen = new Int32Array(1 << 14);
  let awaited: Section | undefined;
  return {
    /** @param boost of the page, which affects the weights. */
    find(bytes: Uint8Array, from: number, to: number, boost: number): SectionPostings | undefined {
      let hash = hashStep(hashStart, to - from);
      const step = 1 + Math.floor((to - from) / hashedBytes);
      for (let at = from; at < to; at += step) hash = hashStep(hash, bytes[at]!);
      const known = kept.get(hash);
      if (known?.boost === boost && isSame(known.bytes, bytes, from, to)) return known;
      const place = (hash ^ (hash >>> 15)) & (seen.length - 1);
      if (seen[place] === hash) awaited = { hash, bytes: new Uint8Array(bytes.subarray(from, to)), boost };
      else seen[place] = hash;
      return undefined;
    },
    /**
     * To be called after reading a section that was not found; keeps it if it was seen before.
     *
     * @param postings of the page; those from `first` up to `end` belong to the section.
     */
    keep(terms: Uint32Array, postings: Uint32Array, first: number, end: number): void {
      if (awaited === undefined) return;
      keptBytes += awaited.bytes.length + 5 * (end - first) + usualRest;
      if (keptBytes > mostKept) {
        kept.clear();
        keptBytes = 0;
      }
      const weights = Uint8Array.from(postings.subarray(first, end), (posting) => posting & 127);
      kept.set(awaited.hash, { ...awaited, terms: terms.slice(first, end), weights });
      awaited = undefined;
    },
  };
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let at = from; at < to; at++) if (known[at - from] !== bytes[at]) return false;
  return true;
}
