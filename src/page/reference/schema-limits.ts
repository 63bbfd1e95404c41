import { type JsonObject, numberAt } from "../../lib/json/index.js";
import type { Limits } from "./flat-schema.js";

const limitNames = {
  lower: ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"],
  upper: ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
} as const;

const names = new Set<string>([...limitNames.lower, ...limitNames.upper, "multipleOf"]);

/** Most schemas have no limits, which this finds quickly. */
function namesLimit(schema: JsonObject): boolean {
  for (const name in schema) if (names.has(name)) return true;
  return false;
}

/** Mutable limits. */
export type GrowingLimits = { -readonly [name in keyof Limits]: Limits[name] };

/** Adds the limits of another schema that applies too; the tightest wins. */
export function tightenLimits(limits: GrowingLimits, schema: JsonObject): void {
  if (!namesLimit(schema)) return;
  const limit = (name: keyof Limits, value: number | undefined, pick: (a: number, b: number) => number): void => {
    if (value !== undefined) limits[name] = pick(limits[name] ?? value, value);
  };
  for (const name of limitNames.lower) limit(name, numberAt(schema, name), Math.max);
  for (const name of limitNames.upper) limit(name, numberAt(schema, name), Math.min);
  limit("multipleOf", numberAt(schema, "multipleOf"), Math.max);
  // In 3.0 a flag makes the bound exclusive.
  for (const [flag, bound, pick] of [
    ["exclusiveMinimum", "minimum", Math.max],
    ["exclusiveMaximum", "maximum", Math.min],
  ] as const)
    if (schema[flag] === true) {
      limit(flag, numberAt(schema, bound), pick);
      delete limits[bound];
    }
}
