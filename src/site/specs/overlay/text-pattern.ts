/**
 * Regular expressions of JSONPath (RFC 9485), run so that the time goes by the length of the text and of the expression,
 * whatever the two are: every place in the expression that the text may have reached is followed at once, and none is
 * followed twice. Beyond what the RFC names, `^` and `$` are the ends of the text, and `\d`, `\s`, `\w` are read.
 */
export interface TextPattern {
  /**
   * Whether the text, or for `search` some part of it, is what the expression describes.
   *
   * @param spend is told how much has been looked at; it may throw.
   */
  matches(text: string, isSearch: boolean, spend: (count: number) => void): boolean;
}

/** What is no regular expression, or one that is too large. */
export class TextPatternError extends Error {}

type Test = (char: string) => boolean;
/** `other` is where a `fork` leads too; the instruction behind it comes first. */
type Instruction =
  | { readonly kind: "char"; readonly test: Test }
  | { readonly kind: "start" | "end" | "done" }
  | { readonly kind: "jump" | "fork"; other: number };

type Node =
  | { readonly kind: "char"; readonly test: Test }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "any"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly min: number; readonly max: number };

const maxSteps = 5_000;
const maxNesting = 50;

/** @throws {TextPatternError} */
export function readTextPattern(pattern: string): TextPattern {
  const program = new Program();
  program.add(new Reader([...pattern]).whole());
  program.put({ kind: "done" });
  return { matches: (text, isSearch, spend) => run(program.instructions, [...text], isSearch, spend) };
}

class Program {
  readonly instructions: Instruction[] = [];
  #steps = 0;

  put(instruction: Instruction): number {
    this.#step();
    return this.instructions.push(instruction) - 1;
  }

  add(node: Node): void {
    this.#step();
    if (node.kind === "all") for (const part of node.parts) this.add(part);
    else if (node.kind === "any") this.#any(node.parts);
    else if (node.kind !== "repeat") this.put(node);
    else {
      for (let i = 0; i < node.min; i++) this.add(node.node);
      if (node.max === Number.POSITIVE_INFINITY) {
        const fork = this.#fork(node.node);
        this.put({ kind: "jump", other: fork });
        this.#lead(fork);
      } else {
        const forks: number[] = [];
        for (let i = node.min; i < node.max; i++) forks.push(this.#fork(node.node));
        for (const fork of forks) this.#lead(fork);
      }
    }
  }

  #any(parts: readonly Node[]): void {
    const ends: number[] = [];
    for (const part of parts.slice(0, -1)) {
      const fork = this.#fork(part);
      ends.push(this.put({ kind: "jump", other: 0 }));
      this.#lead(fork);
    }
    this.add(parts.at(-1)!);
    for (const end of ends) this.#lead(end);
  }

  /** The node, and a way around it that leads nowhere yet. */
  #fork(node: Node): number {
    const fork = this.put({ kind: "fork", other: 0 });
    this.add(node);
    return fork;
  }

  /** Lets an instruction lead to the one that is written next. */
  #lead(from: number): void {
    const instruction = this.instructions[from]!;
    if ("other" in instruction) instruction.other = this.instructions.length;
  }

  /** What is empty can be repeated as often as what is not. */
  #step(): void {
    if (++this.#steps > maxSteps) throw new TextPatternError("the regular expression is too large");
  }
}

function run(
  program: readonly Instruction[],
  text: readonly string[],
  isSearch: boolean,
  spend: (count: number) => void,
): boolean {
  /** By instruction: behind how many characters it was last reached, counted from 1. */
  const reached = new Uint32Array(program.length);
  let current: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    if (at === 0 || isSearch) current.push(0);
    const chars: number[] = [];
    let looked = 0;
    for (let place = current.pop(); place !== undefined; place = current.pop()) {
      if (reached[place] === at + 1) continue;
      reached[place] = at + 1;
      looked++;
      const instruction = program[place]!;
      if (instruction.kind === "done") {
        if (isSearch || at === text.length) return true;
      } else if (instruction.kind === "char") chars.push(place);
      else if (instruction.kind === "jump") current.push(instruction.other);
      else if (instruction.kind === "fork") current.push(instruction.other, place + 1);
      else if (instruction.kind === "start" ? at === 0 : at === text.length) current.push(place + 1);
    }
    spend(looked);
    const char = text[at];
    if (char === undefined || (chars.length === 0 && !isSearch)) return false;
    current = chars.filter((place) => (program[place] as { readonly test: Test }).test(char)).map((place) => place + 1);
  }
  return false;
}

