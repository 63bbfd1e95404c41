import { createHash } from "node:crypto";
import type { Cache } from "../../lib/cache/index.js";
import { escapeMarkup } from "../../lib/html/escape.js";
import type { CodeblockStyle } from "../../site/config/index.js";
import type { Coloring } from "./coloring.js";
import type { CustomLanguages } from "./languages.js";

export interface HighlighterOptions {
  readonly style: CodeblockStyle;
  readonly custom: CustomLanguages;
  /** Stores highlighted blocks for later runs. */
  readonly cache?: Cache;
  /** Version of the engine; part of every cache key. */
  readonly version: string;
}

/** A larger block (in UTF-16 code units) is data. Highlighting would make its page several times larger. */
const maxBlockLength = 200_000;

/** Turns code into lines of HTML. Create one for each thread. The engine and grammars are loaded on demand. */
export function createHighlighter(options: HighlighterOptions) {
  const { style, custom, version } = options;
  const packs = options.cache && openBlockPacks(options.cache);
  let coloring: Coloring | undefined;
  const keyBase = `${version}\n${JSON.stringify(style)}\n`;

  const blockKey = (code: string, language: string): string => {
    const grammar = custom.registrations.get(language);
    const hash = createHash("sha256").update(`${keyBase}${language}\n`);
    if (grammar) hash.update(JSON.stringify(grammar));
    return hash.update(code).digest("hex");
  };
  const isPlain = (code: string, language: string): boolean => language === "text" || code.length > maxBlockLength;
  const plainLines = (code: string): string[] => code.split("\n").map(escapeMarkup);
  const color = (code: string, language: string): string[] => coloring?.lines(code, language) ?? plainLines(code);

  return {
    /** Begins a page. @param name identifies the page, so that the next run finds its highlighted blocks. */
    beginPage(name: string): void {
      packs?.open(createHash("sha256").update(`pack\n${keyBase}${name}`).digest("hex"));
    },

    /** Whether a block needs no grammar: it is plain, or an earlier run has highlighted it. Absent without a cache. */
    isStored:
      packs &&
      ((code: string, language: string): boolean =>
        isPlain(code, language) || packs.get(blockKey(code, language)) !== undefined),

    async prepare(languages: readonly string[]): Promise<void> {
      const named = languages.filter((language) => language !== "text");
      if (named.length === 0) return;
      const { createColoring } = await import("./coloring.js");
      coloring ??= await createColoring(style, custom);
      await coloring.prepare(named);
    },

    /** HTML of each line; plain text for a language that was not prepared. */
    lines(code: string, language: string): string[] {
      if (isPlain(code, language)) return plainLines(code);
      if (!packs) return color(code, language);
      const key = blockKey(code, language);
      const cachedHtml = packs.get(key);
      if (cachedHtml !== undefined) return cachedHtml.split("\n");
      const lines = color(code, language);
      packs.put(key, lines.join("\n"));
      return lines;
    },

    endPage(): void {
      packs?.close();
    },
  };
}

/** Caches highlighted blocks between runs, in one entry for each page, by all that a block depends on. */
function openBlockPacks(cache: Cache) {
  let packKey: string | undefined;
  /** Read lazily: on some sites most pages have no code. */
  let cachedBlocks: ReadonlyMap<string, string> | undefined;
  let used = new Map<string, string>();
  let hasNew = false;
  return {
    /** Begins a page. @param key identifies the page, not its content. */
    open(key: string): void {
      packKey = key;
      cachedBlocks = undefined;
      used = new Map();
      hasNew = false;
    },
    get(key: string): string | undefined {
      if (packKey === undefined) return undefined;
      cachedBlocks ??= readPack(cache.get(packKey));
      const html = used.get(key) ?? cachedBlocks.get(key);
      if (html !== undefined) used.set(key, html);
      return html;
    },
    put(key: string, html: string): void {
      used.set(key, html);
      hasNew = true;
    },
    /** Ends the page. If any of its blocks is new, writes a pack of the blocks that the page used. */
    close(): void {
      if (hasNew && packKey !== undefined) cache.put(packKey, writePack(used));
      packKey = undefined;
    },
  };
}

/** The first line is an index, `key length key length …`, with lengths in UTF-16 code units. The blocks follow. */
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
