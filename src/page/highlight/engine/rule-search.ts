import type { Rule } from "./rule.js";
import type { Engine, Line, Match, Scanner } from "./scanner.js";

export interface Found {
  /** The rule that begins; undefined where the rule in hand ends, or goes on by its `while`. */
  readonly rule: Rule | undefined;
  readonly match: Match;
}

/** The patterns that are looked for inside of a rule, as scanners: one for each meaning of `\A` and `\G`. */
export class RuleSearch {
  private readonly hasAnchors: boolean;
  private readonly scanners: (Scanner | undefined)[] = [];
  private closing: string | undefined;

  constructor(
    /** In the order of their rank; undefined stands for the end (or `while`) of `owner`. */
    private readonly rules: readonly (Rule | undefined)[],
    private readonly owner: Rule,
    private readonly engine: Engine,
  ) {
    this.hasAnchors = rules.some((rule) => (rule ? rule.opening : owner.closing).hasAnchors);
  }

  /**
   * @param closing the end of `owner`, if it holds what its beginning matched.
   * @param atFirst the block begins at `start`, which is what `\A` asks for; `atAnchor`: so does the rule (`\G`).
   */
  find(line: Line, start: number, closing: string | undefined, atFirst: boolean, atAnchor: boolean): Found | undefined {
    if (closing !== this.closing) {
      this.closing = closing;
      this.scanners.length = 0;
    }
    const variant = this.hasAnchors ? (atFirst ? 2 : 0) + (atAnchor ? 1 : 0) : 0;
    this.scanners[variant] ??= this.scanner(atFirst, atAnchor);
    const match = this.scanners[variant].find(line, start);
    return match && { rule: this.rules[match.index], match };
  }

  private scanner(atFirst: boolean, atAnchor: boolean): Scanner {
    const { owner, engine, closing } = this;
    return engine.scanner(
      this.rules.map((rule) =>
        rule
          ? engine.pattern(rule.opening.at(atFirst, atAnchor, undefined), rule.openingGroups)
          : engine.pattern(owner.closing.at(atFirst, atAnchor, closing), owner.closingGroups),
      ),
    );
  }
}
