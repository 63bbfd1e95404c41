import type { Cache } from "../../lib/cache/index.js";

/**
 * Coloured blocks kept from one run to the next, those of a page together: one file for each page instead of one for
 * each block. Every block in it goes by a key of its own, over all that its colours depend on, so that a pack whose page
 * has changed, or that two sites write in turns, gives what still holds and nothing else.
 */
export interface BlockPacks {
  /** A page begins. @param key stands for the page, whatever its blocks. */
  open(key: string): void;
  get(key: string): string | undefined;
  put(key: string, html: string): void;
  /** The page is done: keeps its blocks, and only those, if any of them is new. */
  close(): void;
}

export function openBlockPacks(cache: Cache): BlockPacks {
  let packKey: string | undefined;
  /** Read when the first block is asked for: most pages of some sites have none. */
  let kept: ReadonlyMap<string, string> | undefined;
  let used = new Map<string, string>();
  let hasNew = false;
  return {
    open(key) {
      packKey = key;
      kept = undefined;
      used = new Map();
      hasNew = false;
    },
    get(key) {
      if (packKey === undefined) return undefined;
      kept ??= readPack(cache.get(packKey));
      const html = used.get(key) ?? kept.get(key);
      if (html !== undefined) used.set(key, html);
      return html;
    },
    put(key, html) {
      used.set(key, html);
      hasNew = true;
    },
    close() {
      if (hasNew && packKey !== undefined) cache.put(packKey, writePack(used));
      packKey = undefined;
    },
  };
}

/** First line: `key length key length …`, lengths in UTF-16 code units. Then the blocks, one after the other. */
function writePack(blocks: ReadonlyMap<string, string>): Uint8Array {
  const index = [...blocks].map(([key, html]) => `${key} ${html.length}`).join(" ");
  return new TextEncoder().encode(`${index}\n${[...blocks.values()].join("")}`);
}

function readPack(bytes: Uint8Array | undefined): Map<string, string> {
  const blocks = new Map<string, string>();
  if (!bytes) return blocks;
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf("\n");
  const index = text.slice(0, end).split(" ");
  let from = end + 1;
  for (let i = 0; i + 1 < index.length; i += 2) {
    const to = from + Number(index[i + 1]);
    blocks.set(index[i]!, text.slice(from, to));
    from = to;
  }
  return blocks;
}
