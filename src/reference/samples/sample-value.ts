import { isObject, type Json, type JsonObject, stringify } from "../../lib/json/index.js";
import { rememberedFor } from "../../lib/memo.js";
import { isJson } from "../operations/media-type.js";
import { isEmptyValue } from "../operations/write-parameter.js";
import type { Cuts } from "../pages/nodes.js";
import { type FlatSchema, type SchemaReader, valueKey } from "../schema/flat-schema.js";
import { type Direction, isSent, layersOf } from "../schema/schema-inside.js";
import { isFile, ownTypes } from "../schema/type-label.js";
import { maxSampleLength, printJson } from "./print-json.js";
import { consequences, meets } from "./sample-rules.js";
import { givenValue, numberFor, patternSample, textFor } from "./scalar-sample.js";

interface SampleOptions {
  readonly direction: Direction;
  /** Besides required properties: none, those that their author gives examples for, or all. */
  readonly properties: "required" | "examples" | "all";
  /** Number of the discriminator's option for the value, or for each item of a list; default: the first. */
  readonly option?: number;
}

/** Below this depth only required values are made, and none below `maxDepth`. */
const maxOptionalDepth = 8;
/** With more values than this, a sample gets less depth, so that it shows all properties of the first levels. */
const maxDeepValues = 120;
const maxDepth = 24;
/** Limit of values in one sample. */
const maxValues = 400;
/** Limit including required values. These have no limit of depth, and a structure may require itself twice. */
const maxRequiredValues = 2_000;
const maxItems = 20;
/** Limit of comparisons of values with schemas, for rules. */
const maxChecks = 2_000;

/**
 * A value that is valid for all the schemas together: an example if there is one, else generated deterministically.
 * Undefined if nothing is valid, or for binary data.
 *
 * Made here, because values of `openapi-sampler` 1.7.9 were invalid in 80 of the 192 cases of `sample-value.test.ts`:
 * those with patterns, multiples, narrow ranges, unique items, required properties without a schema, recursion and
 * conditions.
 */
export function sampleValue(schemas: readonly Json[], reader: SchemaReader, options: SampleOptions): Json | undefined {
  const flat = reader.flatten(...schemas);
  if (isFile(flat) || flat.never) return undefined;
  const core = layersOf(flat, reader).at(-1)!;
  let value: Json | undefined;
  for (let depth = 1; depth <= maxOptionalDepth; depth++) {
    const maxCount = value === undefined ? maxRequiredValues : maxDeepValues;
    const maker = new SampleMaker(reader, options, core, depth, maxCount);
    const sample = maker.make(flat, 0, 0);
    if (value !== undefined && !isEmptyValue(value) && maker.count() > maxCount) return value;
    value = sample;
    if (!maker.isShortened) return value;
  }
  return value;
}

class SampleMaker {
  private left = maxValues;
  private readonly room = { left: maxChecks };
  /** Identities of the enclosing structures. */
  private readonly enclosing: object[] = [];
  /** Whether more depth would give more values. */
  isShortened = false;

  constructor(
    private readonly reader: SchemaReader,
    private readonly options: SampleOptions,
    /** The schema that `options.option` applies to. */
    private readonly core: FlatSchema,
    /** Depth of properties and items that are not required. */
    private readonly optionalDepth: number,
    /** Limit of values, required ones included. */
    private readonly maxCount: number,
  ) {}

  count = (): number => maxValues - this.left;

  /** @param variant 0 for the first value; later values differ if the schema permits it. */
  make(flat: FlatSchema, depth: number, variant: number): Json {
    this.left--;
    const written = givenValue(flat, variant);
    if (written !== undefined) return isObject(written) ? this.completed(written, flat, depth) : written;
    if (flat.unions.length > 0) return this.union(flat, depth, variant);
    return this.typed(flat, typeOf(flat), depth, variant);
  }

  /** The example of one part of a schema, with what other parts require. */
  private completed(example: JsonObject, flat: FlatSchema, depth: number): JsonObject {
    const members = new Map(Object.entries(example));
    if (flat.parts.length === 1 || [...flat.required].every((name) => members.has(name))) return example;
    for (const [name, schemas] of flat.properties)
      if (flat.required.has(name) && !members.has(name) && this.wants(flat, name, schemas, depth))
        members.set(name, this.make(this.reader.flatten(...schemas), depth + 1, 0));
    return Object.fromEntries(members);
  }

