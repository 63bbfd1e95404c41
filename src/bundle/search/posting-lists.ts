import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { waitForFiles } from "../../lib/wait-for-files.js";
import { weightSteps } from "./index-format.js";
import type { PageWords } from "./page-words.js";

/** A term and its entries: each shifted by 7 bits, and its weight. Valid until the next one is read. */
export interface TermList {
  readonly term: string;
  /** Ascending. */
  readonly postings: Uint32Array;
  /** Some entry has the term in its title. */
  readonly inTitle: boolean;
}
export interface SortedList extends TermList {
  /** Index of the term in `TermOrder.terms`. */
  readonly place: number;
}

export type PostingLists = ReturnType<typeof createPostingLists>;

/** All terms of the site. */
export interface TermOrder {
  /** Sorted by code unit. */
  readonly terms: readonly string[];
  /** Index in `terms`, by the number of a term. */
  readonly locationOf: Uint32Array;
}

/** The lists of an earlier index, in the order of the numbers of their terms. Terms have the same order in all of them. */
export interface StoredLists {
  /** Number of entries of that index. */
  readonly entryCount: number;
  /** To be read once. `place` is the number of the term. */
  read(): Iterator<PlacedList, undefined>;
}

/** Most postings in memory, at twelve bytes each; the rest is in temporary files. */
export const maxHeldPostings = 1_500_000;

/**
 * Collects postings in page order, and returns them in term order.
 * @param spillPath absolute path prefix of temporary files.
 * @param stored lists whose pages `reuse` takes over.
 */
export function createPostingLists(spillPath: string, most = maxHeldPostings, stored?: StoredLists) {
  const runs: string[] = [];
  let held: HeldWords[] = [];
  let count = 0;
  const moved = stored && createMovedEntries(stored.entryCount);

  const spill = (): void => {
    const path = `${spillPath}-${runs.length}`;
    const shifted = held.map(({ postings, first }) => postings.map((posting) => first + posting));
    writeNumbers(path, [...held.map(({ terms }) => terms), ...shifted]);
    runs.push(path);
    held = [];
    count = 0;
  };
  /** Sorts a file by term; the order is known only at the end. */
  const sortRun = (path: string, order: TermOrder): void => {
    const [terms, postings] = Array.from({ length: 2 }, () => new Uint32Array(statSync(path).size / 8));
    readNumbers(path, [terms!, postings!]);
    writeNumbers(path, inParts(sortByPlace([{ terms: terms!, postings: postings!, first: 0 }], order)));
  };

  return {
    add({ terms, postings, count: coming }: PageWords, firstEntry: number): void {
      if (count > 0 && count + coming > most) spill();
      held.push({ terms: terms.slice(0, coming), postings: postings.slice(0, coming), first: firstEntry << 7 });
      count += coming;
    },
    /** Adds entries that the stored lists have from the entry `from` on. */
    reuse: (from: number, entryCount: number, firstEntry: number): void => moved!.add(from, entryCount, firstEntry),
    /** To be read once. */
    *sorted(order: TermOrder): Iterable<SortedList> {
      if (runs.length > 0) {
        spill();
        for (const path of runs) sortRun(path, order);
      }
      const added = runs.length > 0 ? merged(runs.map(readRun)) : sortByPlace(held, order);
      const lists = moved?.isUsed() ? withStored(stored!.read(), added, moved.merge, order) : added;
      for (const { place, postings, inTitle = postings.some(isOfTitle) } of lists)
        yield { term: order.terms[place]!, place, postings, inTitle };
    },
    close(): void {
      for (const path of runs) rmSync(path, { force: true });
    },
  };
}

/** Which number each entry of stored lists has now, if it is still there. */
function createMovedEntries(entryCount: number) {
  const numberOf = new Int32Array(entryCount).fill(-1);
  let isUsed = false;
  let isAscending = true;
  let lastFrom = 0;
  return {
    isUsed: () => isUsed,
    add(from: number, count: number, firstEntry: number): void {
      for (let i = 0; i < count; i++) numberOf[from + i] = firstEntry + i;
      isUsed = true;
      isAscending &&= from >= lastFrom;
      lastFrom = from;
    },
    /** The postings of a term: those stored, with the numbers that their entries have now, and added ones. */
    merge(place: number, stored: Uint32Array, added: Uint32Array): PlacedList {
      const postings = new Uint32Array(stored.length + added.length);
      let count = 0;
      let next = 0;
      let titled = 0;
      for (let i = 0; i < stored.length; i++) {
        const entry = numberOf[stored[i]! >>> 7]!;
        if (entry < 0) continue;
        const value = stored[i]! & 127;
        const posting = entry * 128 + value;
        while (next < added.length && added[next]! < posting) postings[count++] = added[next++]!;
        postings[count++] = posting;
        if (value >= weightSteps) titled++;
      }
      while (next < added.length) postings[count++] = added[next++]!;
      const all = postings.subarray(0, count);
      if (!isAscending) all.sort();
      return { place, postings: all, inTitle: titled > 0 || added.some(isOfTitle) };
    },
  };
}

/** Adds stored lists to others; both are in term order. */
function* withStored(
  stored: Iterator<PlacedList, undefined>,
  added: Iterable<PlacedList>,
  merge: (place: number, stored: Uint32Array, added: Uint32Array) => PlacedList,
  { locationOf }: TermOrder,
): Iterable<PlacedList> {
  let old = stored.next().value;
  for (const { place, postings } of added) {
    let own: PlacedList | undefined;
    for (; old && locationOf[old.place]! <= place; old = stored.next().value)
      if (locationOf[old.place] === place) own = old;
      else yield* notEmpty(merge(locationOf[old.place]!, old.postings, none));
    yield merge(place, own?.postings ?? none, postings);
  }
  for (; old; old = stored.next().value) yield* notEmpty(merge(locationOf[old.place]!, old.postings, none));
}
const none = new Uint32Array();
const notEmpty = (list: PlacedList): PlacedList[] => (list.postings.length > 0 ? [list] : []);

