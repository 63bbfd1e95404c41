import { escapeMarkup } from "../../lib/html/escape.js";
import { createEngine, type Grammar, TooManySearches } from "../../lib/textmate/index.js";
import type { CodeblockStyle } from "../../site/config/index.js";
import { loadCodeTheme } from "./code-theme.js";
import { LanguageGrammar } from "./language-grammar.js";
import { type CustomLanguages, loadRegistrations } from "./languages.js";
import { PairTheme } from "./pair-theme.js";

/** Limit of highlighted lines in memory, in bytes. */
const maxKeptBytes = 16 * 1024 * 1024;
/** Tokenizer steps on one line: far more than real code needs, reached in well under a second. */
const maxSearchesPerLine = 25_000;

export type Coloring = Awaited<ReturnType<typeof createColoring>>;

/** The engine of a highlighter. Loaded with the first block that no earlier run has highlighted. */
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
    grammar = new LanguageGrammar(loaded as readonly Grammar[], engine, theme);
    grammars.set(language, grammar);
    return grammar;
  };

  return {
    /** Loads the grammars of these languages. */
    async prepare(languages: readonly string[]): Promise<void> {
      await Promise.all(languages.map(load));
    },
    /** HTML of each line; undefined for a language that was not prepared. */
    lines(code: string, language: string): string[] | undefined {
      const grammar = grammarOf(language);
      if (!grammar) return undefined;
      if (budget.usedBytes > maxKeptBytes) {
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

/** The style `dark` uses the dark theme in both modes. */
async function createPairTheme(style: CodeblockStyle): Promise<PairTheme> {
  const dark = await loadCodeTheme(style.theme.dark);
  if (style.mode === "dark" || style.theme.light === style.theme.dark) return new PairTheme(dark, undefined);
  return new PairTheme(await loadCodeTheme(style.theme.light), dark);
}
