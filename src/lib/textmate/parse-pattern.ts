import { anyChar, type CharSet, charRange, charsOf, invert, oneChar, withBothCases } from "./char-set.js";
import { CharSetReader, newline } from "./char-set-reader.js";
import {
  choice,
  empty,
  type ParsedPattern,
  type PatternNode,
  sequence,
  Unsupported,
  writeOutCalls,
} from "./pattern-node.js";

/**
 * Parses a regular expression in Oniguruma syntax. Undefined for the rare features without a counterpart here
 * (recursion, absent groups, `\K`, conditions) and for invalid expressions; the caller then uses Shiki's translation.
 */
export function parsePattern(source: string): ParsedPattern | undefined {
  try {
    return new PatternReader(source).read();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

class PatternReader extends CharSetReader {
  private captureCount = 0;
  private readonly names = new Map<string, number>();
  private readonly references = new Set<number>();
  private readonly groups = new Map<number, PatternNode>();
  private calls = false;

  read(): ParsedPattern {
    const root = this.choice({ ignoreCase: false, dotAll: false });
    if (this.at < this.source.length) throw new Unsupported();
    const { captureCount, references } = this;
    return { root: this.calls ? writeOutCalls(root, this.groups) : root, captureCount, references };
  }

  /** Reads up to a closing bracket or the end. */
  private choice(flags: Flags): PatternNode {
    this.enter();
    const branches: PatternNode[] = [];
    let items: PatternNode[] = [];
    while (this.at < this.source.length && this.source[this.at] !== ")") {
      if (this.source[this.at] === "|") {
        this.at++;
        branches.push(sequence(items));
        items = [];
        continue;
      }
      // `(?i)` applies to the rest of the group, alternatives included.
      const switched = this.source.startsWith("(?", this.at) ? this.flagSwitch(flags) : undefined;
      if (switched) {
        items.push(this.choice(switched));
        continue;
      }
      items.push(this.repeats(this.atom(flags)));
    }
    branches.push(sequence(items));
    this.leave();
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
        // `{2}?` is an optional greedy repetition, not a lazy one.
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
    // Groups that follow have no known name yet; group 0 is the whole pattern.
    if (!(index > 0)) throw new Unsupported();
    return index;
  }

  private skip(length: number, result: PatternNode): PatternNode {
    this.at += length;
    return result;
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
