import { GrammarRules } from "./grammar-rules.js";
import { Injections } from "./injections.js";
import { Line, type Range, toAscii } from "./line-regex.js";
import type { RawGrammar } from "./raw-grammar.js";
import type { Captures, FoundRule, Rule } from "./rule.js";
import { RuleStack, type Scope } from "./rule-stack.js";
import type { Engine } from "./scanner.js";

/** A grammar as it is published, with the scopes of the grammars into which it injects its rules. */
export type Grammar = RawGrammar & { readonly injectTo?: readonly string[] };

export interface TokenizedLine {
  /** Alternating start and style number (`Scope.look`); neighbours have different styles. */
  readonly looks: readonly number[];
  /** The open rules at the end of the line; equal ones are the same object. */
  readonly end: RuleStack;
}

/** Tokenizes code of one language. The order in which rules are tried decides the colours, as in vscode-textmate. */
export class Tokenizer {
  private readonly rules: GrammarRules;
  private readonly injections: Injections;

  /** @param grammars the grammars that the language embeds, then its own. */
  constructor(grammars: readonly Grammar[], engine: Engine) {
    const main = grammars.at(-1)!;
    const byScope = new Map(grammars.map((grammar) => [grammar.scopeName, grammar]));
    const injectsHere = ({ injectTo }: Grammar): boolean =>
      injectTo?.some((scope) => main.scopeName === scope || main.scopeName.startsWith(`${scope}.`)) ?? false;
    this.rules = new GrammarRules(main, (scope) => byScope.get(scope), engine);
    this.injections = new Injections(this.rules, grammars.filter(injectsHere));
  }

  get scopeName(): string {
    return this.rules.raw.scopeName || "unknown";
  }

  /** The open rules at the start of a block. @param scope of the whole block. */
  blockStart(scope: Scope): RuleStack {
    return new RuleStack(undefined, this.rules.root, scope, scope, undefined, false, -1, -1);
  }

  /** @param stack the open rules at the start of the line. @param isFirst whether it begins the block. */
  line(text: string, stack: RuleStack, isFirst: boolean): TokenizedLine {
    const line = new Line(`${toAscii(text)}\n`);
    const reader = new LineReader(this.injections);
    const end = reader.read(line, reader.continueRules(line, { at: 0, anchor: -1, isFirst, stack }));
    return { looks: reader.looksOf(text.length, end), end: end.intern() };
  }
}

/** How much of a line has been read. */
interface Progress {
  readonly at: number;
  /** Where `\G` matches; -1 for nowhere. */
  readonly anchor: number;
  /** Nothing of the block has been consumed yet. */
  readonly isFirst: boolean;
  readonly stack: RuleStack;
}

class LineReader {
  private readonly looks: number[] = [];
  private readUpTo = 0;

  constructor(private readonly injections: Injections) {}

  looksOf(length: number, end: RuleStack): readonly number[] {
    const { looks } = this;
    // Drop a part that contains only the newline.
    if (looks.at(-2) === length) looks.length -= 2;
    return looks.length === 0 ? [0, end.scope.look] : looks;
  }

  /** Closes the rules whose `while` does not match this line. */
  continueRules(line: Line, from: Progress): Progress {
    const { stack } = from;
    let { at, isFirst } = from;
    let anchor = stack.tookNewline ? 0 : -1;
    for (const open of stack.linesRules()) {
      const continuation = open.rule.findWhile(line, at, open.closing, isFirst, at === anchor);
      if (!continuation) return { at, anchor, isFirst, stack: open.parent! };
      const { start, end } = continuation.match;
      this.mark(open.scope, start);
      this.captures(line, isFirst, open, open.rule.endCaptures, groupsOf(continuation, open.rule));
      this.mark(open.scope, end);
      anchor = end;
      if (end > at) {
        at = end;
        isFirst = false;
      }
    }
    return { at, anchor, isFirst, stack };
  }

