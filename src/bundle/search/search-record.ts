import type { PageSection } from "../../page/render/index.js";

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
  /** Above 0; 1 leaves the weights as they are. */
  readonly boost: number;
  /** The first is the text before the first heading. */
  readonly sections: readonly PageSection[];
}

/** The data of a page for the index, in bytes. Equal pages give equal bytes. */
export interface SearchRecord {
  readonly boost: number;
  /** JSON of a list of words that the page does not show, and a list with its description. */
  readonly keywords: Buffer;
  /** JSON of the page's `PageEntry`. */
  readonly entry: Buffer;
}

/**
 * Writes records: the boost, the number of bytes of `keywords`, then `keywords` and `entry`. A record is valid until the
 * next call.
 */
export function createRecordWriter(): (page: SearchPage) => Uint8Array {
  let room = Buffer.alloc(0);
  return (page) => {
    const parts = page.sections.map(({ id, heading, text, code }) =>
      code === "" ? [id, heading, text] : [id, heading, text, code],
    );
    const keywords = JSON.stringify([...page.keywords, [page.description]]);
    const entry = JSON.stringify([page.href, page.title, page.trail, page.marker, ...parts]);
    // A UTF-16 unit takes three bytes at most.
    const most = 12 + 3 * (keywords.length + entry.length);
    if (room.length < most) room = Buffer.allocUnsafeSlow(2 * most);
    const keywordBytes = room.write(keywords, 12);
    room.writeDoubleLE(page.boost, 0);
    room.writeUInt32LE(keywordBytes, 8);
    const entryAt = 12 + keywordBytes;
    return room.subarray(0, entryAt + room.write(entry, entryAt));
  };
}

export function readRecord(record: Buffer): SearchRecord {
  const entryAt = 12 + record.readUInt32LE(8);
  return { boost: record.readDoubleLE(0), keywords: record.subarray(12, entryAt), entry: record.subarray(entryAt) };
}
