import { endOfString } from "../../lib/json/index.js";
import { weightStep, weightSteps } from "./index-format.js";
import { cutBytes, endOfArray, findStrings, type TakeBytes } from "./json-words.js";
import { grown, hashStart, hashStep, type TermTable } from "./term-table.js";

/** The postings of a page: which term is in which entry, with which weight. Valid until the next page is read. */
export interface PageWords {
  readonly entryCount: number;
  /** Number of postings. */
  readonly count: number;
  /** The number of the term of each posting. */
  readonly terms: Uint32Array;
  /** The entry of each posting, from 0 and ascending, shifted by 7 bits, and the weight. */
  readonly postings: Uint32Array;
}

/** Weight of a word by where it is. Text counts at most 1, however often it contains the word. */
const weights = {
  title: 5,
  heading: 1.8,
  keyword: 3,
  description: 1.5,
  otherName: 1,
  address: 0.7,
  trail: 0.5,
  text: 1,
  code: 0.4,
};

/** Number of words of a typical entry. */
const usualLength = 60;

/** What the words of a page are counted in. */
interface PageText {
  /** Above 0; 1 leaves the weights as they are. */
  readonly boost: number;
  /** JSON of a list of words that the page does not show, and a list with its description and its other names. */
  readonly keywords: Buffer;
  /** JSON of the page's `PageEntry`. */
  readonly entry: Buffer;
}

/** Counts the words of pages; one reader for all pages of a thread. */
export function createPageReader(table: TermTable): (page: PageText) => PageWords {
  let terms = new Uint32Array(1 << 13);
  let postings = new Uint32Array(1 << 13);
  let inTitle = new Float64Array(1 << 13);
  let inText = new Float64Array(1 << 13);
  let count = 0;
  /** The last posting of each term, counted through all pages. */
  let last = new Float64Array(1 << 16);
  let earlier = 1;
  /** First posting of the current entry, and the number of words in its text. */
  let first = 0;
  let length = 0;
  let weight = 0;
  const sectionCache = createSectionCache();

  const makeRoom = (coming: number): void => {
    if (count + coming <= terms.length) return;
    const larger = 2 * (count + coming);
    terms = grown(terms, larger);
    postings = grown(postings, larger);
    inTitle = grown(inTitle, larger);
    inText = grown(inText, larger);
  };
  const postingOf = (term: number): number => {
    if (term >= last.length) last = grown(last, 2 * term);
    const known = last[term]! - earlier;
    if (known >= first) return known;
    makeRoom(1);
    terms[count] = term;
    inTitle[count] = 0;
    inText[count] = 0;
    last[term] = earlier + count;
    return count++;
  };
  const addText = (term: number): void => {
    inText[postingOf(term)]! += weight;
    length++;
  };
  const takeText: TakeBytes = {
    bytes: (bytes, from, to, hash) => addText(table.numberOfBytes(bytes, from, to, hash)),
    word: (word) => addText(table.numberOf(word)),
  };
  let titleTerms: number[] = [];
  let wholes = 0;
  const takeTitle: TakeBytes = {
    bytes: (bytes, from, to, hash) => titleTerms.push(table.numberOfBytes(bytes, from, to, hash)),
    word: (word, parts) => {
      titleTerms.push(table.numberOf(word));
      if (parts > 0) wholes++;
    },
  };
  const text = (json: Buffer, from: number, to: number, each: number): void => {
    weight = each;
    cutBytes(json, from, to, takeText);
  };
  /** The shorter a title, the more each of its words counts. */
  const title = (json: Buffer, from: number, to: number, each: number, isWhole = true): void => {
    titleTerms = [];
    wholes = 0;
    cutBytes(json, from, to, takeTitle);
    const share = isWhole ? 2 / (1 + Math.sqrt(titleTerms.length - wholes)) : 1;
    for (const term of titleTerms) {
      const posting = postingOf(term);
      inTitle[posting] = Math.max(inTitle[posting]!, each * share);
    }
  };
  const endEntry = (entry: number, boost: number): void => {
    const saturation = 0.5 + (0.7 * length) / usualLength;
    const saidOnce = weightStep(boost / (1 + saturation));
    for (let i = first; i < count; i++) {
      const titled = inTitle[i]!;
      const often = inText[i]!;
      const isUsual = titled === 0 && often === 1;
      const value = isUsual ? saidOnce : weightStep((titled + often / (often + saturation)) * boost);
      postings[i] = (entry << 7) | (titled > 0 ? value + weightSteps : value);
    }
    sectionCache.keep(terms, postings, first, count);
    first = count;
    length = 0;
  };
  /** Adds the known postings of an entry. */
  const repeat = (entry: number, found: SectionPostings): void => {
    makeRoom(found.terms.length);
    for (let i = 0; i < found.terms.length; i++) {
      terms[count] = found.terms[i]!;
      postings[count++] = (entry << 7) | found.weights[i]!;
    }
    first = count;
  };

  return ({ boost: pageBoost, keywords, entry: json }) => {
    // A page that hardly matches must not come before one that is about the query.
    const boost = Math.sqrt(pageBoost);
    earlier += count;
    count = 0;
    first = 0;
    let entry = 0;
    findStrings(keywords, (_, inner, from, to) => {
      if (inner > 0) title(keywords, from, to, weights.otherName);
      else title(keywords, from, to, inner < 0 ? weights.keyword : weights.description, false);
    });
    const visit = (outer: number, inner: number, from: number, to: number): void => {
      if (outer === 0) text(json, lastSegment(json, from, to), to, weights.address);
      else if (outer === 1) title(json, from, to, weights.title);
      else if (outer === 2) text(json, from, to, weights.trail);
      else if (inner === 1) title(json, from, to, weights.heading);
      else if (inner === 2) text(json, from, to, weights.text);
      else if (inner === 3) text(json, from, to, weights.code);
    };
    const skipCached = (outer: number, from: number): number | undefined => {
      // The text before the first heading shares its entry with the title.
      if (outer < 5) return undefined;
      endEntry(entry++, boost);
      const end = endOfArray(json, from + 1);
      // Skips the id, which comes first.
      const found = sectionCache.find(json, endOfString(json, from + 2), end, boost);
      if (found) repeat(entry, found);
      return found && end;
    };
    findStrings(json, visit, skipCached);
    endEntry(entry, boost);
    return { entryCount: entry + 1, count, terms, postings };
  };
}

