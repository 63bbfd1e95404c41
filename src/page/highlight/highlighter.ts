import { createHash } from "node:crypto";
import type { Cache } from "../../lib/cache/index.js";
import { escapeMarkup } from "../../lib/html/escape.js";
import { createEngine, type Engine, type Grammar, TooManySearches } from "../../lib/textmate/index.js";
import type { CodeblockStyle } from "../../site/config/index.js";
import { loadCodeTheme } from "./code-theme.js";
import { LanguageGrammar } from "./language-grammar.js";
import { type CustomLanguages, loadRegistrations } from "./languages.js";
import { PairTheme } from "./pair-theme.js";

export interface HighlighterOptions {
  readonly style: CodeblockStyle;
  readonly custom: CustomLanguages;
  /** Keeps highlighted blocks between runs. */
  readonly cache?: Cache;
  /** Version of the engine; part of every cache key. */
  readonly version: string;
}

/** A larger block (in UTF-16 code units) is data: colours would make the page several times larger. */
const maxBlockLength = 200_000;

/** Limit of highlighted lines in memory, in bytes. */
const maxKeptBytes = 16 * 1024 * 1024;

/** Tokenizer steps on one line: far more than real code needs, reached in well under a second. */
const maxSearchesPerLine = 25_000;

/** Turns code into lines of HTML. One for each thread; grammars are loaded and compiled on demand. */
export function createHighlighter(options: HighlighterOptions) {
  const { style, custom, version } = options;
  const packs = options.cache && openBlockPacks(options.cache);
  const grammars = new Map<string, LanguageGrammar>();
  const registrations = new Map<string, Awaited<ReturnType<typeof loadRegistrations>>>();
  const budget = { usedBytes: 0 };
  let theme: PairTheme | undefined;
  let engine: Engine | undefined;
  const keyBase = `${version}\n${JSON.stringify(style)}\n`;

  const load = async (language: string): Promise<void> => {
    if (language === "text" || registrations.has(language)) return;
    const own = custom.registrations.get(language);
    if (!own) {
      registrations.set(language, await loadRegistrations(language));
      return;
    }
    const embedded = await Promise.all(
      (own.embeddedLangs ?? []).map((name) => loadRegistrations(name).catch(() => [])),
    );
    registrations.set(language, [...embedded.flat(), own]);
  };

  const grammarOf = (language: string): LanguageGrammar | undefined => {
    let grammar = grammars.get(language);
    const loaded = registrations.get(language);
    if (grammar || !loaded || !theme) return grammar;
    engine ??= createEngine({ maxSearchesPerLine });
    grammar = new LanguageGrammar(loaded as readonly Grammar[], engine, theme);
    grammars.set(language, grammar);
    return grammar;
  };

  const blockKey = (code: string, language: string): string => {
    const grammar = custom.registrations.get(language);
    const hash = createHash("sha256").update(`${keyBase}${language}\n`);
    if (grammar) hash.update(JSON.stringify(grammar));
    return hash.update(code).digest("hex");
  };

  const color = (code: string, language: string): string[] => {
    const lines = code.split("\n");
    const grammar = grammarOf(language);
    if (!grammar) return lines.map(escapeMarkup);
    if (budget.usedBytes > maxKeptBytes) {
      for (const each of grammars.values()) each.clear();
      theme?.clear();
      budget.usedBytes = 0;
    }
    try {
      return grammar.highlight(lines, budget);
    } catch (error) {
      if (error instanceof TooManySearches) return lines.map(escapeMarkup);
      throw error;
    }
  };

  return {
    /** Starts a page. @param name identifies it: its highlighted blocks are kept for the next run. */
    beginPage(name: string): void {
      packs?.open(createHash("sha256").update(`pack\n${keyBase}${name}`).digest("hex"));
    },

    /** Loads the grammars of these languages. */
    async prepare(languages: readonly string[]): Promise<void> {
      theme ??= await createPairTheme(style);
      await Promise.all(languages.map(load));
    },

    /** HTML of each line; plain text for a language that was not prepared. */
    lines(code: string, language: string): string[] {
      if (language === "text" || code.length > maxBlockLength) return code.split("\n").map(escapeMarkup);
      if (!packs) return color(code, language);
      const key = blockKey(code, language);
      const kept = packs.get(key);
      if (kept !== undefined) return kept.split("\n");
      const lines = color(code, language);
      packs.put(key, lines.join("\n"));
      return lines;
    },

    endPage(): void {
      packs?.close();
    },
  };
}

/** The style `dark` uses the dark theme in both modes. */
async function createPairTheme(style: CodeblockStyle): Promise<PairTheme> {
  const dark = await loadCodeTheme(style.theme.dark);
  if (style.mode === "dark" || style.theme.light === style.theme.dark) return new PairTheme(dark, undefined);
  return new PairTheme(await loadCodeTheme(style.theme.light), dark);
}

/**
 * Highlighted blocks kept between runs, one entry of the cache for each page. Each block has a key of its own over everything its
 * colours depend on. So a pack stays useful after its page changes, or when two sites write it in turn.
 */
function openBlockPacks(cache: Cache) {
  let packKey: string | undefined;
  /** Read lazily: on some sites most pages have no code. */
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
