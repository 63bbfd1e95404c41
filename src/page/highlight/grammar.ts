import type { LanguageRegistration } from "shiki/types";
import { GrammarRules } from "./engine/grammar-rules.js";
import { Injections } from "./engine/injections.js";
import type { RawGrammar } from "./engine/raw-grammar.js";
import { readLine } from "./engine/read-line.js";
import { RuleStack } from "./engine/rule-stack.js";
import type { Engine } from "./engine/scanner.js";
import { standIn } from "./engine/stand-in.js";
import { lineHtml } from "./line-html.js";
import type { PairTheme } from "./pair-theme.js";

/**
 * One language with the grammars it embeds. Lines are remembered: documentation repeats itself, and a line in the
 * same surroundings always looks the same.
 */
export class LanguageGrammar {
  private readonly rules: GrammarRules;
  private readonly injections: Injections;
  private start: LineStart;
  private starts = new Map<RuleStack, LineStart>();

  /** The language's own registration is the last of `registrations`. */
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

  /** HTML of each line, every span closed at the end of its line. Adds to `budget.usedBytes` what it keeps. */
  highlight(lines: readonly string[], budget: { usedBytes: number }): string[] {
    let before: ColoredLine | undefined;
    return lines.map((text) => {
      // Blocks resemble one another: what came after the line last time comes again, which is cheaper to see than to
      // look the text up.
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

  forget(): void {
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
    // Shiki too leaves such lines out, and goes on after them as it was.
    if (text === "" || text.length > maxLineLength)
      return { text, html: lineHtml(text, [], this.theme), next: start, follower: undefined };
    const { looks, end } = readLine(standIn(text), start.stack, start.isFirst, this.injections);
    let next = this.starts.get(end);
    if (!next) {
      next = { stack: end, isFirst: false, lines: new Map() };
      this.starts.set(end, next);
    }
    return { text, html: lineHtml(text, looks, this.theme), next, follower: undefined };
  }
}

/** Longer lines (data, minified code) are shown in one colour; UTF-16 code units. */
const maxLineLength = 10_000;

type RawRegistration = RawGrammar & Pick<LanguageRegistration, "injectTo">;

/** Where a line may start: what is open there, and the lines that have been seen there. */
interface LineStart {
  readonly stack: RuleStack;
  /** No line of the block has been read before. */
  readonly isFirst: boolean;
  readonly lines: Map<string, ColoredLine>;
}

interface ColoredLine {
  readonly text: string;
  readonly html: string;
  readonly next: LineStart;
  /** The line that came after this one last. */
  follower: ColoredLine | undefined;
}

function injectsInto({ injectTo }: RawRegistration, scope: string): boolean {
  return injectTo?.some((target) => scope === target || scope.startsWith(`${target}.`)) ?? false;
}