class Reader {
  #at = 0;

  constructor(private readonly chars: readonly string[]) {}

  whole(): Node {
    const node = this.#options(0);
    return this.#at === this.chars.length ? node : this.#fail();
  }

  #options(depth: number): Node {
    if (depth > maxNesting) throw new TextPatternError("the regular expression is nested too deep");
    const parts: Node[] = [];
    do parts.push(this.#sequence(depth));
    while (this.#take("|"));
    return parts.length === 1 ? parts[0]! : { kind: "any", parts };
  }

  #sequence(depth: number): Node {
    const parts: Node[] = [];
    while (this.#at < this.chars.length && !this.#is("|") && !this.#is(")")) parts.push(this.#piece(depth));
    return { kind: "all", parts };
  }

  #piece(depth: number): Node {
    const node = this.#atom(depth);
    if (this.#take("*")) return { kind: "repeat", node, min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { kind: "repeat", node, min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { kind: "repeat", node, min: 0, max: 1 };
    if (!this.#take("{")) return node;
    const min = this.#count();
    const max = !this.#take(",") ? min : this.#is("}") ? Number.POSITIVE_INFINITY : this.#count();
    return this.#take("}") && min <= max ? { kind: "repeat", node, min, max } : this.#fail();
  }

  #count(): number {
    let digits = "";
    while (/^\d$/.test(this.chars[this.#at] ?? "")) digits += this.#next();
    return digits === "" ? this.#fail() : Number(digits);
  }

  #atom(depth: number): Node {
    const char = this.#next();
    if (char === "^") return { kind: "start" };
    if (char === "$") return { kind: "end" };
    if (char === ".") return { kind: "char", test: (other) => other !== "\n" && other !== "\r" };
    if (char === "[") return { kind: "char", test: this.#class() };
    if (char === "\\") {
      const escaped = this.#escape();
      return { kind: "char", test: typeof escaped === "string" ? (other) => other === escaped : escaped };
    }
    if (char === "(") {
      const node = this.#options(depth + 1);
      return this.#take(")") ? node : this.#fail();
    }
    if ("*+?{}[])|".includes(char)) this.#fail();
    return { kind: "char", test: (other) => other === char };
  }

  #class(): Test {
    const isNegated = this.#take("^");
    const tests: Test[] = [];
    for (let isFirst = true; isFirst || !this.#is("]"); isFirst = false) {
      const from = this.#classPart();
      if (typeof from !== "string") tests.push(from);
      else if (this.#is("-") && this.chars[this.#at + 1] !== "]") {
        this.#next();
        const to = this.#classPart();
        if (typeof to !== "string" || codeOf(to) < codeOf(from)) this.#fail();
        else tests.push((char) => codeOf(char) >= codeOf(from) && codeOf(char) <= codeOf(to));
      } else tests.push((char) => char === from);
    }
    this.#next();
    return (char) => tests.some((test) => test(char)) !== isNegated;
  }

  #classPart(): string | Test {
    const char = this.#next();
    if (char === "[" || char === "]") this.#fail();
    return char === "\\" ? this.#escape() : char;
  }

  /** The character that an escape stands for, or a test for those that it does. */
  #escape(): string | Test {
    const char = this.#next();
    if (Object.hasOwn(lineEscapes, char)) return lineEscapes[char]!;
    if ("dDsSwW".includes(char)) return testOf(`\\${char}`);
    if (char === "p" || char === "P") {
      const name = this.chars.slice(this.#at, this.#at + 4).join("");
      const category = /^\{([A-Z][a-z]?)\}/.exec(name);
      if (!category) return this.#fail();
      this.#at += category[0].length;
      try {
        return testOf(`\\${char}${category[0]}`);
      } catch {
        return this.#fail();
      }
    }
    return /^[!-/:-@[-`{-~]$/.test(char) ? char : this.#fail();
  }

  #is(char: string): boolean {
    return this.chars[this.#at] === char;
  }

  #take(char: string): boolean {
    if (!this.#is(char)) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    return this.chars[this.#at++] ?? this.#fail();
  }

  #fail(): never {
    throw new TextPatternError(`character ${this.#at} of the regular expression was not expected`);
  }
}

const lineEscapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const codeOf = (char: string): number => char.codePointAt(0)!;

/** The engine's own, for one character at a time. */
function testOf(source: string): Test {
  const pattern = new RegExp(`^${source}$`, "u");
  return (char) => pattern.test(char);
}