/** Offset of the last segment of a URL. */
function lastSegment(json: Buffer, from: number, to: number): number {
  for (let at = to; at > from; at--) if (json[at - 1] === 47) return at;
  return from;
}

/** The postings of a section: the number of the term and the weight of each. */
interface SectionPostings {
  readonly terms: Uint32Array;
  readonly weights: Uint8Array;
}

/** In bytes, of each thread. Above that all are dropped: pages with the same section follow each other. */
const maxRemembered = 3 * 1024 * 1024;

/** Approximate size of a cached section besides its bytes and postings. */
const usualRest = 500;

/** The hash covers about this many bytes of a section; matches are compared in full. */
const hashedBytes = 32;

interface Section {
  readonly hash: number;
  readonly bytes: Uint8Array;
  readonly boost: number;
}

/** Keeps the postings of sections that several pages contain, such as the fields of an error; identified by their bytes. */
function createSectionCache() {
  const cached = new Map<number, Section & SectionPostings>();
  let cachedBytes = 0;
  /** Hashes of sections seen: most occur once, so nothing else is stored of them. */
  const seen = new Int32Array(1 << 14);
  let awaited: Section | undefined;
  return {
    /** @param boost of the page, which affects the weights. */
    find(bytes: Uint8Array, from: number, to: number, boost: number): SectionPostings | undefined {
      let hash = hashStep(hashStart, to - from);
      const step = 1 + Math.floor((to - from) / hashedBytes);
      for (let at = from; at < to; at += step) hash = hashStep(hash, bytes[at]!);
      const known = cached.get(hash);
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
      cachedBytes += awaited.bytes.length + 5 * (end - first) + usualRest;
      if (cachedBytes > maxRemembered) {
        cached.clear();
        cachedBytes = 0;
      }
      const weights = Uint8Array.from(postings.subarray(first, end), (posting) => posting & 127);
      cached.set(awaited.hash, { ...awaited, terms: terms.slice(first, end), weights });
      awaited = undefined;
    },
  };
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let at = from; at < to; at++) if (known[at - from] !== bytes[at]) return false;
  return true;
}
