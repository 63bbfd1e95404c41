import { charSet, PatternError, type PatternNode, type PatternRepeat, parsePattern } from "../regexp/parse-pattern.js";

/**
 * A regular expression of JSONPath (RFC 9485). Matching takes time proportional to the length of the text times that of the
 * expression, since all states of the expression are followed at the same time. Beyond the RFC, `^` and `$` match the ends
 * of the text, and `\d`, `\s`, `\w` are allowed.
 */
export interface TextPattern {
  /** Whether it matches the text, or a part for `search`. @param spend gets the instructions run; it may throw. */
  matches(text: string, isSearch: boolean, spend: (count: number) => void): boolean;
}

type Test = (char: string) => boolean;
/** A `fork` continues with both the next instruction and `other`. */
type Instruction =
  | { readonly kind: "char"; readonly test: Test }
  | { readonly kind: "start" | "end" | "done" }
  | { readonly kind: "jump" | "fork"; other: number };

const maxSteps = 5_000;

/** @throws {PatternError} if the expression is invalid or too large. */
export function readTextPattern(pattern: string): TextPattern {
  const program = new Program();
  program.add(parsePattern(pattern, false));
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

  add(node: PatternNode): void {
    this.#step();
    if (node.kind === "char") this.put({ kind: "char", test: testOf(node.source) });
    else if (node.kind === "start" || node.kind === "end") this.put({ kind: node.kind });
    else if (node.kind === "all") for (const part of node.parts) this.add(part);
    else if (node.kind === "any") this.#any(node.parts);
    else if (node.kind === "repeat") this.#repeat(node);
    else unexpected(node.kind === "boundary" ? "\\b" : "\\B");
  }

  #repeat({ node, min, max, mark }: PatternRepeat): void {
    if (mark !== "" || max < min) unexpected(mark || `{${min},${max}}`);
    for (let i = 0; i < min; i++) this.add(node);
    if (max === Number.POSITIVE_INFINITY) {
      const fork = this.#fork(node);
      this.put({ kind: "jump", other: fork });
      this.#target(fork);
    } else {
      const forks: number[] = [];
      for (let i = min; i < max; i++) forks.push(this.#fork(node));
      for (const fork of forks) this.#target(fork);
    }
  }

  #any(parts: readonly PatternNode[]): void {
    const ends: number[] = [];
    for (const part of parts.slice(0, -1)) {
      const fork = this.#fork(part);
      ends.push(this.put({ kind: "jump", other: 0 }));
      this.#target(fork);
    }
    this.add(parts.at(-1)!);
    for (const end of ends) this.#target(end);
  }

  /** Adds the node, and before it a fork whose target is set later. */
  #fork(node: PatternNode): number {
    const fork = this.put({ kind: "fork", other: 0 });
    this.add(node);
    return fork;
  }

  /** Sets the target of a jump or fork to the instruction that is added next. */
  #target(from: number): void {
    const instruction = this.instructions[from]!;
    if ("other" in instruction) instruction.other = this.instructions.length;
  }

  /** Counts nodes, too, since an empty node can be repeated any number of times. */
  #step(): void {
    if (++this.#steps > maxSteps) throw new PatternError("the regular expression is too large");
  }
}

function run(
  program: readonly Instruction[],
  text: readonly string[],
  isSearch: boolean,
  spend: (count: number) => void,
): boolean {
  /** For each instruction, one more than the position in the text at which it was last reached. */
  const reached = new Uint32Array(program.length);
  let current: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    if (at === 0 || isSearch) current.push(0);
    const chars: number[] = [];
    let looked = 0;
    for (let index = current.pop(); index !== undefined; index = current.pop()) {
      if (reached[index] === at + 1) continue;
      reached[index] = at + 1;
      looked++;
      const instruction = program[index]!;
      if (instruction.kind === "done") {
        if (isSearch || at === text.length) return true;
      } else if (instruction.kind === "char") chars.push(index);
      else if (instruction.kind === "jump") current.push(instruction.other);
      else if (instruction.kind === "fork") current.push(instruction.other, index + 1);
      else if (instruction.kind === "start" ? at === 0 : at === text.length) current.push(index + 1);
    }
    spend(looked);
    const char = text[at];
    if (char === undefined || (chars.length === 0 && !isSearch)) return false;
    current = chars.filter((index) => (program[index] as { readonly test: Test }).test(char)).map((index) => index + 1);
  }
  return false;
}

/** The characters that a `char` node matches. @throws {PatternError} for syntax that JSONPath lacks */
function testOf(source: string): Test {
  if (source === ".") return (char) => char !== "\n" && char !== "\r";
  if (/^[{}\]]$/.test(source)) return unexpected(source);
  const { isNegated, members } = charSet(source);
  const tests = members.map(({ from, to }): Test => {
    const [first, last] = [characterOrTest(from), to === undefined ? undefined : characterOrTest(to)];
    if (typeof first !== "string") return first;
    if (last === undefined) return (char) => char === first;
    if (typeof last !== "string" || codeOf(last) < codeOf(first)) return unexpected(source);
    return (char) => codeOf(char) >= codeOf(first) && codeOf(char) <= codeOf(last);
  });
  return (char) => tests.some((test) => test(char)) !== isNegated;
}

function characterOrTest(written: string): string | Test {
  if (!written.startsWith("\\")) return /[[\]]/.test(written) ? unexpected(written) : written;
  const char = written.slice(1);
  if (Object.hasOwn(lineEscapes, char)) return lineEscapes[char]!;
  if (/^[!-/:-@[-`{-~]$/.test(char)) return char;
  if (!/^(?:[dDsSwW]|[pP]\{[A-Z][a-z]?\})$/.test(char)) return unexpected(written);
  try {
    // JavaScript's engine tests one character at a time.
    const pattern = new RegExp(`^${written}$`, "u");
    return (other) => pattern.test(other);
  } catch {
    return unexpected(written);
  }
}

function unexpected(source: string): never {
  throw new PatternError(`${source} was not expected in the regular expression`);
}

const lineEscapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const codeOf = (char: string): number => char.codePointAt(0)!;