  private typed(flat: FlatSchema, type: string, depth: number, variant: number): Json {
    switch (type) {
      case "object":
        return this.within(flat, () => this.object(flat, depth));
      case "array":
        return this.within(flat, () => this.array(flat, depth));
      case "string": {
        const content = flat.rules.find(({ kind }) => kind === "content");
        return content?.kind === "content" && isJson(flat.contentMediaType ?? "") && depth < maxDepth
          ? stringify(this.make(this.reader.flatten(content.schema), depth + 1, variant))
          : textFor(flat, variant);
      }
      case "integer":
      case "number":
        return numberFor(flat, type === "integer", variant);
      case "boolean":
        return variant % 2 === 0;
      case "null":
        return null;
      default:
        return {};
    }
  }

  /** One option of each union, merged with the object's own properties. */
  private union(flat: FlatSchema, depth: number, variant: number): Json {
    return this.within(flat, () => {
      const ownType = flat.types.length === 1 || flat.properties.size > 0 ? typeOf(flat) : undefined;
      let value: Json | undefined = ownType === "object" ? this.object(flat, depth) : undefined;
      for (const { options, discriminator } of flat.unions) {
        const isChoice = flat === this.core && discriminator !== undefined;
        const option = options[(isChoice ? (this.options.option ?? variant) : variant) % options.length]!;
        const inner = this.reader.flatten(option.schema);
        const isCircular = inner.identity !== undefined && this.enclosing.includes(inner.identity);
        const optionValue =
          depth >= maxDepth || (isCircular && this.isDeep(depth)) ? {} : this.make(inner, depth + 1, 0);
        value = isObject(value) && isObject(optionValue) ? { ...value, ...optionValue } : optionValue;
        if (discriminator !== undefined && option.value !== undefined && isObject(value))
          value = withDiscriminator(value, discriminator, option.value, this.reader, inner);
      }
      return value ?? {};
    });
  }

  private object(flat: FlatSchema, depth: number): Json {
    const members = new Map<string, Json>();
    for (const [name, schemas] of flat.properties) {
      const property = this.reader.flatten(...schemas);
      if (!this.wants(flat, name, schemas, depth)) continue;
      const value = this.make(property, depth + 1, 0);
      // A request may leave out an optional structure, but it may be invalid if it is empty.
      const isHollow = this.options.direction === "request" && property.properties.size > 0 && isEmptyValue(value);
      if (!isHollow || flat.required.has(name)) members.set(name, value);
    }
    this.addNameless(flat, members, depth);
    this.followRules(flat, members, depth);
    return Object.fromEntries(members);
  }

  /** Adds the members that rules require, and removes those that they exclude. */
  private followRules(flat: FlatSchema, members: Map<string, Json>, depth: number): void {
    const { reader, room } = this;
    if (flat.rules.length === 0 || depth >= maxDepth || this.left-- < maxValues - this.maxCount) return;
    const object = (): JsonObject => Object.fromEntries(members);
    for (const consequence of consequences(flat, object, reader, room)) {
      const needed = reader.flatten(consequence);
      for (const [name, schemas] of needed.properties) {
        const value = members.get(name);
        if (value !== undefined && schemas.every((schema) => meets(value, schema, reader, room))) continue;
        const all = [...schemas, ...(flat.properties.get(name) ?? [])];
        if (value === undefined && !this.wants(needed, name, all, depth)) continue;
        members.set(name, this.make(reader.flatten(...all), depth + 1, 0));
      }
      for (const name of needed.required) {
        const schemas = flat.properties.get(name);
        if (!members.has(name))
          members.set(name, schemas ? this.make(reader.flatten(...schemas), depth + 1, 0) : this.nameless(flat, depth));
      }
      this.followRules(needed, members, depth + 1);
    }
    for (const rule of flat.rules) {
      if (rule.kind !== "not" || !meets(object(), rule.schema, reader, room)) continue;
      // The properties exclude each other, so leave out one of them.
      const excluded = [...reader.flatten(rule.schema).required].findLast((name) => !flat.required.has(name));
      if (excluded !== undefined) members.delete(excluded);
    }
  }

