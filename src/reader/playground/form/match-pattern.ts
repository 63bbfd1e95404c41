import { type PatternNode, type PatternRepeat, parsePattern } from "../../../lib/regexp/parse-pattern.js";

/**
 * Whether a regular expression matches somewhere in a text, in a bounded number of steps: an expression from a specification
 * could block the browser's own engine for years. Undefined if the steps run out, if the expression is invalid, or if it
 * has lookbehind or backreferences.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  try {
    const match = compile(parsePattern(pattern));
    const run: Run = { chars: [...text], left: maxSteps };
    for (let at = 0; at <= run.chars.length; at++) if (match(run, at, () => true)) return true;
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
/** Calls `then` with the end of each possible match, until a call returns true. */
type Match = (run: Run, at: number, then: (at: number) => boolean) => boolean;

function compile(node: PatternNode): Match {
  switch (node.kind) {
    case "char":
      return repeatedChar(node.source, { min: 1, max: 1, mark: "" });
    case "start":
      return (_, at, then) => at === 0 && then(at);
    case "end":
      return (run, at, then) => at === run.chars.length && then(at);
    case "any": {
      const options = node.parts.map(compile);
      return (run, at, then) => options.some((option) => option(run, at, then));
    }
    case "all":
      return node.parts.map(compile).reduceRight<Match>(
        (rest, part) => (run, at, then) => part(run, at, (next) => rest(run, next, then)),
        (_, at, then) => then(at),
      );
    case "repeat":
      if (node.mark === "+") throw new Error("possessive");
      return node.node.kind === "char" ? repeatedChar(node.node.source, node) : repeated(compile(node.node), node);
    case "ahead":
    case "notAhead": {
      const inner = compile(node.node);
      return (run, at, then) => inner(run, at, () => true) === (node.kind === "ahead") && then(at);
    }
    default: {
      const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
      return ({ chars }, at, then) =>
        (isWord(chars[at - 1]) !== isWord(chars[at])) === (node.kind === "boundary") && then(at);
    }
  }
}

type Bounds = Pick<PatternRepeat, "min" | "max" | "mark">;

/** Counts the repetitions of a character and then tries each count, instead of a nested call for each repetition. */
function repeatedChar(source: string, { min, max, mark }: Bounds): Match {
  const test = charTest(source);
  return (run, at, then) => {
    let count = 0;
    const maxCount = Math.min(max, run.chars.length - at);
    while (count < maxCount && test(run.chars[at + count]!)) count++;
    spend(run);
    const step = (next: number): boolean => {
      spend(run);
      return then(next);
    };
    if (mark === "?") {
      for (let n = min; n <= count; n++) if (step(at + n)) return true;
    } else for (let n = count; n >= min; n--) if (step(at + n)) return true;
    return false;
  };
}

function repeated(match: Match, { min, max, mark }: Bounds): Match {
  if (min > maxRepeats) throw new Error("too many repetitions");
  const from =
    (count: number): Match =>
    (run, at, then) => {
      spend(run);
      const more = (): boolean =>
        count < max && match(run, at, (next) => (next > at || count < min) && from(count + 1)(run, next, then));
      const enough = (): boolean => count >= min && then(at);
      return mark === "?" ? enough() || more() : more() || enough();
    };
  return from(0);
}

function spend(run: Run): void {
  if (run.left-- <= 0) throw new Error("out of steps");
}

/** Uses the browser's own engine, for one character at a time. */
function charTest(source: string): (char: string) => boolean {
  if (source !== "." && [...source].length === 1) return (char) => char === source;
  let test: RegExp;
  try {
    test = new RegExp(`^(?:${source})$`, "u");
  } catch {
    test = new RegExp(`^(?:${source})$`);
  }
  return (char) => test.test(char);
}
