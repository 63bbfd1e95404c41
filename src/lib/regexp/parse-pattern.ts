/** A regular expression as a tree, which cannot express flags, back references and look-behind. */
export type PatternNode =
  /** Matches one character. `source` is the text of it: a character, `.`, an escape or a class in brackets. */
  | { readonly kind: "char"; readonly source: string }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "boundary" | "notBoundary" }
  | { readonly kind: "all" | "any"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "ahead" | "notAhead"; readonly node: PatternNode }
  | PatternRepeat;

export interface PatternRepeat {
  readonly kind: "repeat";
  readonly node: PatternNode;
  readonly min: number;
  readonly max: number;
  /** The mark after the count: `?` for lazy, `+` for possessive. */
  readonly mark: "" | "?" | "+";
}

export class PatternError extends Error {}

const maxNesting = 50;

/**
 * @param hasGroupMarks false for a syntax without `(?`, such as that of JSONPath.
 * @throws {PatternError} for text that is not a regular expression, or cannot be expressed as this tree.
 */
export const parsePattern = (pattern: string, hasGroupMarks = true): PatternNode =>
  new Parser([...pattern], hasGroupMarks).whole();

class Parser {
  private at = 0;
  constructor(
    private readonly chars: readonly string[],
    private readonly hasGroupMarks: boolean,
  ) {}

  whole(): PatternNode {
    const node = this.options(0);
    return this.at === this.chars.length ? node : this.fail();
  }

  private options(depth: number): PatternNode {
    if (depth > maxNesting) throw new PatternError("the regular expression is nested too deep");
    const parts: PatternNode[] = [];
    do parts.push(this.sequence(depth));
    while (this.accept("|"));
    return parts.length === 1 ? parts[0]! : { kind: "any", parts };
  }

  private sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.chars.length && this.peek() !== "|" && this.peek() !== ")")
      parts.push(this.repeated(this.atom(depth)));
    return { kind: "all", parts };
  }

  private repeated(node: PatternNode): PatternNode {
    const bounds = this.bounds();
    if (!bounds) return node;
    return { kind: "repeat", node, ...bounds, mark: this.accept("?") ? "?" : this.accept("+") ? "+" : "" };
  }

  private bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.accept("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.accept("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.accept("?")) return { min: 0, max: 1 };
    const count = /^\{(\d+)(,(\d*))?\}/.exec(this.chars.slice(this.at, this.at + 24).join(""));
    if (!count) return undefined;
    this.at += count[0].length;
    const min = Number(count[1]);
    return { min, max: !count[2] ? min : count[3] ? Number(count[3]) : Number.POSITIVE_INFINITY };
  }

  private atom(depth: number): PatternNode {
    const from = this.at;
    const char = this.next();
    if (char === "^") return { kind: "start" };
    if (char === "$") return { kind: "end" };
    if (char === "(") return this.group(depth);
    if ("*+?".includes(char)) return this.fail();
    if (char === "[") {
      while (this.peek() !== "]") if (this.next() === "\\") this.next();
      this.next();
    } else if (char === "\\") {
      if (this.accept("b")) return { kind: "boundary" };
      if (this.accept("B")) return { kind: "notBoundary" };
      this.escape();
    }
    return { kind: "char", source: this.chars.slice(from, this.at).join("") };
  }

  private group(depth: number): PatternNode {
    let kind: "ahead" | "notAhead" | undefined;
    if (this.hasGroupMarks && this.accept("?")) {
      const mark = this.next();
      if (mark === "=" || mark === "!") kind = mark === "=" ? "ahead" : "notAhead";
      else if (mark === "<" && this.peek() !== "=" && this.peek() !== "!") while (this.next() !== ">");
      else if (mark !== ":") this.fail();
    }
    const node = this.options(depth + 1);
    if (!this.accept(")")) this.fail();
    return kind ? { kind, node } : node;
  }

  private escape(): void {
    const letter = this.next();
    if (/[1-9k]/.test(letter)) this.fail();
    if (!/[upPxc]/.test(letter)) return;
    if (this.accept("{")) while (this.next() !== "}");
    else this.at += { u: 4, x: 2, c: 1 }[letter] ?? 0;
  }

  private peek(): string | undefined {
    return this.chars[this.at];
  }

  private next(): string {
    return this.chars[this.at++] ?? this.fail();
  }

  private accept(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  private fail(): never {
    throw new PatternError(`character ${this.at} of the regular expression was not expected`);
  }
}

/** The characters that a `char` node matches. */
interface CharSet {
  readonly isNegated: boolean;
  /** Each a character or an escape as written; with `to`, all characters between the two. */
  readonly members: readonly { readonly from: string; readonly to?: string }[];
}

const unit = /\\(?:[upPx]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|./gisu;

/** @param source of a `char` node. @throws {PatternError} for a class without members. */
export function charSet(source: string): CharSet {
  if (!source.startsWith("[")) return { isNegated: false, members: [{ from: source }] };
  const isNegated = source.startsWith("[^");
  const units = source.slice(isNegated ? 2 : 1, -1).match(unit);
  if (!units) throw new PatternError("an end of the class was not expected in the regular expression");
  const members: { from: string; to?: string }[] = [];
  for (let at = 0; at < units.length; at++) {
    const from = units[at]!;
    const isRange = units[at + 1] === "-" && at + 2 < units.length && !/^\\[dswp]/i.test(from);
    members.push(isRange ? { from, to: units[at + 2]! } : { from });
    if (isRange) at += 2;
  }
  return { isNegated, members };
}
