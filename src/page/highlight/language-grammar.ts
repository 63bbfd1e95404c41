import type { LanguageRegistration } from "shiki/types";
import { GrammarRules } from "../../lib/textmate/grammar-rules.js";
import { Injections } from "../../lib/textmate/injections.js";
import { toAscii } from "../../lib/textmate/line.js";
import type { RawGrammar } from "../../lib/textmate/raw-grammar.js";
import { readLine } from "../../lib/textmate/read-line.js";
import { RuleStack } from "../../lib/textmate/rule-stack.js";
import type { Engine } from "../../lib/textmate/scanner.js";
import { lineHtml } from "./block-html.js";
import type { PairTheme } from "./pair-theme.js";

/**
 * One language with the grammars it embeds. Highlighted lines are kept: documentation repeats itself, and a line looks
 * the same wherever the same rules are open.
 */
export class LanguageGrammar {
  private readonly rules: GrammarRules;
  private readonly injections: Injections;
  private start: LineStart;
  private starts = new Map<RuleStack, LineStart>();

  /** @param registrations the language's own is the last. */
  constructor(
    registrations: readonly LanguageRegistration[],
    engine: Engine,
    private readonly theme: PairTheme,
  ) {
    const grammars = registrations as readonly RawRegistration[];
    const own = grammars.at(-1)!;
    const byScope = new Map(grammars.map((each) => [each.scopeName, each]));
    this.rules = new GrammarRules(own, (scope) => byScope.get(scope), engine);
    this.injections = new Injections(
      this.rules,
      grammars.filter((each) => injectsInto(each, own.scopeName)),
    );
    this.start = this.blockStart();
  }

  /** HTML of each line; every span is closed at the end of its line. Adds the bytes it keeps to `budget.usedBytes`. */
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
    this.injections.clear();
  }

  private blockStart(): LineStart {
    const { root } = this.rules;
    const scope = this.theme.root(this.rules.raw.scopeName || "unknown");
    const stack = new RuleStack(undefined, root, scope, scope, undefined, false, -1, -1);
    return { stack, isFirst: true, lines: new Map() };
  }

  private color(text: string, start: LineStart): ColoredLine {
    // Like Shiki, skip such lines and continue in the same state.
    if (text === "" || text.length > maxLineLength)
      return { text, html: lineHtml(text, [], this.theme), next: start, follower: undefined };
    const { looks, end } = readLine(toAscii(text), start.stack, start.isFirst, this.injections);
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

type RawRegistration = RawGrammar & Pick<LanguageRegistration, "injectTo">;

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

function injectsInto({ injectTo }: RawRegistration, scope: string): boolean {
  return injectTo?.some((target) => scope === target || scope.startsWith(`${target}.`)) ?? false;
}
