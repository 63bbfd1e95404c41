import { endOfString } from "../../lib/json/index.js";
import type { PageSection, RenderedPage } from "../../page/render/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import type { PageEntry } from "./index-format.js";
import { endOfArray } from "./json-words.js";
import { createPageReader, type PageWords } from "./page-words.js";
import { createTermTable, grown, hashStart, hashStep, type TermTable } from "./term-table.js";

/** The data of a page for the search. */
export interface SearchPage {
  /** Encoded path from the bundle's root. */
  readonly href: string;
  readonly title: string;
  /** Text of the pill next to the title; empty for none. */
  readonly marker: string;
  /** Its path in the navigation, outermost first. */
  readonly trail: readonly string[];
  readonly keywords: readonly string[];
  /** Also the beginning of the first section's text. */
  readonly description: string;
  /** Other names of the page, which it does not show. */
  readonly otherNames: readonly string[];
  /** Above 0; 1 leaves the weights as they are. */
  readonly boost: number;
  /** The first is the text before the first heading. */
  readonly sections: readonly PageSection[];
}

/** A record, read. Valid until the next one is read. */
interface SearchRecord {
  /** JSON of the page's `PageEntry`. */
  readonly entry: Uint8Array;
  readonly names: string;
  readonly words: PageWords;
}

/** A thread that has met more terms forgets them, so that its memory does not grow with the site. */
const maxTerms = 50_000;

/**
 * Writes records: all that the index has of a page, its words counted and weighted. Equal pages give equal bytes, no matter
 * what was written before. A record is valid until the next call.
 *
 * A record is four numbers of 32 bits (bytes of the entry, terms, entries, postings), then the entry, each term with its
 * length before it, and for each entry the number of its postings and these: 0 for the first term not yet named, else the
 * number of the term plus one; and the weight, one byte. Numbers have seven bits a byte, the lowest first.
 */
export function createRecordWriter(): (page: SearchPage) => Uint8Array {
  let room = Buffer.alloc(0);
  let table = createTermTable();
  let wordsOf = createPageReader(table);
  /** Number of a term in the record, and the record for which it has it; by its number in `table`. */
  let numbers = new Uint32Array(1 << 14);
  let numberedIn = new Uint32Array(1 << 14);
  let records = 0;

  const makeRoom = (bytes: number): void => {
    if (room.length >= bytes) return;
    const larger = Buffer.allocUnsafeSlow(2 * bytes);
    room.copy(larger);
    room = larger;
  };
  /** Numbers the terms of a page in the order in which they come. Returns them, and their bytes. */
  const numberTerms = ({ count, terms }: PageWords) => {
    records++;
    if (table.size > numbers.length) {
      numbers = grown(numbers, 2 * table.size);
      numberedIn = grown(numberedIn, 2 * table.size);
    }
    const distinct: number[] = [];
    let bytes = 0;
    for (let i = 0; i < count; i++) {
      const term = terms[i]!;
      if (numberedIn[term] === records) continue;
      numberedIn[term] = records;
      numbers[term] = distinct.length;
      distinct.push(term);
      bytes += table.lengthOf(term);
    }
    return { distinct, bytes };
  };

  return (page) => {
    if (table.size > maxTerms) {
      table = createTermTable();
      wordsOf = createPageReader(table);
    }
    const parts = page.sections.map(({ id, heading, text, code }) =>
      code === "" ? [id, heading, text] : [id, heading, text, code],
    );
    const json = JSON.stringify([page.href, page.title, page.trail, page.marker, ...parts]);
    // A UTF-16 unit takes three bytes at most.
    makeRoom(headBytes + 3 * json.length);
    let at = headBytes + room.write(json, headBytes);
    const entry = room.subarray(headBytes, at);
    const keywords = Buffer.from(JSON.stringify([...page.keywords, [page.description, ...page.otherNames]]));
    const words = wordsOf({ boost: page.boost, keywords, entry });
    const { distinct, bytes } = numberTerms(words);
    const { count, terms, postings, entryCount } = words;
    makeRoom(at + bytes + longestNumber * (distinct.length + entryCount + count) + count);
    for (const [i, number] of [at - headBytes, distinct.length, entryCount, count].entries())
      room.writeUInt32LE(number, 4 * i);
    for (const term of distinct) at = table.copy(term, room, putNumber(room, at, table.lengthOf(term)));
    let named = 0;
    for (let entry = 0, i = 0; entry < entryCount; entry++) {
      let end = i;
      while (end < count && postings[end]! >>> 7 === entry) end++;
      at = putNumber(room, at, end - i);
      for (; i < end; i++) {
        const number = numbers[terms[i]!]!;
        const isNew = number === named;
        if (isNew) named++;
        at = putNumber(room, at, isNew ? 0 : number + 1);
        room[at++] = postings[i]! & 127;
      }
    }
    return room.subarray(0, at);
  };
}

