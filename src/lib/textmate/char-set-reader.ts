import * as chars from "./char-set.js";
import { Unsupported } from "./pattern-node.js";

const word = chars.namedSets["word"]!;
export const newline = chars.charsOf("\n");
const shorthands: Readonly<Record<string, chars.CharSet>> = {
  w: word,
  W: chars.invert(word),
  d: chars.namedSets["digit"]!,
  D: chars.invert(chars.namedSets["digit"]!),
  s: chars.namedSets["space"]!,
  S: chars.invert(chars.namedSets["space"]!),
  h: chars.namedSets["xdigit"]!,
  H: chars.invert(chars.namedSets["xdigit"]!),
  N: chars.invert(newline),
  O: chars.anyChar,
};
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 };
/** Nesting limit, which is enough for any grammar and far below the stack limit. */
const maxDepth = 200;

/** Reads the parts of a pattern that match one character: `[a-z&&[^x]]`, `\w`, `\p{Alpha}`, `\x41`. */
export class CharSetReader {
  protected at = 0;
  private depth = 0;

  constructor(protected readonly source: string) {}

  protected enter(): void {
    if (++this.depth > maxDepth) throw new Unsupported();
  }

  protected leave(): void {
    this.depth--;
  }

  /** An escape that matches one character, inside brackets or outside. */
  protected escapedSet(): chars.CharSet {
    const rest = this.source.slice(this.at, this.at + 48);
    const char = rest[1]!;
    const shorthand = shorthands[char];
    if (shorthand) {
      this.at += 2;
      return shorthand;
    }
    const property = /^\\([pP])\{(\^?)([\w\- ]+)\}/.exec(rest);
    if (property) {
      const set = chars.namedSets[property[3]!.toLowerCase().replace(/[_\- ]/g, "")];
      if (!set) throw new Unsupported();
      this.at += property[0].length;
      return (property[1] === "P") !== (property[2] === "^") ? chars.invert(set) : set;
    }
    return chars.oneChar(this.escapedCode(rest));
  }

  /** The code of one escaped character. */
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

  protected bracket(): chars.CharSet {
    this.enter();
    this.at++;
    const negative = this.source[this.at] === "^";
    if (negative) this.at++;
    let result: chars.CharSet | undefined;
    let set = chars.noChar;
    for (let first = true; ; first = false) {
      const char = this.source[this.at];
      if (char === undefined) throw new Unsupported();
      if (char === "]" && !first) break;
      if (char === "&" && this.source[this.at + 1] === "&") {
        this.at += 2;
        result = result ? chars.intersect(result, set) : set;
        set = chars.noChar;
        continue;
      }
      set = chars.union(set, this.bracketItem());
    }
    this.at++;
    this.leave();
    const whole = result ? chars.intersect(result, set) : set;
    return negative ? chars.invert(whole) : whole;
  }

  private bracketItem(): chars.CharSet {
    const rest = this.source.slice(this.at, this.at + 48);
    const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
    if (posix) {
      const set = chars.namedSets[posix[2]!];
      if (!set) throw new Unsupported();
      this.at += posix[0].length;
      return posix[1] === "^" ? chars.invert(set) : set;
    }
    if (rest[0] === "[") return this.bracket();
    if (rest[0] === "\\" && (shorthands[rest[1]!] || rest[1] === "p" || rest[1] === "P")) return this.escapedSet();
    const from = this.bracketChar();
    const next = this.source.slice(this.at, this.at + 3);
    // A `-` before `]`, a class or `&&` is literal.
    if (next[0] !== "-" || next[1] === "]" || next[1] === "[" || next[1] === undefined || next === "-&&")
      return chars.charRange(from, from);
    if (next[1] === "\\" && (shorthands[next[2]!] || next[2] === "p" || next[2] === "P"))
      return chars.charRange(from, from);
    this.at++;
    return chars.charRange(from, this.bracketChar());
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
