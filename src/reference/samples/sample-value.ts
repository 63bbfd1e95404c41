import { isObject, type Json, type JsonObject } from "../../lib/json/index.js";
import { type FlatSchema, type SchemaReader, valueKey } from "../schema/flat-schema.js";
import { type Direction, layersOf } from "../schema/schema-inside.js";
import { impliedTypes, isFile } from "../schema/type-label.js";
import { printJson } from "./print-json.js";
import { consequences, meets } from "./sample-rules.js";
import { givenValue, numberFor, patternSample, textFor } from "./scalar-sample.js";

interface SampleOptions {
  readonly direction: Direction;
  /** `required`: only required properties. */
  readonly properties: "all" | "required";
  /** Number of the option of a discriminator that selects what the value, or each item of a list, is; default: the first. */
  readonly option?: number;
}

/** Deeper than this only required values are made, and nothing below `maxDepth`. */
const maxOptionalDepth = 8;

/** A sample with more values than this has less depth: it shows all properties of the first levels. */
const maxDeepValues = 120;
const maxDepth = 24;

/** Limit of values in one sample. */
const maxValues = 400;

/** Limit including required values: a structure that requires itself twice would never end. */
const maxRequiredValues = 2_000;
const maxItems = 20;

/** Limit of schemas that are compared with values to follow rules. */
const maxChecks = 2_000;

/**
 * A value that is valid for all the schemas together: an example if there is one, else generated deterministically.
 * Undefined if nothing is known: no schema, or binary data.
 */
export function sampleValue(schemas: readonly Json[], reader: SchemaReader, options: SampleOptions): Json | undefined {
  const flat = reader.flatten(...schemas);
  if (isFile(flat) || flat.never) return undefined;
  const core = layersOf(flat, reader).at(-1)!;
  let value: Json | undefined;
  for (let depth = 1; depth <= maxOptionalDepth; depth++) {
    const most = value === undefined ? maxRequiredValues : maxDeepValues;
    const maker = new SampleMaker(reader, options, core, depth, most);
    const made = maker.make(flat, 0, 0);
    if (value !== undefined && maker.count() > most) return value;
    value = made;
    if (!maker.isShortened) return value;
  }
  return value;
}

class SampleMaker {
  private left = maxValues;
  private readonly room = { left: maxChecks };
  /** Enclosing structures. */
  private readonly enclosing: object[] = [];
  /** More depth would give more values. */
  isShortened = false;

  constructor(
    private readonly reader: SchemaReader,
    private readonly options: SampleOptions,
    /** What `options.option` applies to. */
    private readonly core: FlatSchema,
    /** Of properties and items that are not required. */
    private readonly optionalDepth: number,
    /** Limit of values, required ones included. */
    private readonly most: number,
  ) {}

  count = (): number => maxValues - this.left;

  /** @param variant 0 for the first value; later values differ if the schema permits it. */
  make(flat: FlatSchema, depth: number, variant: number): Json {
    this.left--;
    const given = givenValue(flat, variant);
    if (given !== undefined) return given;
    if (flat.unions.length > 0) return this.union(flat, depth, variant);
    return this.typed(flat, typeOf(flat), depth, variant);
  }

