import { hashStart, hashStep } from "./term-table.js";

/** What a section says: of each posting the number of the term and the weight. */
export interface SectionPostings {
  readonly terms: Uint32Array;
  readonly weights: Uint8Array;
}

/** What those sections say that several pages hold, such as the fields of an error; told apart by their bytes. */
export interface KnownSections {
  /** @param boost of the page, which decides about the weights too. */
  find(bytes: Uint8Array, from: number, to: number, boost: number): SectionPostings | undefined;
  /**
   * To be called when a section that was not found has been read; it is kept if it came before.
   *
   * @param postings of the page, of which those from `first` up to `end` are the section's.
   */
  keep(terms: Uint32Array, postings: Uint32Array, first: number, end: number): void;
}

/** In bytes. With more, all are forgotten: pages that hold the same follow each other. */
const mostKept = 8 * 1024 * 1024;
/** What a section takes beside its bytes and those of its postings, about. */
const usualRest = 500;
/** About as many bytes of a section make its hash: they need not be all, since what is found is compared. */
const hashedBytes = 32;

interface Section {
  readonly hash: number;
  readonly bytes: Uint8Array;
  readonly boost: number;
}

export function createKnownSections(): KnownSections {
  const kept = new Map<number, Section & SectionPostings>();
  let keptBytes = 0;
  /** Hashes of sections that came: most never come again, and nothing else is kept of them. */
  const seen = new Int32Array(1 << 14);
  let awaited: Section | undefined;
  return {
    find(bytes, from, to, boost) {
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
    keep(terms, postings, first, end) {
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