  private wants(flat: FlatSchema, name: string, schemas: readonly Json[], depth: number): boolean {
    const property = this.reader.flatten(...schemas);
    const { direction, properties } = this.options;
    if (property.never || !isSent(schemas, direction, this.reader)) return false;
    if (depth >= maxDepth || this.left < maxValues - this.maxCount) return false;
    if (flat.required.has(name)) return true;
    if (properties === "required" || property.deprecated || this.left <= 0 || this.isAround(property)) return false;
    if (properties === "examples" && !hasExample(property, this.reader)) return false;
    return !this.isDeep(depth);
  }

  private isDeep(depth: number): boolean {
    this.isShortened ||= depth >= this.optionalDepth;
    return depth >= this.optionalDepth;
  }

  private isAround(flat: FlatSchema): boolean {
    const item = flat.items.length > 0 ? this.reader.flatten(...flat.items) : flat;
    return [flat.identity, item.identity].some(
      (identity) => identity !== undefined && this.enclosing.includes(identity),
    );
  }

  /** Adds as many properties as there must be, those with a schema of their own first. */
  private addNameless(flat: FlatSchema, members: Map<string, Json>, depth: number): void {
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = flat.limits;
    for (const name of flat.required)
      if (!members.has(name) && !flat.properties.has(name)) members.set(name, this.nameless(flat, depth));
    if (depth >= maxDepth) return;
    for (const [name, schemas] of flat.properties) {
      if (members.size >= minProperties) break;
      const property = this.reader.flatten(...schemas);
      const isChosen =
        !property.never &&
        !property.deprecated &&
        isSent(schemas, this.options.direction, this.reader) &&
        !this.isAround(property);
      if (isChosen && !members.has(name)) members.set(name, this.make(property, depth + 1, 0));
    }
    for (const [pattern, schemas] of flat.patternProperties) {
      const name = patternSample(pattern, { min: 0, max: Number.POSITIVE_INFINITY });
      const property = this.reader.flatten(...schemas);
      if (name && !members.has(name) && this.wants(flat, name, schemas, depth))
        members.set(name, this.make(property, depth + 1, 0));
    }
    if (flat.additional === false) return;
    const isDescribed = isObject(flat.additional) && Object.keys(flat.additional).length > 0;
    const isMap = isDescribed && (flat.properties.size === 0 || this.options.properties === "all");
    const least = isMap && members.size === 0 && this.left > 0 && !this.isDeep(depth) ? 1 : 0;
    // Names may be equal, so this counts the tries.
    const missing = Math.min(maxItems, maxProperties, Math.max(minProperties, least)) - members.size;
    for (let i = 1; i <= missing; i++) members.set(this.nameFor(flat, i), this.nameless(flat, depth));
  }

  /** A name for an additional property, which the rules for names allow. */
  private nameFor(flat: FlatSchema, number: number): string {
    const usual = number === 1 ? "key" : `key${number}`;
    const rule = flat.rules.find(({ kind }) => kind === "names");
    if (rule?.kind !== "names") return usual;
    const names = this.reader.flatten(rule.schema);
    const value = givenValue(names, number - 1) ?? (saysLength(names) ? textFor(names, number - 1) : usual);
    return typeof value === "string" ? value : usual;
  }

  private nameless(flat: FlatSchema, depth: number): Json {
    const schema = isObject(flat.additional) ? this.reader.flatten(flat.additional) : undefined;
    return schema === undefined || depth >= maxDepth || this.isAround(schema)
      ? "string"
      : this.make(schema, depth + 1, 0);
  }

  private array(flat: FlatSchema, depth: number): Json {
    const { minItems = 0, maxItems: limit = Number.POSITIVE_INFINITY } = flat.limits;
    const out: Json[] = [];
    if (depth >= maxDepth) return out;
    for (const schema of flat.prefixItems.slice(0, Math.min(maxItems, limit)))
      out.push(this.make(this.reader.flatten(schema), depth + 1, 0));
    this.addContained(flat, out, depth);
    if (flat.items.length === 0) return out;
    const item = this.reader.flatten(...flat.items);
    // A list without items would often be invalid: the limit of values is met by leaving out what is not required.
    const least = this.isAround(item) ? 0 : Math.min(1, limit);
    const keys = new Set(out.map(jsonKey));
    for (let i = 0; out.length < Math.min(maxItems, Math.max(minItems, least)) && i < 2 * maxItems; i++) {
      const value = this.make(item, depth + 1, flat.uniqueItems || minItems > 1 ? i : 0);
      if (flat.uniqueItems && keys.has(jsonKey(value))) continue;
      keys.add(jsonKey(value));
      out.push(value);
    }
    return out;
  }

