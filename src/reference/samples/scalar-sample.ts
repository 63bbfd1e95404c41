import { isContainer, type Json, stringify } from "../../lib/json/index.js";
import { charSet, PatternError, type PatternNode, parsePattern } from "../../lib/regexp/parse-pattern.js";
import { jsonIn } from "../operations/media-type.js";
import type { FlatSchema } from "../schema/flat-schema.js";
import { hasType, ownTypes } from "../schema/type-label.js";
import formatSamples from "./format-samples.json" with { type: "json" };

const maxTextLength = 2_000;

const textsByFormat: Readonly<Record<string, string>> = formatSamples;

export function textFor(flat: FlatSchema, variant: number): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = flat.limits;
  const format = flat.format ?? flat.contentEncoding ?? "";
  const sample = Object.hasOwn(textsByFormat, format) ? textsByFormat[format]! : "string";
  if (flat.pattern !== undefined && Number.isFinite(minLength)) {
    const length = { min: Math.min(minLength, maxTextLength), max: maxLength };
    if (/^(?:date|time|date-time)$/.test(format)) {
      const shortest = patternSample(flat.pattern, length, [0]);
      if (shortest?.replace(/\d/g, "0") === sample.replace(/\d/g, "0")) return sample;
    }
    const matching = patternSample(flat.pattern, length);
    if (matching !== undefined) return matching;
  }
  const base = variant === 0 ? sample : `${sample}${variant + 1}`;
  if (base.length > maxLength) return base.slice(0, maxLength);
  return base.padEnd(Math.min(minLength, maxTextLength), base === "" ? "a" : base);
}

export function numberFor(flat: FlatSchema, isInteger: boolean, variant: number): number {
  const { limits } = flat;
  const low = Math.max(limits.minimum ?? -Infinity, limits.exclusiveMinimum ?? -Infinity);
  const high = Math.min(limits.maximum ?? Infinity, limits.exclusiveMaximum ?? Infinity);
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value !== limits.exclusiveMinimum &&
    value !== limits.exclusiveMaximum;
  const { multipleOf = 0 } = limits;
  const step = multipleOf > 0 ? multipleOf : isInteger ? 1 : 0;
  const usual = isInteger ? 123 : 12.5;
  const middle = (low + high) / 2;
  const candidates = [
    usual,
    low,
    low + (step || 1),
    high,
    high - (step || 1),
    middle,
    low + (high - low) / (variant + 3),
  ];
  const values = candidates.flatMap((value) => {
    if (step === 0) return [value + variant, value - variant];
    const count = rounded(value / step);
    return [rounded((Math.ceil(count) + variant) * step), rounded((Math.floor(count) - variant) * step)];
  });
  return values.find(fits) ?? (Number.isFinite(low) ? low : Number.isFinite(high) ? high : usual);
}

/** Removes binary rounding errors: 0.30000000000000004. */
const rounded = (value: number): number => Number.parseFloat(value.toPrecision(12));

/** A constant, example, default or option of a schema; undefined if it has none. @param variant see `SampleMaker`. */
export function givenValue(flat: FlatSchema, variant: number): Json | undefined {
  if (flat.const !== undefined) return flat.const.value;
  const values = flat.enum ?? [];
  if (variant === 0) {
    if (flat.examples.length > 0) return typedExample(flat.examples[0]!, flat);
    const written = flat.default?.value;
    const fallback = typeof written === "string" ? typedExample(written, flat) : written;
    if (fallback !== undefined && fits(fallback, flat, values)) return fallback;
  } else if (flat.examples[variant] !== undefined) return typedExample(flat.examples[variant], flat);
  return values[variant % Math.max(1, values.length)];
}

/**
 * Converts an example to the type of its schema if its author wrote JSON as a string, a string of digits as a number,
 * the only item in place of a list, or a list in place of its only item. Any other example stays as it is.
 */
export function typedExample(example: Json, flat: FlatSchema): Json {
  const types = ownTypes(flat);
  const fits = (value: Json): boolean => (value === null ? flat.nullable : hasType(value, types));
  if (types.length === 0 || fits(example)) return example;
  if (typeof example === "string") {
    const parsed = jsonIn(example);
    if (fits(parsed)) return parsed;
  }
  if (types.includes("string") && !isContainer(example) && example !== null) return stringify(example);
  if (Array.isArray(example)) return example.length === 1 && fits(example[0]!) ? example[0]! : example;
  return types.includes("array") && flat.prefixItems.length === 0 ? [example] : example;
}

/** Whether a default has the schema's type. Many do not: `null` for "nothing", `""` for a number. */
function fits(fallback: Json, { types }: FlatSchema, values: readonly Json[]): boolean {
  if (fallback === null) return values.length === 0 && types.length === 0;
  return hasType(fallback, types);
}

/**
 * A text that a regular expression matches, made from its tree: the expression is never run, so none can be slow.
 * Undefined where the expression is invalid, looks ahead or back, or refers to a group.
 *
 * @param length of the text in UTF-16 code units, as far as repetitions allow; the upper bound may be infinite.
 * @param extras repetitions beyond the least, to try in this order.
 */
export function patternSample(
  pattern: string,
  length: { readonly min: number; readonly max: number },
  extras: readonly number[] = [2, 0, 1, 4, 8, 16, 32, 64, 128, 256],
): string | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  try {
    const node = parsePattern(pattern);
    for (const extra of extras) {
      const out = write(node, extra);
      if (out !== undefined && out.length >= length.min && out.length <= length.max) return out;
    }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
  }
  return undefined;
}

const maxPatternLength = 500;

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
      // Leave out an optional sign.
      if (node.min === 0 && node.node.kind === "char" && /^\\?-$/.test(node.node.source)) return "";
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
  if (!isNegated) return chars.find((char) => /[a-z1-9]/i.test(char)) ?? chars[0]!;
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
