import { charSet, PatternError, type PatternNode, parsePattern } from "../../lib/regexp/index.js";

/**
 * A text that a regular expression matches, made from its tree: the expression is never run, so none can be slow.
 * Undefined where the expression is invalid, looks ahead or back, or refers to a group.
 *
 * @param length of the text in UTF-16 code units, as far as repetitions allow; the upper bound may be infinite.
 */
export function patternSample(
  pattern: string,
  length: { readonly min: number; readonly max: number },
): string | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  try {
    const node = parsePattern(pattern);
    for (const extra of [2, 0, 1, 4, 8, 16, 32, 64, 128, 256]) {
      const out = write(node, extra);
      if (out !== undefined && out.length >= length.min && out.length <= length.max) return out;
    }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
  }
  return undefined;
}

const maxPatternLength = 500;
const maxTextLength = 2_000;

/** @param extra repetitions beyond the least. */
function write(node: PatternNode, extra: number): string | undefined {
  switch (node.kind) {
    case "char":
      return sampleChar(node.source);
    case "any":
      return write(node.parts[0]!, extra);
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
      if (node.max < node.min) return unsupported();
      const text = write(node.node, extra);
      const times = Math.min(node.max, node.min + extra);
      return text === undefined || text.length * times > maxTextLength ? undefined : text.repeat(times);
    }
    case "ahead":
    case "notAhead":
      return unsupported();
    default:
      return "";
  }
}

/** A character that a part of the pattern stands for; none for an anchor of other languages. */
function sampleChar(source: string): string {
  if (/^\\[AZz]$/.test(source)) return "";
  if (source === ".") return "a";
  const { isNegated, members } = charSet(source);
  const chars = members.flatMap(({ from, to }) => {
    const all = charactersOf(from);
    return to === undefined ? [...all] : range(all, charactersOf(to));
  });
  if (!source.startsWith("[")) return chars[0]!;
  if (!isNegated) return chars.find((char) => /[a-z\d]/i.test(char)) ?? chars[0]!;
  return [...`${lower}${upper}${digits}-_ .`].find((char) => !chars.includes(char)) ?? unsupported();
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "1234567890";
const maxRange = 300;

/** Characters that an escape stands for, the best for a sample first. */
const escapes: Readonly<Record<string, string>> = {
  d: digits,
  w: lower + upper + digits,
  s: " ",
  D: lower + upper,
  S: lower + upper,
  W: "-",
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  v: "\v",
  "0": "\0",
};

function charactersOf(written: string): string {
  if (!written.startsWith("\\")) return written;
  const name = written.slice(1);
  const code = /^(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))$/i.exec(name);
  if (code) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : unsupported();
  }
  if (/^p\{(?:Lu|Uppercase)/.test(name)) return upper;
  if (/^p\{(?:L|Alphabetic)/.test(name)) return lower;
  if (/^p\{(?:N|Nd|Number)\}$/.test(name)) return digits;
  return escapes[name] ?? (/^[uxpPc]/.test(name) ? unsupported() : name);
}

function range(from: string, to: string): string[] {
  const start = from.codePointAt(0)!;
  const end = to.codePointAt(0)!;
  if (end < start) return unsupported();
  return Array.from({ length: Math.min(maxRange, end - start + 1) }, (_, i) => String.fromCodePoint(start + i));
}

function unsupported(): never {
  throw new PatternError("this pattern has no sample");
}
