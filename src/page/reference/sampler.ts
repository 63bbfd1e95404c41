import type { Json } from "../../lib/json/index.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import { printJson } from "./print-json.js";
import { type SampleOptions, sampleValue } from "./sample-value.js";

/** Schemas whose samples are kept. Above the limit all are dropped: operations on one resource are neighbours. */
const maxKept = 300;

export type Sampler = ReturnType<typeof createSampler>;

/** Makes samples of bodies once for all operations of a specification. */
export function createSampler(reader: SchemaReader) {
  const values = new Map<FlatSchema, Map<string, Json | undefined>>();
  const texts = new WeakMap<object, string>();
  return {
    /** Same as `sampleValue`. */
    value(schema: Json, options: SampleOptions): Json | undefined {
      const flat = reader.flatten(schema);
      const key = `${options.direction} ${options.properties} ${options.option ?? 0}`;
      const known = values.get(flat);
      if (known?.has(key)) return known.get(key);
      const value = sampleValue([schema], reader, options);
      if (values.size >= maxKept) values.clear();
      values.set(flat, new Map(known).set(key, value));
      return value;
    },
    /** Same as `printJson`. */
    text(value: Json): string {
      if (typeof value !== "object" || value === null) return printJson(value);
      const text = texts.get(value) ?? printJson(value);
      texts.set(value, text);
      return text;
    },
  };
}