export interface PlacedList {
  readonly place: number;
  readonly postings: Uint32Array;
  readonly inTitle?: boolean;
}

const isOfTitle = (posting: number): boolean => (posting & 127) >= weightSteps;

/** As `PageWords`. */
interface HeldWords extends Pick<PageWords, "terms" | "postings"> {
  /** To be added to each of `postings`. */
  readonly first: number;
}

/** Each pass over all postings takes noticeable time: there are hundreds a page. */
function* sortByPlace(held: readonly HeldWords[], { locationOf, terms }: TermOrder): Iterable<PlacedList> {
  const ends = new Uint32Array(terms.length + 1);
  for (const { terms } of held) for (let i = 0; i < terms.length; i++) ends[locationOf[terms[i]!]! + 1]!++;
  for (let i = 0; i < terms.length; i++) ends[i + 1]! += ends[i]!;
  const next = ends.slice();
  const inTitle = new Uint8Array(terms.length);
  const sorted = new Uint32Array(ends[terms.length]!);
  for (const { terms, postings, first } of held)
    for (let i = 0; i < terms.length; i++) {
      const place = locationOf[terms[i]!]!;
      const posting = postings[i]!;
      sorted[next[place]!++] = first + posting;
      if ((posting & 127) >= weightSteps) inTitle[place] = 1;
    }
  for (let place = 0; place < terms.length; place++)
    if (ends[place]! < ends[place + 1]!) {
      const postings = sorted.subarray(ends[place]!, ends[place + 1]!);
      yield { place, postings, inTitle: inTitle[place] === 1 };
    }
}

const bytesOf = (numbers: Uint32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

function writeNumbers(path: string, parts: Iterable<Uint32Array>): void {
  const file = waitForFiles(() => openSync(path, "w"));
  try {
    for (const part of parts)
      for (let bytes = bytesOf(part), done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  } finally {
    closeSync(file);
  }
}

function readNumbers(path: string, parts: readonly Uint32Array[]): void {
  const file = waitForFiles(() => openSync(path, "r"));
  try {
    for (const part of parts) if (fill(file, bytesOf(part)) < part.byteLength) throw new Error(`${path} is cut short.`);
  } finally {
    closeSync(file);
  }
}

/** Reads until the bytes are full or the file ends; returns how many are filled. @param start default: where the last ended */
function fill(file: number, bytes: Uint8Array, start?: number): number {
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(file, bytes, at, bytes.length - at, start === undefined ? null : start + at);
    if (read === 0) break;
    at += read;
  }
  return at;
}

/** Numbers of 32 bits: for each term its index, the number of its postings, and these. */
export function* inParts(lists: Iterable<PlacedList>): Iterable<Uint32Array> {
  const part = new Uint32Array(1 << 16);
  let used = 0;
  for (const { place, postings } of lists) {
    if (used + 2 + postings.length > part.length) {
      yield part.subarray(0, used);
      used = 0;
    }
    part[used++] = place;
    part[used++] = postings.length;
    if (postings.length > part.length - 2) {
      yield part.subarray(0, used);
      yield postings;
      used = 0;
      continue;
    }
    part.set(postings, used);
    used += postings.length;
  }
  yield part.subarray(0, used);
}

function* readRun(path: string): Generator<PlacedList, undefined> {
  const file = waitForFiles(() => openSync(path, "r"));
  try {
    return yield* readLists(file, 0, statSync(path).size);
  } finally {
    closeSync(file);
  }
}

/** Reads what `inParts` gave from a part of a file. @param start in bytes. */
export function* readLists(file: number, start: number, end: number): Generator<PlacedList, undefined> {
  const buffer = new Uint32Array(1 << 16);
  let from = 0;
  let to = 0;
  let at = start;
  const read = (into: Uint32Array, first: number): number => {
    const bytes = bytesOf(into).subarray(4 * first);
    const filled = fill(file, bytes.subarray(0, Math.min(bytes.length, end - at)), at);
    at += filled;
    return first + filled / 4;
  };
  const refill = (): void => {
    buffer.copyWithin(0, from, to);
    to = read(buffer, to - from);
    from = 0;
  };
  for (;;) {
    if (to - from < 2) refill();
    if (to - from < 2) return undefined;
    const place = buffer[from]!;
    const postings = new Uint32Array(buffer[from + 1]!);
    from += 2;
    const here = Math.min(to - from, postings.length);
    postings.set(buffer.subarray(from, from + here));
    from += here;
    if (here < postings.length && read(postings, here) < postings.length)
      throw new Error("A list of postings ends in the middle of a term.");
    yield { place, postings };
  }
}

/** Runs are in page order, so the entries of a term ascend from run to run. */
function* merged(runs: readonly Iterator<PlacedList, undefined>[]): Iterable<PlacedList> {
  const heads = runs.map((run) => run.next().value);
  for (;;) {
    const place = heads.reduce((least, head) => Math.min(least, head?.place ?? Number.POSITIVE_INFINITY), Infinity);
    if (place === Infinity) return;
    const lists: Uint32Array[] = [];
    for (const [i, head] of heads.entries()) {
      if (head?.place !== place) continue;
      lists.push(head.postings);
      heads[i] = runs[i]!.next().value;
    }
    yield { place, postings: joined(lists) };
  }
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!;
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