  /** Items that the list must contain. */
  private addContained(flat: FlatSchema, out: Json[], depth: number): void {
    for (const rule of flat.rules) {
      if (rule.kind !== "contains") continue;
      const item = this.reader.flatten(rule.schema, ...flat.items);
      for (let i = 0; i < Math.min(rule.least, maxItems); i++) out.push(this.make(item, depth + 1, i));
    }
  }

  private within<T>(flat: FlatSchema, make: () => T): T {
    if (flat.identity === undefined) return make();
    this.enclosing.push(flat.identity);
    const value = make();
    this.enclosing.pop();
    return value;
  }
}

/** Limit of schemas that are searched for examples. */
const maxSearched = 60;

/** Whether the author of a schema gives an example of it, or of anything in it. A file needs none: its name is one. */
export function hasExample(flat: FlatSchema, reader: SchemaReader): boolean {
  const all = new Set([flat]);
  for (const candidate of all) {
    const { examples, properties, items, prefixItems, unions, deprecated, readOnly } = candidate;
    if (deprecated || readOnly) continue;
    if (examples.length > 0 || isFile(candidate)) return true;
    const options = unions.flatMap(({ options }) => options.map(({ schema }) => schema));
    for (const schemas of [...properties.values(), items, ...[...prefixItems, ...options].map((schema) => [schema])])
      if (schemas.length > 0 && all.size < maxSearched) all.add(reader.flatten(...schemas));
  }
  return false;
}

const saysLength = ({ pattern, format, limits }: FlatSchema): boolean =>
  pattern !== undefined || format !== undefined || Object.keys(limits).length > 0;

const jsonKey = (value: Json): string => (typeof value === "object" ? JSON.stringify(value) : valueKey(value));

function typeOf(flat: FlatSchema): string {
  const types = ownTypes(flat);
  return types[0] ?? (flat.nullable ? "null" : "any");
}

/** Sets the discriminator, unless the option's own schema says otherwise. */
function withDiscriminator(
  value: JsonObject,
  property: string,
  name: string,
  reader: SchemaReader,
  option: FlatSchema,
): Json {
  const schemas = option.properties.get(property);
  const selector = schemas && reader.flatten(...schemas);
  if (selector?.const !== undefined || (selector?.enum !== undefined && !selector.enum.includes(name))) return value;
  return Object.fromEntries([[property, name], ...Object.entries(value).filter(([key]) => key !== property)]);
}

/** Above this number of schemas, all samples are dropped: most recur only in neighbouring operations. */
const maxCachedSchemas = 300;

export type Sampler = ReturnType<typeof createSampler>;

/** Makes samples of bodies once for all operations of a specification. */
export function createSampler(reader: SchemaReader) {
  const values = new Map<FlatSchema, Map<string, Json | undefined>>();
  const printObject = rememberedFor((value: object) => printJson(value as Json));
  const print = (value: Json): string =>
    typeof value === "object" && value !== null ? printObject(value) : printJson(value);
  const isWhole = (value: Json): boolean => !print(value).includes("…") || stringify(value).includes("…");
  return {
    /** Same as `sampleValue`. */
    value(schema: Json, options: SampleOptions): Json | undefined {
      const flat = reader.flatten(schema);
      const key = `${options.direction} ${options.properties} ${options.option ?? 0}`;
      const samples = values.get(flat);
      if (samples?.has(key)) return samples.get(key);
      const value = sampleValue([schema], reader, options);
      if (values.size >= maxCachedSchemas) values.clear();
      values.set(flat, new Map(samples).set(key, value));
      return value;
    },
    /** Same as `printJson`. @param cuts gets a sentence if the text is cut. */
    text(value: Json, cuts?: Cuts): string {
      if (!isWhole(value)) cuts?.add(`an example has more than ${maxSampleLength} characters (maxSampleLength)`);
      return print(value);
    },
    /** Whether the text has all of a value: a longer one is cut, with `…` in place of the rest. */
    isWhole,
  };
}
