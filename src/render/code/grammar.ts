import { type IGrammar, INITIAL, Registry, type StateStack } from "shiki/textmate";
import type { LanguageRegistration, RegexEngine } from "shiki/types";
import { standIn } from "./engine/stand-in.js";
import { lineHtml } from "./line-html.js";
import type { PairTheme } from "./pair-theme.js";

/**
 * One language with the grammars it embeds. Lines are remembered: documentation repeats itself, and a line in the
 * same surroundings always looks the same.
 */
export class LanguageGrammar {
  private readonly grammar: IGrammar;
  private readonly states = new LineStates();
  /** By the state a line begins in, then by its text. */
  private lines = new Map<number, Map<string, ColoredLine>>();

  /** The language's own registration is the last of `registrations`. */
  constructor(
    registrations: readonly LanguageRegistration[],
    engine: RegexEngine,
    private readonly theme: PairTheme,
  ) {
    const byScope = new Map(registrations.map((each) => [each.scopeName, each]));
    const registry = new Registry({
      onigLib: { createOnigScanner: engine.createScanner, createOnigString: engine.createString },
      loadGrammar: (scope) => byScope.get(scope) as never,
      getInjections: (scope) => registrations.filter((each) => injectsInto(each, scope)).map((each) => each.scopeName),
    });
    registry._syncRegistry.setTheme(theme as never);
    const own = registrations.at(-1)!;
    // Brackets need no marks, which saves a look at the scopes of every token.
    this.grammar = registry.loadGrammarWithConfiguration(own.scopeName, 1, {
      balancedBracketSelectors: [],
      unbalancedBracketSelectors: [],
    })!;
  }

  /** HTML of each line, every span closed at the end of its line. Adds to `budget.usedBytes` what it keeps. */
  highlight(lines: readonly string[], budget: { usedBytes: number }): string[] {
    let state = INITIAL;
    let stateNumber = 0;
    return lines.map((text) => {
      let known = this.lines.get(stateNumber);
      if (!known) {
        known = new Map();
        this.lines.set(stateNumber, known);
      }
      let line = known.get(text);
      if (!line) {
        line = this.color(text, state);
        known.set(text, line);
        budget.usedBytes += 2 * (text.length + line.html.length) + 160;
      }
      state = line.end;
      stateNumber = line.endNumber;
      return line.html;
    });
  }

  forget(): void {
    this.lines = new Map();
    this.states.forget();
  }

  private color(text: string, state: StateStack): ColoredLine {
    // Shiki too leaves such lines out, and goes on after them as it was.
    if (text === "" || text.length > maxLineLength) {
      return { html: lineHtml(text, [], this.theme), end: state, endNumber: this.states.numberOf(state) };
    }
    const { tokens, ruleStack } = this.grammar.tokenizeLine2(standIn(text), state, 0);
    return { html: lineHtml(text, tokens, this.theme), end: ruleStack, endNumber: this.states.numberOf(ruleStack) };
  }
}

/** Longer lines (data, minified code) are shown in one colour; UTF-16 code units. */
const maxLineLength = 10_000;

interface ColoredLine {
  readonly html: string;
  /** The state the next line begins in, and its number. */
  readonly end: StateStack;
  readonly endNumber: number;
}

function injectsInto(registration: LanguageRegistration, scope: string): boolean {
  return registration.injectTo?.some((target) => scope === target || scope.startsWith(`${target}.`)) ?? false;
}

/** Gives equal states of the tokeniser equal numbers; 0 is the state a block begins in. */
class LineStates {
  private numbers = new Map<string, number>();

  forget(): void {
    // Numbers already written on states stay theirs alone: counting goes on.
    this.first += this.numbers.size;
    this.numbers = new Map();
  }
  private first = 1;

  numberOf(state: StateStack | null): number {
    if (state === null || state === INITIAL) return 0;
    const own = state as NumberedState;
    if (own.lineState !== undefined) return own.lineState;
    const { parent, ruleId, beginRuleCapturedEOL, nameScopesList, contentNameScopesList, endRule } = own;
    own.lineState = this.intern(
      `${this.numberOf(parent)},${ruleId},${beginRuleCapturedEOL ? 1 : 0},${this.scopesNumber(nameScopesList?.scopePath)},${this.scopesNumber(contentNameScopesList?.scopePath)},${endRule ?? "\0"}`,
    );
    return own.lineState;
  }

  private scopesNumber(path: NumberedScopes | null | undefined): number {
    if (!path) return 0;
    path.scopesNumber ??= this.intern(`${this.scopesNumber(path.parent)} ${path.scopeName}`);
    return path.scopesNumber;
  }

  private intern(key: string): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.first + this.numbers.size;
      this.numbers.set(key, number);
    }
    return number;
  }
}

/** The parts of vscode-textmate's state that decide how the next line looks. The numbers are kept on the states. */
interface NumberedState extends StateStack {
  readonly parent: NumberedState | null;
  readonly ruleId: number;
  readonly beginRuleCapturedEOL: boolean;
  readonly nameScopesList: { readonly scopePath: NumberedScopes } | null;
  readonly contentNameScopesList: { readonly scopePath: NumberedScopes } | null;
  readonly endRule: string | null;
  lineState?: number;
}
interface NumberedScopes {
  readonly scopeName: string;
  readonly parent: NumberedScopes | null;
  scopesNumber?: number;
}
