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

export type PostingLists = ReturnType<typeof createPostingLists>;

/** All terms of the site. */
export interface TermOrder {
  /** Sorted by code unit. */
  readonly terms: readonly string[];
  /** Index in `terms`, by the number of a term. */
  readonly locationOf: Uint32Array;
}

/** Most postings in memory, at twelve bytes each; the rest is in temporary files. */
export const maxHeldPostings = 1_500_000;

/**
 * Collects postings in page order, and returns them in term order.
 * @param spillPath absolute path prefix of temporary files.
 */
export function createPostingLists(spillPath: string, most = maxHeldPostings) {
  const runs: string[] = [];
  let held: HeldWords[] = [];
  let count = 0;

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
    add({ terms, postings, count: coming, areStored }: PageWords, firstEntry: number): void {
      if (count > 0 && count + coming > most) spill();
      const own = (numbers: Uint32Array): Uint32Array => (areStored ? numbers : numbers.slice(0, coming));
      held.push({ terms: own(terms), postings: own(postings), first: firstEntry << 7 });
      count += coming;
    },
    /** To be read once. */
    *sorted(order: TermOrder): Iterable<TermList> {
      if (runs.length > 0) {
        spill();
        for (const path of runs) sortRun(path, order);
      }
      const lists = runs.length > 0 ? merged(runs.map(readRun)) : sortByPlace(held, order);
      for (const { place, postings, inTitle = postings.some(isOfTitle) } of lists)
        yield { term: order.terms[place]!, postings, inTitle };
    },
    close(): void {
      for (const path of runs) rmSync(path, { force: true });
    },
  };
}

interface PlacedList {
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
    for (const part of parts)
      if (fill(file, bytesOf(part), 0) < part.byteLength) throw new Error(`${path} is cut short.`);
  } finally {
    closeSync(file);
  }
}

/** Reads until the bytes are full or the file ends; returns how many are filled. */
function fill(file: number, bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const read = readSync(file, bytes, at, bytes.length - at, null);
    if (read === 0) break;
    at += read;
  }
  return at;
}

/** Numbers of 32 bits: for each term its index, the number of its postings, and these. */
function* inParts(lists: Iterable<PlacedList>): Iterable<Uint32Array> {
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

function* readRun(path: string): Iterator<PlacedList, undefined> {
  const file = waitForFiles(() => openSync(path, "r"));
  try {
    const buffer = new Uint32Array(1 << 16);
    let from = 0;
    let to = 0;
    const refill = (): void => {
      buffer.copyWithin(0, from, to);
      to = fill(file, bytesOf(buffer), 4 * (to - from)) / 4;
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
      if (here < postings.length) {
        const end = fill(file, bytesOf(postings), 4 * here);
        if (end < postings.byteLength) throw new Error(`${path} ends in the middle of a term.`);
      }
      yield { place, postings };
    }
  } finally {
    closeSync(file);
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