  /** Returns the open rules at the end of the line. */
  read(line: Line, from: Progress): RuleStack {
    let { at, anchor, isFirst, stack } = from;
    for (;;) {
      const ruleMatch = stack.rule.find(line, at, stack.closing, isFirst, at === anchor);
      const next = this.injections.find(ruleMatch, stack.scope, line, at, isFirst, at === anchor);
      if (!next) break;
      const { rule } = next;
      const { start, end } = next.match;
      const advances = end > at;
      const groups = groupsOf(next, stack.rule);
      this.mark(stack.scope, start);
      if (!rule) {
        const ended = stack.with(stack.nameScope, stack.closing);
        this.captures(line, isFirst, ended, ended.rule.endCaptures, groups);
        this.mark(ended.scope, end);
        // The rule began and ended at the same position, and would do so again.
        const isStuck = !advances && ended.enteredAt === at;
        stack = isStuck ? ended : ended.parent!;
        if (isStuck) break;
        anchor = ended.anchorAt;
      } else {
        const scope = stack.scope.push(rule.name.in(line.content, groups));
        const begun = stack.push(rule, scope, at, anchor, end === line.content.length);
        this.captures(line, isFirst, begun, rule.beginCaptures, groups);
        this.mark(scope, end);
        if (rule.kind === "match") {
          if (!advances) {
            stack = stack.parent ?? stack;
            break;
          }
        } else {
          anchor = end;
          const inner = begun.with(
            scope.push(rule.contentName.in(line.content, groups)),
            rule.closing.references.length > 0
              ? rule.closing.withReferences(groups.map((g) => textIn(line, g)))
              : undefined,
          );
          if (!advances && stack.hasBegun(inner)) break;
          stack = inner;
        }
      }
      if (advances) {
        at = end;
        isFirst = false;
      }
    }
    this.mark(stack.scope, line.content.length);
    return stack;
  }

  /** Applies the scopes of captures. @param stack gives the enclosing scope. */
  private captures(line: Line, isFirst: boolean, stack: RuleStack, captures: Captures, groups: readonly Range[]): void {
    const count = Math.min(captures.length, groups.length);
    const around: { readonly scope: Scope; readonly end: number }[] = [];
    const leave = (start: number): void => {
      for (let inner = around.at(-1); inner && inner.end <= start; inner = around.at(-1)) {
        this.mark(inner.scope, inner.end);
        around.pop();
      }
    };
    for (let i = 0; i < count; i++) {
      const capture = captures[i];
      const { start, end } = groups[i]!;
      if (!capture || start === end) continue;
      // A lookahead can capture beyond the match.
      if (start > groups[0]!.end) break;
      leave(start);
      const scope = around.at(-1)?.scope ?? stack.scope;
      this.mark(scope, start);
      const name = capture.name.in(line.content, groups);
      if (capture.rule) {
        const named = stack.scope.push(name);
        const inner = stack
          .push(capture.rule, named, start, -1, false)
          .with(named.push(capture.contentName.in(line.content, groups)), undefined);
        const part = new Line(line.content.slice(0, end));
        this.read(part, { at: start, anchor: -1, isFirst: isFirst && start === 0, stack: inner });
      } else if (name !== undefined) around.push({ scope: scope.push(name), end });
    }
    leave(Infinity);
  }

  /** Gives the text between the last mark and `end` the scope. */
  private mark({ look }: Scope, end: number): void {
    if (this.readUpTo >= end) return;
    if (this.looks.at(-1) !== look) this.looks.push(this.readUpTo, look);
    this.readUpTo = end;
  }
}

/** The match, then its groups. They are read at once, since the rule of a capture may search for the same pattern. */
const groupsOf = ({ rule, match }: FoundRule, current: Rule): readonly Range[] =>
  (rule ? rule.opening : current.closing).hasGroups ? match.pattern.groups() : [match];

const textIn = (line: Line, { start, end }: Range): string => line.content.slice(start, end);
