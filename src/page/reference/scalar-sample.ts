import type { Json } from "../../lib/json/index.js";
import type { FlatSchema } from "./flat-schema.js";
import formatSamples from "./format-samples.json" with { type: "json" };
import { patternSample } from "./pattern-sample.js";
import { jsonTypes } from "./type-label.js";

const maxTextLength = 2_000;

const textsByFormat: Readonly<Record<string, string>> = formatSamples;

export function textFor(flat: FlatSchema, variant: number): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = flat.limits;
  if (flat.pattern !== undefined && Number.isFinite(minLength)) {
    const made = patternSample(flat.pattern, { min: Math.min(minLength, maxTextLength), max: maxLength });
    if (made !== undefined) return made;
  }
  const format = flat.format ?? flat.contentEncoding ?? "";
  const known = Object.hasOwn(textsByFormat, format) ? textsByFormat[format]! : "string";
  const base = variant === 0 ? known : `${known}${variant + 1}`;
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

/** A value that the schema names; undefined if it names none. @param variant as of samples. */
export function givenValue(flat: FlatSchema, variant: number): Json | undefined {
  if (flat.const !== undefined) return flat.const.value;
  const values = flat.enum ?? [];
  if (variant === 0) {
    if (flat.examples.length > 0) return flat.examples[0];
    const fallback = flat.default?.value;
    if (fallback !== undefined && fits(fallback, flat, values)) return fallback;
  } else if (flat.examples[variant] !== undefined) return flat.examples[variant];
  return values[variant % Math.max(1, values.length)];
}

/** Many specifications have defaults of another type: `null` for "nothing", `""` for a number. */
function fits(fallback: Json, { types }: FlatSchema, values: readonly Json[]): boolean {
  if (fallback === null) return values.length === 0 && types.length === 0;
  const [type = ""] = jsonTypes([fallback]);
  return types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
}