  private typed(flat: FlatSchema, type: string, depth: number, variant: number): Json {
    switch (type) {
      case "object":
        return this.within(flat, () => this.object(flat, depth));
      case "array":
        return this.within(flat, () => this.array(flat, depth));
      case "string":
        return textFor(flat, variant);
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
        const isCircle = inner.identity !== undefined && this.enclosing.includes(inner.identity);
        const made = depth >= maxDepth || (isCircle && this.isDeep(depth)) ? {} : this.make(inner, depth + 1, 0);
        value = isObject(value) && isObject(made) ? { ...value, ...made } : made;
        if (discriminator !== undefined && option.value !== undefined && isObject(value))
          value = withDiscriminator(value, discriminator, option.value, this.reader, inner);
      }
      return value ?? {};
    });
  }

  private object(flat: FlatSchema, depth: number): Json {
    const out: [string, Json][] = [];
    for (const [name, schemas] of flat.properties) {
      const property = this.reader.flatten(...schemas);
      if (this.wants(flat, name, property, depth)) out.push([name, this.make(property, depth + 1, 0)]);
    }
    this.addNameless(flat, out, depth);
    return this.followRules(flat, objectOf(out) as JsonObject, depth);
  }

  /** The object with what its rules require of it. */
  private followRules(flat: FlatSchema, made: JsonObject, depth: number): JsonObject {
    let value = made;
    if (flat.rules.length === 0 || depth >= maxDepth || this.left-- < maxValues - this.most) return value;
    for (const schema of consequences(flat, () => value, this.reader, this.room)) {
      const needed = this.reader.flatten(schema);
      const own = (name: string): readonly Json[] => flat.properties.get(name) ?? [];
      const entries = Object.entries(value);
      for (const [name, schemas] of needed.properties) {
        const property = this.reader.flatten(...schemas, ...own(name));
        const at = entries.findIndex(([known]) => known === name);
        const isMet = at >= 0 && schemas.every((each) => meets(entries[at]![1], each, this.reader, this.room));
        if (isMet || (at < 0 && !this.wants(needed, name, property, depth))) continue;
        entries.splice(at < 0 ? entries.length : at, 1, [name, this.make(property, depth + 1, 0)]);
      }
      for (const name of needed.required)
        if (!entries.some(([known]) => known === name))
          entries.push([
            name,
            own(name).length > 0
              ? this.make(this.reader.flatten(...own(name)), depth + 1, 0)
              : this.nameless(flat, depth),
          ]);
      value = this.followRules(needed, objectOf(entries) as JsonObject, depth + 1);
    }
    for (const rule of flat.rules) {
      if (rule.kind !== "not" || !meets(value, rule.schema, this.reader, this.room)) continue;
      // Properties that exclude each other: one of them is left out.
      const excluded = [...this.reader.flatten(rule.schema).required].findLast((name) => !flat.required.has(name));
      if (excluded !== undefined)
        value = objectOf(Object.entries(value).filter(([name]) => name !== excluded)) as JsonObject;
    }
    return value;
  }

  private wants(flat: FlatSchema, name: string, property: FlatSchema, depth: number): boolean {
    const { direction, properties } = this.options;
    if ((direction === "request" && property.readOnly) || (direction === "response" && property.writeOnly))
      return false;
    if (depth >= maxDepth || this.left < maxValues - this.most) return false;
    if (flat.required.has(name)) return true;
    if (properties === "required" || property.deprecated || this.left <= 0 || this.isAround(property)) return false;
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

  /** Properties without a schema of their own. */
  private addNameless(flat: FlatSchema, out: [string, Json][], depth: number): void {
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = flat.limits;
    const names = new Set(out.map(([name]) => name));
    for (const name of flat.required)
      if (!names.has(name) && !flat.properties.has(name)) out.push([name, this.nameless(flat, depth)]);
    if (depth >= maxDepth) return;
    for (const [pattern, schemas] of flat.patternProperties) {
      const name = patternSample(pattern, { min: 0, max: Number.POSITIVE_INFINITY });
      const property = this.reader.flatten(...schemas);
      if (name && out.every(([known]) => known !== name) && this.wants(flat, name, property, depth))
        out.push([name, this.make(property, depth + 1, 0)]);
    }
    if (flat.additional === false) return;
    const saysWhat = isObject(flat.additional) && Object.keys(flat.additional).length > 0;
    const least = saysWhat && out.length === 0 && this.left > 0 && !this.isDeep(depth) ? 1 : 0;
    for (let i = 1; out.length < Math.min(maxItems, maxProperties, Math.max(minProperties, least)); i++)
      out.push([this.nameFor(flat, i), this.nameless(flat, depth)]);
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
    const { minItems = 0, maxItems: most = Number.POSITIVE_INFINITY } = flat.limits;
    const out: Json[] = [];
    if (depth >= maxDepth) return out;
    for (const schema of flat.prefixItems.slice(0, Math.min(maxItems, most)))
      out.push(this.make(this.reader.flatten(schema), depth + 1, 0));
    if (flat.items.length === 0) {
      this.addContained(flat, out, depth);
      return out;
    }
    this.addContained(flat, out, depth);
    const item = this.reader.flatten(...flat.items);
    const isEmpty = this.left <= 0 || this.isAround(item) || this.isDeep(depth);
    const least = isEmpty ? 0 : Math.min(1, most);
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
    const made = make();
    this.enclosing.pop();
    return made;
  }
}

const saysLength = ({ pattern, format, limits }: FlatSchema): boolean =>
  pattern !== undefined || format !== undefined || Object.keys(limits).length > 0;

const jsonKey = (value: Json): string => (typeof value === "object" ? JSON.stringify(value) : valueKey(value));

/** Own members, even for a name such as `__proto__`. */
const objectOf = (entries: readonly (readonly [string, Json])[]): Json => Object.fromEntries(entries);

function typeOf(flat: FlatSchema): string {
  const types = flat.types.length > 0 ? flat.types : impliedTypes(flat);
  return types[0] ?? (flat.nullable ? "null" : "any");
}

/** Sets the discriminator, unless the option's own schema says otherwise. */
function withDiscriminator(
  value: { readonly [name: string]: Json },
  property: string,
  name: string,
  reader: SchemaReader,
  option: FlatSchema,
): Json {
  const schemas = option.properties.get(property);
  const own = schemas && reader.flatten(...schemas);
  if (own?.const !== undefined || (own?.enum !== undefined && !own.enum.includes(name))) return value;
  return objectOf([[property, name], ...Object.entries(value).filter(([key]) => key !== property)]);
}

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
