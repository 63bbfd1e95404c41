import type { Cache } from "../../lib/cache/index.js";

/**
 * Highlighted blocks kept between runs, one entry of the cache for each page. Each block has a key of its own over everything its
 * colours depend on. So a pack stays useful after its page changes, or when two sites write it in turn.
 */
export function openBlockPacks(cache: Cache) {
  let packKey: string | undefined;
  /** Read lazily: most pages of some sites have no code. */
  let kept: ReadonlyMap<string, string> | undefined;
  let used = new Map<string, string>();
  let hasNew = false;
  return {
    /** Starts a page. @param key identifies the page, not its content. */
    open(key: string): void {
      packKey = key;
      kept = undefined;
      used = new Map();
      hasNew = false;
    },
    get(key: string): string | undefined {
      if (packKey === undefined) return undefined;
      kept ??= readPack(cache.get(packKey));
      const html = used.get(key) ?? kept.get(key);
      if (html !== undefined) used.set(key, html);
      return html;
    },
    put(key: string, html: string): void {
      used.set(key, html);
      hasNew = true;
    },
    /** Ends the page. If any of its blocks is new, the pack is written with the blocks of this page only. */
    close(): void {
      if (hasNew && packKey !== undefined) cache.put(packKey, writePack(used));
      packKey = undefined;
    },
  };
}

/** The first line is an index: `key length key length …`, lengths in UTF-16 code units. The blocks follow. */
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
