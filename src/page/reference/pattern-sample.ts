/**
 * A text that a regular expression matches, made from the expression itself: it is never run, so that none can be slow.
 * Undefined where it looks ahead or back, refers to a group, or is no expression.
 *
 * @param length of the text in UTF-16 code units, as far as repetitions allow; the upper bound may be infinite.
 */
export function patternSample(
  pattern: string,
  length: { readonly min: number; readonly max: number },
): string | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  const node = parse(pattern);
  if (node === undefined) return undefined;
  for (const extra of [2, 0, 1, 4, 8, 16, 32, 64, 128, 256]) {
    const out = write(node, extra);
    if (out !== undefined && out.length >= length.min && out.length <= length.max) return out;
  }
  return undefined;
}

const maxPatternLength = 500;
const maxNesting = 30;
const maxTextLength = 2_000;

type Node =
  | { readonly kind: "char"; readonly value: string }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "one"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly min: number; readonly max: number };

class Unsupported extends Error {}

function parse(pattern: string): Node | undefined {
  try {
    const reader = new Reader([...pattern]);
    const node = reader.options(0);
    return reader.atEnd() ? node : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Reader {
  private at = 0;
  constructor(private readonly chars: readonly string[]) {}

  atEnd(): boolean {
    return this.at >= this.chars.length;
  }

  options(depth: number): Node {
    if (depth > maxNesting) throw new Unsupported();
    const options: Node[] = [];
    do options.push(this.sequence(depth));
    while (this.accept("|"));
    return options.length === 1 ? options[0]! : { kind: "one", options };
  }

  private sequence(depth: number): Node {
    const parts: Node[] = [];
    while (!this.atEnd() && this.peek() !== "|" && this.peek() !== ")") {
      const node = this.atom(depth);
      if (node) parts.push(this.repeated(node));
    }
    return { kind: "all", parts };
  }

  /** One thing to match; undefined for what takes no room (`^`, `$`, `\b`). */
  private atom(depth: number): Node | undefined {
    const char = this.next();
    switch (char) {
      case "^":
      case "$":
        return undefined;
      case ".":
        return { kind: "char", value: "a" };
      case "(":
        return this.group(depth);
      case "[":
        return { kind: "char", value: this.classChar() };
      case "\\":
        return this.escape();
      case "*":
      case "+":
      case "?":
        throw new Unsupported();
      default:
        return { kind: "char", value: char };
    }
  }

  private group(depth: number): Node {
    if (this.accept("?")) {
      const mark = this.next();
      if (mark === "<" && this.peek() !== "=" && this.peek() !== "!") while (this.next() !== ">");
      else if (mark !== ":") throw new Unsupported();
    }
    const node = this.options(depth + 1);
    if (!this.accept(")")) throw new Unsupported();
    return node;
  }

  private escape(): Node | undefined {
    const char = this.next();
    if (char === "b" || char === "B" || char === "A" || char === "Z" || char === "z") return undefined;
    if (/[1-9k]/.test(char)) throw new Unsupported();
    return { kind: "char", value: this.escaped(char)[0]! };
  }

  /** Characters that an escape stands for, the ones to show first in front. */
  private escaped(char: string): string {
    switch (char) {
      case "d":
        return digits;
      case "w":
        return lower + upper + digits;
      case "s":
        return " ";
      case "D":
      case "S":
        return lower + upper;
      case "W":
        return "-";
      case "n":
        return "\n";
      case "r":
        return "\r";
      case "t":
        return "\t";
      case "f":
        return "\f";
      case "v":
        return "\v";
      case "0":
        return "\0";
      case "x":
        return this.codePoint(2);
      case "u":
        return this.peek() === "{" ? this.bracedCode() : this.codePoint(4);
      case "p":
        return this.property();
      case "P":
        throw new Unsupported();
      default:
        return char;
    }
  }

  private codePoint(length: number): string {
    const code = Array.from({ length }, () => this.next()).join("");
    if (!/^[\da-f]+$/i.test(code)) throw new Unsupported();
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  private bracedCode(): string {
    const code = Number.parseInt(this.braced(), 16);
    if (!(code <= 0x10ffff)) throw new Unsupported();
    return String.fromCodePoint(code);
  }

  private property(): string {
    const name = this.braced();
    if (/^(?:L|Letter|Ll|Alphabetic|Lowercase)/.test(name)) return lower;
    if (/^(?:Lu|Uppercase)/.test(name)) return upper;
    if (/^(?:N|Nd|Number)$/.test(name)) return digits;
    throw new Unsupported();
  }

  private braced(): string {
    if (this.next() !== "{") throw new Unsupported();
    let text = "";
    while (this.peek() !== "}") text += this.next();
    this.next();
    return text;
  }

  /** A character of a class. */
  private classChar(): string {
    const isNegated = this.accept("^");
    const chars: string[] = [];
    let isFirst = true;
    while (isFirst || this.peek() !== "]") {
      isFirst = false;
      let char = this.next();
      if (char === "]") throw new Unsupported();
      if (char === "\\") {
        const escaped = this.escaped(this.next());
        if ([...escaped].length > 1) {
          chars.push(...escaped);
          continue;
        }
        char = escaped;
      }
      if (this.peek() === "-" && this.peek(1) !== "]") {
        this.next();
        let end = this.next();
        if (end === "\\") end = this.escaped(this.next());
        chars.push(...range(char, end));
      } else chars.push(char);
    }
    this.next();
    if (!isNegated) return chars.find((char) => /[a-z\d]/i.test(char)) ?? chars[0]!;
    const free = [...`${lower}${upper}${digits}-_ .`].find((char) => !chars.includes(char));
    if (free === undefined) throw new Unsupported();
    return free;
  }

  private repeated(node: Node): Node {
    const [min, max] = this.quantifier();
    if (min === 1 && max === 1) return node;
    // Lazy and possessive marks change nothing about what matches.
    if (!this.accept("?")) this.accept("+");
    return { kind: "repeat", node, min, max };
  }

  private quantifier(): [number, number] {
    if (this.accept("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.accept("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.accept("?")) return [0, 1];
    if (this.peek() !== "{") return [1, 1];
    const text = this.chars.slice(this.at, this.at + 24).join("");
    const match = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(text);
    if (!match) return [1, 1];
    this.at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (max < min) throw new Unsupported();
    return [min, max];
  }

  private peek(ahead = 0): string | undefined {
    return this.chars[this.at + ahead];
  }

  private next(): string {
    const char = this.chars[this.at++];
    if (char === undefined) throw new Unsupported();
    return char;
  }

  private accept(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "1234567890";
const maxRange = 300;

function range(from: string, to: string): string[] {
  const start = from.codePointAt(0)!;
  const end = to.codePointAt(0)!;
  if (end < start) throw new Unsupported();
  return Array.from({ length: Math.min(maxRange, end - start + 1) }, (_, i) => String.fromCodePoint(start + i));
}

/** @param extra repetitions beyond the least. */
function write(node: Node, extra: number): string | undefined {
  switch (node.kind) {
    case "char":
      return node.value;
    case "one":
      return write(node.options[0]!, extra);
    case "all": {
      let out = "";
      for (const part of node.parts) {
        const text = write(part, extra);
        if (text === undefined || out.length + text.length > maxTextLength) return undefined;
        out += text;
      }
      return out;
    }
    case "repeat": {
      const text = write(node.node, extra);
      const times = Math.min(node.max, node.min + extra);
      return text === undefined || text.length * times > maxTextLength ? undefined : text.repeat(times);
    }
  }
}
