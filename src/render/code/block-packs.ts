import type { Cache } from "../../ports/cache.js";

/**
 * Coloured blocks kept from one run to the next, those of a page together: one file for each page instead of one for
 * each block. The pack goes by the key of the page's first block; every block in it goes by its own.
 */
export interface BlockPacks {
  get(key: string): string | undefined;
  put(key: string, html: string): void;
  /** The page is done: keeps its blocks if any of them is new. */
  endPage(): void;
}

export function openBlockPacks(cache: Cache): BlockPacks {
  let packKey: string | undefined;
  let blocks = new Map<string, string>();
  let hasNew = false;
  return {
    get(key) {
      if (packKey === undefined) {
        packKey = key;
        blocks = readPack(cache.get(key));
      }
      return blocks.get(key);
    },
    put(key, html) {
      blocks.set(key, html);
      hasNew = true;
    },
    endPage() {
      if (hasNew && packKey !== undefined) cache.put(packKey, writePack(blocks));
      packKey = undefined;
      hasNew = false;
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
