import type { Json } from "../../lib/json/index.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import { printJson } from "./print-json.js";
import { type SampleOptions, sampleValue } from "./sample-value.js";

/** Schemas of which samples are kept; with more, all are forgotten: operations on one resource follow each other. */
const maxKept = 300;

/** Samples of bodies, made once for all operations of a specification that take or give them. */
export interface Sampler {
  /** What `sampleValue` makes of the schema. */
  value(schema: Json, options: SampleOptions): Json | undefined;
  /** What `printJson` makes of the value. */
  text(value: Json): string;
}

export function createSampler(reader: SchemaReader): Sampler {
  const values = new Map<FlatSchema, Map<string, Json | undefined>>();
  const texts = new WeakMap<object, string>();
  return {
    value(schema, options) {
      const flat = reader.flatten(schema);
      const key = `${options.direction} ${options.properties}`;
      const known = values.get(flat);
      if (known?.has(key)) return known.get(key);
      const value = sampleValue([schema], reader, options);
      if (values.size >= maxKept) values.clear();
      values.set(flat, new Map(known).set(key, value));
      return value;
    },
    text(value) {
      if (typeof value !== "object" || value === null) return printJson(value);
      const text = texts.get(value) ?? printJson(value);
      texts.set(value, text);
      return text;
    },
  };
}
