import { type Engine, type Grammar, type RuleStack, Tokenizer } from "../../lib/textmate/index.js";
import { lineHtml } from "./block-html.js";
import type { PairTheme } from "./pair-theme.js";

/**
 * One language with the grammars it embeds. Highlighted lines are cached: documentation repeats itself, and a line looks
 * the same wherever the same rules are open.
 */
export class LanguageGrammar {
  private readonly tokenizer: Tokenizer;
  private start: LineStart;
  private starts = new Map<RuleStack, LineStart>();

  /** @param grammars the language's own is the last. */
  constructor(
    grammars: readonly Grammar[],
    engine: Engine,
    private readonly theme: PairTheme,
  ) {
    this.tokenizer = new Tokenizer(grammars, engine);
    this.start = this.blockStart();
  }

  /** HTML of each line; every span is closed at the end of its line. Adds the bytes it caches to `budget.usedBytes`. */
  highlight(lines: readonly string[], budget: { usedBytes: number }): string[] {
    let before: ColoredLine | undefined;
    return lines.map((text) => {
      // Blocks resemble each other: the same line often follows again. Comparing it is cheaper than a map lookup.
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
    this.tokenizer.clear();
  }

  private blockStart(): LineStart {
    const stack = this.tokenizer.blockStart(this.theme.root(this.tokenizer.scopeName));
    return { stack, isFirst: true, lines: new Map() };
  }

  private color(text: string, start: LineStart): ColoredLine {
    // Like Shiki, skip such lines and continue in the same state.
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

/** Longer lines (data, minified code) have one colour; in UTF-16 code units. */
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
  /** The line that followed this one last. */
  follower: ColoredLine | undefined;
}