const headBytes = 16;

/** Of a number with 32 bits. */
const longestNumber = 5;

function putNumber(bytes: Uint8Array, start: number, number: number): number {
  let at = start;
  let left = number;
  for (; left > 127; left >>>= 7) bytes[at++] = (left & 127) | 128;
  bytes[at++] = left;
  return at;
}

/** JSON of the page's `PageEntry` in a record. */
export function entryOf(record: Uint8Array): Uint8Array {
  const bytes = new DataView(record.buffer, record.byteOffset, headBytes).getUint32(0, true);
  return record.subarray(headBytes, headBytes + bytes);
}

/** What an entry says of its page, as a line of the index's names: see `index-format.ts`. */
function namesIn(entry: Uint8Array): string {
  const href = endOfString(entry, 2);
  const title = endOfString(entry, href + 3);
  const marker = endOfString(entry, endOfArray(entry, title + 3) + 3);
  const text = `${new TextDecoder().decode(entry.subarray(0, marker + 1))}]`;
  const [ofHref, ofTitle, trail, ofMarker] = JSON.parse(text) as PageEntry;
  return [ofHref, ofTitle, ofMarker, ...trail].map((name) => name.replace(/[\t\n]/g, " ")).join("\t");
}

/** Reads records; the terms of all of them are numbered by `table`. */
export function createRecordReader(table: TermTable): (record: Uint8Array) => SearchRecord {
  let terms = new Uint32Array(1 << 13);
  let postings = new Uint32Array(1 << 13);
  let numbers = new Uint32Array(1 << 13);
  return (record) => {
    const head = new DataView(record.buffer, record.byteOffset, headBytes);
    const [entryBytes, termCount] = [head.getUint32(0, true), head.getUint32(4, true)];
    const [entryCount, count] = [head.getUint32(8, true), head.getUint32(12, true)];
    if (count > terms.length) {
      terms = new Uint32Array(2 * count);
      postings = new Uint32Array(2 * count);
    }
    if (termCount > numbers.length) numbers = new Uint32Array(2 * termCount);
    let at = headBytes + entryBytes;
    const next = (): number => {
      let byte = record[at++]!;
      let number = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = record[at++]!;
        number |= (byte & 127) << shift;
      }
      return number;
    };
    for (let i = 0; i < termCount; i++) {
      const end = next() + at;
      let hash = hashStart;
      for (let j = at; j < end; j++) hash = hashStep(hash, record[j]!);
      numbers[i] = table.numberOfBytes(record, at, end, hash);
      at = end;
    }
    let named = 0;
    for (let entry = 0, i = 0; entry < entryCount; entry++)
      for (let left = next(); left > 0; left--, i++) {
        const number = next();
        terms[i] = numbers[number === 0 ? named++ : number - 1]!;
        postings[i] = (entry << 7) | record[at++]!;
      }
    const entry = entryOf(record);
    return { entry, names: namesIn(entry), words: { entryCount, count, terms, postings } };
  };
}

/** Records a page for the search; undefined for one that is not searchable. Valid until the next call. */
export type Recorder = (plan: PagePlan, rendered: RenderedPage) => Uint8Array | undefined;

/** One for each page thread. */
export function createRecorder(site: Site): Recorder {
  const write = createRecordWriter();
  return (plan, rendered) => {
    if (!plan.searchable) return undefined;
    const { keywords } = plan.frontmatter;
    const [first, ...sections] = rendered.sections;
    const description = plainWords(plan.description ?? "");
    return write({
      href: plan.outputPath.toWellFormed().split("/").map(encodeURIComponent).join("/"),
      title: plan.title.toWellFormed(),
      marker: plan.marker ?? "",
      trail: trailOf(site, plan),
      keywords: Array.isArray(keywords) ? keywords.filter((each) => typeof each === "string") : [],
      description,
      otherNames: plan.formerNames ?? [],
      boost: plan.boost,
      // As on the page: before everything else.
      sections: [{ ...first!, text: `${description} ${first!.text}`.trim() }, ...sections],
    });
  };
}

/** A description without Markdown marks. */
const plainWords = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();

/** The sections around a page (tab, product ...), without language and version, then its groups. */
function trailOf(site: Site, plan: PagePlan): string[] {
  const sections = (site.divisions[plan.division]?.sections ?? []).map((id) => site.sections[id]!);
  const named = sections.filter(({ kind }) => kind !== "root" && kind !== "language" && kind !== "version");
  const labels = [...(plan.listed ? named : []), ...plan.breadcrumbs].map(({ label }) => label.toWellFormed());
  return labels.filter((label, at) => label !== "" && label !== labels[at - 1]);
}
