import type { PageSection } from "../render/rendered-page.js";

/** A page as the search needs it. */
export interface SearchPage {
  /** Address from the bundle's root, as a link holds it. */
  readonly href: string;
  readonly title: string;
  /** What the pill beside its title says; empty for none. */
  readonly marker: string;
  /** Names of what is around it in the navigation, outermost first. */
  readonly trail: readonly string[];
  readonly keywords: readonly string[];
  /** Above 0; 1 leaves the weights as they are. */
  readonly boost: number;
  /** The first is what stands before the first heading. */
  readonly sections: readonly PageSection[];
}

/** What the index says of a page, in bytes. The same page gives the same bytes. */
export interface SearchRecord {
  readonly boost: number;
  /** JSON of a list of words that the page does not show. */
  readonly keywords: Buffer;
  /** JSON of the page's `PageEntry`. */
  readonly entry: Buffer;
}

/** The boost, the number of bytes of `keywords`, then `keywords` and `entry`. */
export function writeRecord(page: SearchPage): Uint8Array {
  const parts = page.sections.map(({ id, heading, text, code }) =>
    code === "" ? [id, heading, text] : [id, heading, text, code],
  );
  const keywords = JSON.stringify(page.keywords);
  const entry = JSON.stringify([page.href, page.title, page.trail, page.marker, ...parts]);
  const keywordBytes = Buffer.byteLength(keywords);
  const record = Buffer.alloc(12 + keywordBytes + Buffer.byteLength(entry));
  record.writeDoubleLE(page.boost, 0);
  record.writeUInt32LE(keywordBytes, 8);
  record.write(keywords, 12);
  record.write(entry, 12 + keywordBytes);
  return record;
}

export function readRecord(record: Buffer): SearchRecord {
  const entryAt = 12 + record.readUInt32LE(8);
  return { boost: record.readDoubleLE(0), keywords: record.subarray(12, entryAt), entry: record.subarray(entryAt) };
}
