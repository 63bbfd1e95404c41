import {
  anyChar,
  type CharSet,
  charRange,
  charsOf,
  intersect,
  invert,
  namedSets,
  noChar,
  oneChar,
  union,
  withBothCases,
} from "./char-set.js";

/** A regular expression of a grammar, read as far as ASCII text can tell. */
export type PatternNode =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence" | "choice"; readonly items: readonly PatternNode[] }
  /** `index` counts from 1 in the order of opening brackets. */
  | { readonly kind: "capture"; readonly index: number; readonly body: PatternNode }
  | { readonly kind: "atomic"; readonly body: PatternNode }
  | {
      readonly kind: "repeat";
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly body: PatternNode;
    }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: PatternNode }
  | { readonly kind: "lineStart" | "lineEnd" | "wordEdge" | "noWordEdge" | "searchStart" }
  | { readonly kind: "back"; readonly index: number }
  /** The pattern of another group, or of the one it stands in. */
  | { readonly kind: "call"; readonly index: number };

export interface ParsedPattern {
  readonly root: PatternNode;
  readonly captureCount: number;
  /** Groups that the pattern itself refers to. */
  readonly references: ReadonlySet<number>;
}

/** Matches nothing at all. */
export const never: PatternNode = { kind: "choice", items: [] };
export const empty: PatternNode = { kind: "sequence", items: [] };

/**
 * Reads a regular expression in Oniguruma's syntax. Undefined for the rare features that have no counterpart here
 * (recursion, absent groups, `\K`, conditions) and for what is not a regular expression; the caller then takes
 * Shiki's own translation.
 */
