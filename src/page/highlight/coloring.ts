import { escapeMarkup } from "../../lib/html/escape.js";
import { createMemo } from "../../lib/memo.js";
import { createEngine, type Grammar, type RuleStack, Tokenizer, TooManySearches } from "../../lib/textmate/index.js";
import type { CodeblockStyle } from "../../site/config/index.js";
import { lineHtml } from "./block-html.js";
import { loadCodeTheme, PairTheme } from "./code-theme.js";
import { type CustomLanguages, loadRegistrations } from "./languages.js";

/** Limit of highlighted lines in memory, in bytes. */
const maxCachedBytes = 16 * 1024 * 1024;
/** Limit of tokenizer steps on one line: far more than real code needs, and reached in well under a second. */
const maxSearchesPerLine = 25_000;

/** The grammars of the program, by language, for all highlighters of a thread: compiling one is slow. */
const tokenizers = createMemo<Tokenizer>();
const sharedEngine = createEngine({ maxSearchesPerLine });

export type Coloring = Awaited<ReturnType<typeof createColoring>>;

/** The engine of a highlighter. It is loaded only for blocks that no earlier run has highlighted. */
export async function createColoring(style: CodeblockStyle, custom: CustomLanguages) {
  const theme = await createPairTheme(style);
  const engine = createEngine({ maxSearchesPerLine });
  const grammars = new Map<string, LanguageGrammar>();
  const registrations = new Map<string, Awaited<ReturnType<typeof loadRegistrations>>>();
  const budget = { usedBytes: 0 };

  const load = async (language: string): Promise<void> => {
    if (registrations.has(language)) return;
    const customGrammar = custom.registrations.get(language);
    if (!customGrammar) {
      registrations.set(language, await loadRegistrations(language));
      return;
    }
    const embedded = await Promise.all(
      (customGrammar.embeddedLangs ?? []).map((name) => loadRegistrations(name).catch(() => [])),
    );
    registrations.set(language, [...embedded.flat(), customGrammar]);
  };

  const grammarOf = (language: string): LanguageGrammar | undefined => {
    let grammar = grammars.get(language);
    const loaded = registrations.get(language);
    if (grammar || !loaded) return grammar;
    const isOfSite = custom.registrations.has(language);
    const make = () => new Tokenizer(loaded as readonly Grammar[], isOfSite ? engine : sharedEngine);
    grammar = new LanguageGrammar(isOfSite ? make() : tokenizers(language, make), theme);
    grammars.set(language, grammar);
    return grammar;
  };

  return {
    async prepare(languages: readonly string[]): Promise<void> {
      await Promise.all(languages.map(load));
    },
    /** HTML of each line; undefined for a language that was not prepared. */
    lines(code: string, language: string): string[] | undefined {
      const grammar = grammarOf(language);
      if (!grammar) return undefined;
      if (budget.usedBytes > maxCachedBytes) {
        for (const cachedGrammar of grammars.values()) cachedGrammar.clear();
        theme.clear();
        budget.usedBytes = 0;
      }
      const lines = code.split("\n");
      try {
        return grammar.highlight(lines, budget);
      } catch (error) {
        if (error instanceof TooManySearches) return lines.map(escapeMarkup);
        throw error;
      }
    },
  };
}

/** In the mode `dark`, the dark theme is used for both modes of the page. */
async function createPairTheme(style: CodeblockStyle): Promise<PairTheme> {
  const dark = await loadCodeTheme(style.theme.dark);
  if (style.mode === "dark" || style.theme.light === style.theme.dark) return new PairTheme(dark, undefined);
  return new PairTheme(await loadCodeTheme(style.theme.light), dark);
}

/** A language with the grammars it embeds. Lines are cached: documentation repeats them. */
export class LanguageGrammar {
  private start: LineStart;
  private starts = new Map<RuleStack, LineStart>();

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly theme: PairTheme,
  ) {
    this.start = this.blockStart();
  }

  /** HTML of each line; every span is closed at the end of its line. Adds the bytes it caches to `budget.usedBytes`. */
  highlight(lines: readonly string[], budget: { usedBytes: number }): string[] {
    let before: ColoredLine | undefined;
    return lines.map((text) => {
      // The same line often follows again. Comparing it with the last follower is cheaper than a map lookup.
      let line = before?.follower;
      if (line?.text !== text) {
        line = this.lineAt(before?.next ?? this.start, text, budget);
        if (before) before.follower = line;
      }
      before = line;
      return line.html;
    });
  }

  private lineAt(start: LineStart, text: string, budget: { usedBytes: number }): ColoredLine {
    let line = start.lines.get(text);
    if (!line) {
      line = this.color(text, start);
      start.lines.set(text, line);
      budget.usedBytes += 2 * (text.length + line.html.length) + 160;
    }
    return line;
  }

  clear(): void {
    this.starts = new Map();
    this.start = this.blockStart();
  }

  private blockStart(): LineStart {
    const stack = this.tokenizer.blockStart(this.theme.root(this.tokenizer.scopeName));
    return { stack, isFirst: true, lines: new Map() };
  }

  private color(text: string, start: LineStart): ColoredLine {
    // Like Shiki, do not tokenize such lines, and keep the state.
    if (text === "" || text.length > maxLineLength)
      return { text, html: lineHtml(text, [], this.theme), next: start, follower: undefined };
    const { looks, end } = this.tokenizer.line(text, start.stack, start.isFirst);
    let next = this.starts.get(end);
    if (!next) {
      next = { stack: end, isFirst: false, lines: new Map() };
      this.starts.set(end, next);
    }
    return { text, html: lineHtml(text, looks, this.theme), next, follower: undefined };
  }
}

/** Longer lines (data, minified code; in UTF-16 code units) are not highlighted. */
const maxLineLength = 10_000;

/** The state at the start of a line, and the lines seen in that state. */
interface LineStart {
  readonly stack: RuleStack;
  /** The first line of the block. */
  readonly isFirst: boolean;
  readonly lines: Map<string, ColoredLine>;
}

interface ColoredLine {
  readonly text: string;
  readonly html: string;
  readonly next: LineStart;
  /** The line that last followed this one. */
  follower: ColoredLine | undefined;
}
