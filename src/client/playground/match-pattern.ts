/**
 * Whether a text holds what a regular expression looks for, found in a bounded number of steps whatever the expression
 * is: those of strangers can take a browser's own engine years. Undefined where that cannot be told: the steps were not
 * enough, or the expression looks back or refers to a group.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  try {
    const chars = [...text];
    const reader = new Reader([...pattern]);
    const match = reader.options();
    if (!reader.atEnd()) return undefined;
    const run: Run = { chars, left: maxSteps };
    for (let at = 0; at <= chars.length; at++) if (match(run, at, () => true)) return true;
    return false;
  } catch {
    return undefined;
  }
}

const maxSteps = 200_000;
const maxRepeats = 1_000;

interface Run {
  readonly chars: readonly string[];
  left: number;
}
/** Calls `then` with the place behind each way to match, until it is content with one. */
type Match = (run: Run, at: number, then: (at: number) => boolean) => boolean;
/** Matches one character, or none at all. */
type One = (char: string) => boolean;

class Unsupported extends Error {}

function spend(run: Run): void {
  if (run.left-- <= 0) throw new Unsupported();
}

class Reader {
  private at = 0;
  constructor(private readonly pattern: readonly string[]) {}

  atEnd(): boolean {
    return this.at >= this.pattern.length;
  }

  options(): Match {
    const options = [this.sequence()];
    while (this.accept("|")) options.push(this.sequence());
    return options.length === 1 ? options[0]! : (run, at, then) => options.some((option) => option(run, at, then));
  }

  private sequence(): Match {
    const parts: Match[] = [];
    while (!this.atEnd() && this.peek() !== "|" && this.peek() !== ")") parts.push(this.part());
    return parts.reduceRight<Match>(
      (rest, part) => (run, at, then) => part(run, at, (next) => rest(run, next, then)),
      (_, at, then) => then(at),
    );
  }

  private part(): Match {
    const one = this.one();
    if (one === undefined) {
      const match = this.whole();
      const range = this.range();
      return range === undefined ? match : repeated(match, range);
    }
    const range = this.range() ?? { min: 1, max: 1, lazy: false };
    return (run, at, then) => {
      let count = 0;
      const most = Math.min(range.max, run.chars.length - at);
      while (count < most && one(run.chars[at + count]!)) count++;
      spend(run);
      if (range.lazy) {
        for (let n = range.min; n <= count; n++) if (step(run, at + n, then)) return true;
        return false;
      }
      for (let n = count; n >= range.min; n--) if (step(run, at + n, then)) return true;
      return false;
    };
  }

  /** A character, a class, an escape that stands for characters; undefined if something else comes. */
  private one(): One | undefined {
    const char = this.peek();
    if ("^$()*+?|".includes(char) || /^\\[bB]/.test(char + (this.pattern[this.at + 1] ?? ""))) return undefined;
    const from = this.at++;
    if (char === "\\") {
      const kind = this.next();
      if (/[1-9k]/.test(kind)) throw new Unsupported();
      if (/[upPxc]/.test(kind)) this.skipEscape(kind);
    } else if (char === "[") {
      while (this.peek() !== "]") if (this.next() === "\\") this.next();
      this.next();
    } else if (char !== ".") return (other) => other === char;
    return charTest(this.pattern.slice(from, this.at).join(""));
  }

  private skipEscape(kind: string): void {
    if (this.accept("{")) while (this.next() !== "}");
    else if (kind !== "P" && kind !== "p") this.at += kind === "u" ? 4 : kind === "x" ? 2 : 1;
  }

  /** An anchor or a group. */
  private whole(): Match {
    const char = this.next();
    if (char === "^") return (_, at, then) => at === 0 && then(at);
    if (char === "$") return (run, at, then) => at === run.chars.length && then(at);
    if (char === "\\") {
      const wanted = this.next() === "b";
      const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
      return ({ chars }, at, then) => (isWord(chars[at - 1]) !== isWord(chars[at])) === wanted && then(at);
    }
    if (char !== "(") throw new Unsupported();
    let ahead: boolean | undefined;
    if (this.accept("?")) {
      const mark = this.next();
      if (mark === "=" || mark === "!") ahead = mark === "=";
      else if (mark === "<" && this.peek() !== "=" && this.peek() !== "!") while (this.next() !== ">");
      else if (mark !== ":") throw new Unsupported();
    }
    const inner = this.options();
    if (!this.accept(")")) throw new Unsupported();
    return ahead === undefined ? inner : (run, at, then) => inner(run, at, () => true) === ahead && then(at);
  }

  private range(): { readonly min: number; readonly max: number; readonly lazy: boolean } | undefined {
    const bounds = this.bounds();
    return bounds && { ...bounds, lazy: this.accept("?") };
  }

  private bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.accept("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.accept("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.accept("?")) return { min: 0, max: 1 };
    if (this.peek() !== "{") return undefined;
    const rest = this.pattern.slice(this.at, this.at + 24).join("");
    const found = /^\{(\d+)(,(\d*))?\}/.exec(rest);
    if (!found) return undefined;
    this.at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]);
    return { min, max };
  }

  private peek(): string {
    return this.pattern[this.at] ?? "";
  }
  private next(): string {
    if (this.atEnd()) throw new Unsupported();
    return this.pattern[this.at++]!;
  }
  private accept(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }
}

function step(run: Run, at: number, then: (at: number) => boolean): boolean {
  spend(run);
  return then(at);
}

function repeated(match: Match, { min, max, lazy }: { min: number; max: number; lazy: boolean }): Match {
  if (min > maxRepeats) throw new Unsupported();
  const from =
    (count: number): Match =>
    (run, at, then) => {
      spend(run);
      const more = (): boolean =>
        count < max && match(run, at, (next) => (next > at || count < min) && from(count + 1)(run, next, then));
      const enough = (): boolean => count >= min && then(at);
      return lazy ? enough() || more() : more() || enough();
    };
  return from(0);
}

/** The browser's own engine, for one character at a time. */
function charTest(source: string): One {
  let test: RegExp;
  try {
    test = new RegExp(`^(?:${source})$`, "u");
  } catch {
    test = new RegExp(`^(?:${source})$`);
  }
  return (char) => test.test(char);
}