export function parsePattern(source: string): ParsedPattern | undefined {
  try {
    return new PatternReader(source).read();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Unsupported extends Error {}

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

const word = namedSets["word"]!;
const newline = charsOf("\n");
const shorthands: Readonly<Record<string, CharSet>> = {
  w: word,
  W: invert(word),
  d: namedSets["digit"]!,
  D: invert(namedSets["digit"]!),
  s: namedSets["space"]!,
  S: invert(namedSets["space"]!),
  h: namedSets["xdigit"]!,
  H: invert(namedSets["xdigit"]!),
  N: invert(newline),
  O: anyChar,
};
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 };
/** Deep enough for any grammar, and far from the end of the stack. */
const maxDepth = 200;
const maxRecursion = 4;
const maxExpandedNodes = 4000;

class PatternReader {
  private at = 0;
  private depth = 0;
  private captureCount = 0;
  private readonly names = new Map<string, number>();
  private readonly references = new Set<number>();

  constructor(private readonly source: string) {}

  read(): ParsedPattern {
    const root = this.choice({ ignoreCase: false, dotAll: false });
    if (this.at < this.source.length) throw new Unsupported();
    const { captureCount, references } = this;
    return { root: this.calls ? this.withoutCalls(root) : root, captureCount, references };
  }

  private calls = false;
  private readonly groups = new Map<number, PatternNode>();

  /**
   * Calls written out, those to themselves to a depth that code reaches (`a<b<c<d>>>`) and no further. A group keeps
   * what it matched where it stands, not what its calls matched.
   */
  private withoutCalls(root: PatternNode): PatternNode {
    const open: number[] = [];
    let size = 0;
    const copy = (node: PatternNode, inCall: boolean): PatternNode => {
      if (++size > maxExpandedNodes) throw new Unsupported();
      switch (node.kind) {
        case "call": {
          const body = this.groups.get(node.index);
          if (!body) throw new Unsupported();
          if (open.filter((index) => index === node.index).length >= maxRecursion) return never;
          open.push(node.index);
          const copied = copy(body, true);
          open.pop();
          return copied;
        }
        case "sequence":
        case "choice":
          return { kind: node.kind, items: node.items.map((item) => copy(item, inCall)) };
        case "capture":
          return inCall ? copy(node.body, true) : { ...node, body: copy(node.body, false) };
        case "atomic":
        case "repeat":
        case "look":
          return { ...node, body: copy(node.body, inCall) };
        default:
          return node;
      }
    };
    return copy(root, false);
  }

  /** Up to a closing bracket or the end. */
  private choice(flags: Flags): PatternNode {
    if (++this.depth > maxDepth) throw new Unsupported();
    const branches: PatternNode[] = [];
    let items: PatternNode[] = [];
    while (this.at < this.source.length && this.source[this.at] !== ")") {
      if (this.source[this.at] === "|") {
        this.at++;
        branches.push(sequence(items));
        items = [];
        continue;
      }
      // `(?i)` in the middle holds to the end of the group, alternatives included.
      const switched = this.source.startsWith("(?", this.at) ? this.flagSwitch(flags) : undefined;
      if (switched) {
        items.push(this.choice(switched));
        continue;
      }
      items.push(this.repeats(this.atom(flags)));
    }
    branches.push(sequence(items));
    this.depth--;
    return choice(branches);
  }

  private flagSwitch(flags: Flags): Flags | undefined {
    const match = /^\(\?([imsxWDSP-]+)\)/.exec(this.source.slice(this.at, this.at + 12));
    if (!match) return undefined;
    this.at += match[0].length;
    return withFlags(flags, match[1]!);
  }

  private atom(flags: Flags): PatternNode {
    const char = this.source[this.at]!;
    if (char === "(") return this.group(flags);
    if (char === "[") return setNode(this.bracket(), flags);
    if (char === "\\") return this.escape(flags);
    this.at++;
    if (char === "^") return { kind: "lineStart" };
    if (char === "$") return { kind: "lineEnd" };
    if (char === ".") return { kind: "set", set: flags.dotAll ? anyChar : invert(newline) };
    if (char === "*" || char === "+" || char === "?") throw new Unsupported();
    return setNode(oneChar(char.charCodeAt(0)), flags);
  }

  private repeats(atom: PatternNode): PatternNode {
    let node = atom;
    for (;;) {
      const next = this.source[this.at];
      if (next !== "*" && next !== "+" && next !== "?" && next !== "{") return node;
      const match = /^(?:([*+?])([?+]?)|\{(\d*)(,?)(\d*)\}(\??))/.exec(this.source.slice(this.at, this.at + 24));
      if (!match || (match[1] === undefined && match[3] === "" && match[5] === "")) {
        return node;
      }
      this.at += match[0].length;
      const [, sign, mode, from, comma, to, lazyRange] = match;
      if (sign !== undefined) {
        const body = node;
        node = {
          kind: "repeat",
          min: sign === "+" ? 1 : 0,
          max: sign === "?" ? 1 : Infinity,
          lazy: mode === "?",
          body,
        };
        if (mode === "+") node = { kind: "atomic", body: node };
      } else {
        // `{2}?` is a greedy repetition made optional, not a lazy one.
        const min = from === "" ? 0 : Number(from);
        const max = comma === "" ? min : to === "" ? Infinity : Number(to);
        if (max < min || min > 1000 || (comma === "" && lazyRange === "?")) throw new Unsupported();
        node = { kind: "repeat", min, max, lazy: lazyRange === "?", body: node };
      }
    }
  }

  private group(flags: Flags): PatternNode {
    const head = /^\((?:\?(?:[:>=!]|<[=!]|<([A-Za-z_]\w*)>|([imsxWDSP-]+):|#))?/.exec(this.source.slice(this.at))!;
    this.at += head[0].length;
    const [opening, name, switches] = head;
    if (opening === "(" && this.source[this.at] === "?") throw new Unsupported();
    if (opening === "(?#") {
      this.at = this.source.indexOf(")", this.at) + 1;
      if (this.at === 0) throw new Unsupported();
      return empty;
    }
    let index = 0;
    if (opening === "(" || name !== undefined) {
      index = ++this.captureCount;
      if (name !== undefined) {
        if (this.names.has(name)) throw new Unsupported();
        this.names.set(name, index);
      }
    }
    const body = this.choice(switches === undefined ? flags : withFlags(flags, switches));
    if (this.source[this.at] !== ")") throw new Unsupported();
    this.at++;
    if (index > 0) {
      this.groups.set(index, body);
      return { kind: "capture", index, body };
    }
    if (opening === "(?>") return { kind: "atomic", body };
    if (opening === "(?=" || opening === "(?!" || opening === "(?<=" || opening === "(?<!")
      return { kind: "look", behind: opening.length === 4, negative: opening.endsWith("!"), body };
    return body;
  }

  private escape(flags: Flags): PatternNode {
    const char = this.source[this.at + 1];
    if (char === undefined) throw new Unsupported();
    if (char === "A") return this.skip(2, { kind: "lineStart" });
    if (char === "Z") return this.skip(2, { kind: "lineEnd" });
    if (char === "G") return this.skip(2, { kind: "searchStart" });
    if (char === "b") return this.skip(2, { kind: "wordEdge" });
    if (char === "B") return this.skip(2, { kind: "noWordEdge" });
    if (char === "R") {
      const pair = sequence([node(charsOf("\r")), node(newline)]);
      return this.skip(2, { kind: "atomic", body: choice([pair, node(charRange(10, 13))]) });
    }
    if (char >= "1" && char <= "9") {
      const digits = /^\d+/.exec(this.source.slice(this.at + 1))![0];
      if (Number(digits) > 9 && Number(digits) > this.captureCount) throw new Unsupported();
      return this.skip(1 + digits.length, this.back(Number(digits)));
    }
    if (char === "k") {
      const name = /^\\k<(\w+)>/.exec(this.source.slice(this.at));
      if (!name) throw new Unsupported();
      return this.skip(name[0].length, this.back(this.indexOf(name[1]!)));
    }
    if (char === "g") {
      const name = /^\\g<(\w+)>/.exec(this.source.slice(this.at));
      if (!name) throw new Unsupported();
      this.calls = true;
      return this.skip(name[0].length, { kind: "call", index: this.indexOf(name[1]!) });
    }
    if (/[KXyYQECMcz]/.test(char)) throw new Unsupported();
    return setNode(this.escapedSet(), flags);
  }

  private back(index: number): PatternNode {
    this.references.add(index);
    return { kind: "back", index };
  }

  private indexOf(name: string): number {
    const index = this.names.get(name) ?? Number(name);
    // Names of groups further on are not known yet; a call to 0 means the whole pattern.
    if (!(index > 0)) throw new Unsupported();
    return index;
  }

  private skip(length: number, result: PatternNode): PatternNode {
    this.at += length;
    return result;
  }

  /** An escape that stands for one character of a set: inside and outside of brackets alike. */
  private escapedSet(): CharSet {
    const rest = this.source.slice(this.at, this.at + 48);
    const char = rest[1]!;
    const shorthand = shorthands[char];
    if (shorthand) {
      this.at += 2;
      return shorthand;
    }
    const property = /^\\([pP])\{(\^?)([\w\- ]+)\}/.exec(rest);
    if (property) {
      const set = namedSets[property[3]!.toLowerCase().replace(/[_\- ]/g, "")];
      if (!set) throw new Unsupported();
      this.at += property[0].length;
      return (property[1] === "P") !== (property[2] === "^") ? invert(set) : set;
    }
    return oneChar(this.escapedCode(rest));
  }

  /** The code of one escaped character; beyond ASCII it stands for nothing that the engine meets. */
  private escapedCode(rest: string): number {
    const char = rest[1]!;
    const numeric = /^\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|(0[0-7]{0,2}))/.exec(rest);
    if (numeric) {
      this.at += numeric[0].length;
      return numeric[4] !== undefined
        ? Number.parseInt(numeric[4], 8)
        : Number.parseInt(numeric[1] ?? numeric[2] ?? numeric[3]!, 16);
    }
    if (/[pPxu0]/.test(char)) throw new Unsupported();
    this.at += 2;
    return controls[char] ?? char.charCodeAt(0);
  }

  private bracket(): CharSet {
    if (++this.depth > maxDepth) throw new Unsupported();
    this.at++;
    const negative = this.source[this.at] === "^";
    if (negative) this.at++;
    let result: CharSet | undefined;
    let set = noChar;
    for (let first = true; ; first = false) {
      const char = this.source[this.at];
      if (char === undefined) throw new Unsupported();
      if (char === "]" && !first) break;
      if (char === "&" && this.source[this.at + 1] === "&") {
        this.at += 2;
        result = result ? intersect(result, set) : set;
        set = noChar;
        continue;
      }
      set = union(set, this.bracketItem());
    }
    this.at++;
    this.depth--;
    const whole = result ? intersect(result, set) : set;
    return negative ? invert(whole) : whole;
  }

  private bracketItem(): CharSet {
    const rest = this.source.slice(this.at, this.at + 48);
    const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
    if (posix) {
      const set = namedSets[posix[2]!];
      if (!set) throw new Unsupported();
      this.at += posix[0].length;
      return posix[1] === "^" ? invert(set) : set;
    }
    if (rest[0] === "[") return this.bracket();
    if (rest[0] === "\\" && (shorthands[rest[1]!] || rest[1] === "p" || rest[1] === "P")) return this.escapedSet();
    const from = this.bracketChar();
    const next = this.source.slice(this.at, this.at + 3);
    // A `-` before `]`, a class or `&&` is a plain one.
    if (next[0] !== "-" || next[1] === "]" || next[1] === "[" || next[1] === undefined || next === "-&&")
      return charRange(from, from);
    if (next[1] === "\\" && (shorthands[next[2]!] || next[2] === "p" || next[2] === "P")) return charRange(from, from);
    this.at++;
    return charRange(from, this.bracketChar());
  }

  private bracketChar(): number {
    const rest = this.source.slice(this.at, this.at + 12);
    if (rest[0] !== "\\") {
      const code = rest.codePointAt(0)!;
      this.at += code > 0xffff ? 2 : 1;
      return code;
    }
    if (rest[1] === undefined) throw new Unsupported();
    if (rest[1] === "b") {
      this.at += 2;
      return 8;
    }
    return this.escapedCode(rest);
  }
}

function withFlags(flags: Flags, switches: string): Flags {
  if (/[^im-]/.test(switches)) throw new Unsupported();
  const [on = "", off = ""] = switches.split("-");
  return {
    ignoreCase: (flags.ignoreCase || on.includes("i")) && !off.includes("i"),
    dotAll: (flags.dotAll || on.includes("m")) && !off.includes("m"),
  };
}

const node = (set: CharSet): PatternNode => ({ kind: "set", set });
const setNode = (set: CharSet, flags: Flags): PatternNode => node(flags.ignoreCase ? withBothCases(set) : set);
const sequence = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 ? items[0]! : { kind: "sequence", items };
const choice = (items: readonly PatternNode[]): PatternNode =>
  items.length === 1 ? items[0]! : { kind: "choice", items };
