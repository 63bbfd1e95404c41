import type { Scope } from "../pair-theme.js";
import type { Rule } from "./rule.js";

/** The rules that are open at a place, the innermost in hand. */
export class RuleStack {
  /** Equal stacks at the ends of lines are one object: those on top of this one, by what they add to it. */
  private kept: Map<string, RuleStack> | undefined;
  /** Known not to need `keep`. */
  private isKept: boolean;

  constructor(
    readonly parent: RuleStack | undefined,
    readonly rule: Rule,
    /** Of the whole rule, and of what stands between its beginning and its end. */
    readonly nameScope: Scope,
    readonly scope: Scope,
    /** The end of the rule, if it holds what its beginning matched. */
    readonly closing: string | undefined,
    /** The beginning took the newline: the next line starts where `\G` matches. */
    readonly tookNewline: boolean,
    /** Where on the line in hand the rule began, and what `\G` meant there; -1: on an earlier one. */
    readonly enteredAt: number,
    readonly anchorAt: number,
  ) {
    this.isKept = parent === undefined;
  }

  push(rule: Rule, scope: Scope, at: number, anchorAt: number, tookNewline: boolean): RuleStack {
    return new RuleStack(this, rule, scope, scope, undefined, tookNewline, at, anchorAt);
  }

  with(scope: Scope, closing: string | undefined): RuleStack {
    if (scope === this.scope && closing === this.closing) return this;
    const { parent, rule, nameScope, tookNewline, enteredAt, anchorAt } = this;
    return new RuleStack(parent, rule, nameScope, scope, closing, tookNewline, enteredAt, anchorAt);
  }

  /** The open rules of the kind `lines`, the outermost first. */
  linesRules(): RuleStack[] {
    const found: RuleStack[] = [];
    for (let each: RuleStack | undefined = this; each; each = each.parent)
      if (each.rule.kind === "lines") found.push(each);
    return found.reverse();
  }

  /** The rule of `other` has begun at the same place before: going on would not end. */
  hasBegun({ rule, enteredAt }: RuleStack): boolean {
    for (let each: RuleStack | undefined = this; each && each.enteredAt === enteredAt; each = each.parent)
      if (each.rule === rule) return true;
    return false;
  }

  /** The stack for the next line: the same object for equal ones. */
  keep(): RuleStack {
    const fresh: RuleStack[] = [];
    let base: RuleStack = this;
    for (; !base.isKept; base = base.parent!) fresh.push(base);
    for (const { rule, nameScope, scope, closing, tookNewline } of fresh.reverse()) {
      const key = `${rule.id},${nameScope.id},${scope.id},${tookNewline ? 1 : 0},${closing ?? "\0"}`;
      base.kept ??= new Map();
      let next = base.kept.get(key);
      if (!next) {
        next = new RuleStack(base, rule, nameScope, scope, closing, tookNewline, -1, -1);
        next.isKept = true;
        base.kept.set(key, next);
      }
      base = next;
    }
    return base;
  }
}
