import type { Rule } from "./rule.js";

/** A scope of the text with its style, which the theme makes. */
export interface Scope {
  /** Unique in its theme. */
  readonly id: number;
  /** Number of the style; scopes with the same one look alike. */
  readonly look: number;
  readonly parent: Scope | null;
  readonly scopeName: string;
  /** The scope inside of this one for these names, which are separated by spaces. */
  push(names: string | undefined): Scope;
}

/** The open rules at one position; the innermost is the current one. */
export class RuleStack {
  /** Stacks that add one rule to this one at the end of a line. Equal stacks are one object. */
  private interned: Map<string, RuleStack> | undefined;
  /** Whether it is interned, so that `intern` returns it unchanged. */
  private isInterned: boolean;

  constructor(
    readonly parent: RuleStack | undefined,
    readonly rule: Rule,
    /** Scope of the whole rule; `scope` is that of its content. */
    readonly nameScope: Scope,
    readonly scope: Scope,
    /** The `end` of the rule, if it refers to groups of its `begin`. */
    readonly closing: string | undefined,
    /** Whether the match of `begin` included the newline, so that `\G` matches at the start of the next line. */
    readonly tookNewline: boolean,
    /** Where on the current line the rule began, and where `\G` matched at that time; -1 for an earlier line. */
    readonly enteredAt: number,
    readonly anchorAt: number,
  ) {
    this.isInterned = parent === undefined;
  }

  push(rule: Rule, scope: Scope, at: number, anchorAt: number, tookNewline: boolean): RuleStack {
    return new RuleStack(this, rule, scope, scope, undefined, tookNewline, at, anchorAt);
  }

  with(scope: Scope, closing: string | undefined): RuleStack {
    if (scope === this.scope && closing === this.closing) return this;
    const { parent, rule, nameScope, tookNewline, enteredAt, anchorAt } = this;
    return new RuleStack(parent, rule, nameScope, scope, closing, tookNewline, enteredAt, anchorAt);
  }

  /** The open rules of kind `lines`, outermost first. */
  linesRules(): RuleStack[] {
    const stacks: RuleStack[] = [];
    for (let stack: RuleStack | undefined = this; stack; stack = stack.parent)
      if (stack.rule.kind === "lines") stacks.push(stack);
    return stacks.reverse();
  }

  /** Whether the rule of another stack already began at this position, so that continuing would loop forever. */
  hasBegun({ rule, enteredAt }: RuleStack): boolean {
    for (let stack: RuleStack | undefined = this; stack && stack.enteredAt === enteredAt; stack = stack.parent)
      if (stack.rule === rule) return true;
    return false;
  }

  /** The stack for the next line; equal stacks are the same object. */
  intern(): RuleStack {
    const fresh: RuleStack[] = [];
    let base: RuleStack = this;
    for (; !base.isInterned; base = base.parent!) fresh.push(base);
    for (const { rule, nameScope, scope, closing, tookNewline } of fresh.reverse()) {
      const key = `${rule.id},${nameScope.id},${scope.id},${tookNewline ? 1 : 0},${closing ?? "\0"}`;
      base.interned ??= new Map();
      let next = base.interned.get(key);
      if (!next) {
        next = new RuleStack(base, rule, nameScope, scope, closing, tookNewline, -1, -1);
        next.isInterned = true;
        base.interned.set(key, next);
      }
      base = next;
    }
    return base;
  }
}
