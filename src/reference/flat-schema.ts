import { entriesAt, isObject, listAt, member, numberAt, textAt, textsAt } from "../json/index.js";
import type { Json, JsonObject } from "../specs/api-spec.js";
import { isShown, isValueShown } from "./audience.js";
import { nameOfRef, type References, refOf } from "./references.js";

/**
 * A schema as a reader understands it: references followed, `allOf` merged, `null` among the types taken as "may be
 * null", whichever of the versions 3.0 and 3.1 wrote it. What it says of its parts (properties, items, options) is kept
 * as written, so that nothing is flattened before somebody asks for it.
 */
export interface FlatSchema {
  /** The object that describes this structure, the same wherever it is used: tells a recursion from a likeness. */
  readonly identity: object | undefined;
  /** `null` left out; empty if any type will do. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Nothing is valid (`false`). */
  readonly never: boolean;
  /** As written; not the name of a reference. */
  readonly title?: string;
  /** Name of the component that it is. */
  readonly refName?: string;
  readonly description?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  /** `null` left out. */
  readonly enum?: readonly Json[];
  /** What is said of single values, by their JSON. */
  readonly enumNotes: ReadonlyMap<string, string>;
  readonly const?: { readonly value: Json };
  readonly default?: { readonly value: Json };
  readonly examples: readonly Json[];
  readonly pattern?: string;
  readonly limits: Limits;
  readonly uniqueItems: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  /** Each with all schemas that speak of it. */
  readonly properties: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<string>;
  readonly patternProperties: ReadonlyMap<string, readonly Json[]>;
  /** Schema of properties that are not named; undefined where nothing is said of them. */
  readonly additional?: Json;
  /** Schemas of all items, to be taken together. */
  readonly items: readonly Json[];
  /** Schemas of the first items. */
  readonly prefixItems: readonly Json[];
  readonly unions: readonly Union[];
  /** Lists of properties of which one must be there. */
  readonly requiredGroups: readonly (readonly string[])[];
  readonly externalDocs?: JsonObject;
  /** The schema as written, outermost first: where extensions are looked up. */
  readonly parts: readonly JsonObject[];
}

export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** `oneOf` or `anyOf`: readers are shown the same. */
export interface Union {
  readonly options: readonly UnionOption[];
  /** Property whose value tells the options apart. */
  readonly discriminator?: string;
}
export interface UnionOption {
  readonly schema: Json;
  /** Value of the discriminator. */
  readonly value?: string;
}

export interface SchemaReader {
  /** What schemas that all hold at once come to. */
  flatten(...schemas: readonly Json[]): FlatSchema;
}

/** Schemas that one may be merged of; real ones stay below fifty. */
const maxParts = 400;
const maxMergeDepth = 60;

/** One for each page: what a schema comes to is worked out once. */
export function createSchemaReader(references: References): SchemaReader {
  const known = new WeakMap<object, FlatSchema>();
  const flatten = (...schemas: readonly Json[]): FlatSchema => {
    const [only] = schemas;
    const key = schemas.length === 1 && isObject(only) ? only : undefined;
    const found = key && known.get(key);
    if (found) return found;
    const merger = new Merger(references);
    for (const schema of schemas) merger.absorb(schema, 0);
    const flat = merger.done(schemas);
    if (key) known.set(key, flat);
    return flat;
  };
  return { flatten };
}

const limitNames = {
  lower: ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"],
  upper: ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
} as const;

/** Gathers what schemas say, outermost first: of words the first counts, of limits the tightest. */
class Merger {
  private readonly seen = new Set<object>();
  private readonly parts: JsonObject[] = [];
  private types: string[] | undefined;
  private acceptsNull: boolean | undefined;
  private never = false;
  private refName: string | undefined;
  private values: Json[] | undefined;
  private readonly notes = new Map<string, string>();
  private readonly words: Record<string, string> = {};
  private readonly flags = { readOnly: false, writeOnly: false, deprecated: false, uniqueItems: false };
  private constant: { readonly value: Json } | undefined;
  private fallback: { readonly value: Json } | undefined;
  private readonly examples: Json[] = [];
  private readonly limits: Record<string, number> = {};
  private readonly properties = new Map<string, Json[]>();
  private readonly required = new Set<string>();
  /** Properties that some groups of readers alone may see. */
  private readonly restricted = new Set<string>();
  private readonly patternProperties = new Map<string, Json[]>();
  private additional: Json | undefined;
  private readonly items: Json[] = [];
  private prefixItems: readonly Json[] = [];
  private readonly unions: Union[] = [];
  private readonly requiredGroups: string[][] = [];
  private externalDocs: JsonObject | undefined;

  constructor(private readonly references: References) {}

  absorb(written: Json, depth: number): void {
    if (written === false) this.never = true;
    if (!isObject(written) || depth > maxMergeDepth || this.parts.length >= maxParts || this.seen.has(written)) return;
    this.seen.add(written);
    const ref = refOf(written);
    if (ref !== undefined) {
      // 3.1 lets a reference stand beside other keywords.
      if (Object.keys(written).length > 1) this.takeWords(written);
      const target = this.references.follow(written);
      if (this.parts.length === 0) this.refName ??= nameOfRef(ref);
      if (Object.keys(written).length > 1) this.takeStructure(written, depth);
      if (target !== undefined) this.absorb(target, depth + 1);
      return;
    }
    this.takeWords(written);
    this.takeStructure(written, depth);
  }

  private takeNames(part: Json): void {
    for (const name of ["title", "description"]) {
      const text = textAt(part, name);
      if (text !== undefined) this.words[name] ??= text;
    }
  }

  private takeWords(schema: JsonObject): void {
    this.parts.push(schema);
    this.takeNames(schema);
    for (const name of ["format", "pattern", "contentMediaType", "contentEncoding"]) {
      const text = textAt(schema, name);
      if (text !== undefined) this.words[name] ??= text;
    }
    for (const name of ["readOnly", "writeOnly", "deprecated", "uniqueItems"] as const)
      this.flags[name] ||= schema[name] === true;
    if (Object.hasOwn(schema, "default")) {
      // No reference is known there, and yet some write one.
      const value = this.references.follow(schema["default"]);
      if (value !== undefined) this.fallback ??= { value };
    }
    if (Object.hasOwn(schema, "const")) this.constant ??= { value: schema["const"]! };
    if (Object.hasOwn(schema, "example")) this.examples.push(schema["example"]!);
    this.examples.push(...listAt(schema, "examples").slice(0, 20));
    const docs = schema["externalDocs"];
    if (isObject(docs)) this.externalDocs ??= docs;
  }

  private takeStructure(schema: JsonObject, depth: number): void {
    this.takeTypes(schema);
    this.takeLimits(schema);
    const parts = listAt(schema, "allOf");
    // What stands beside a reference to a base was written for what is made of it.
    for (const part of parts) if (refOf(part) === undefined) this.takeNames(part);
    for (const part of parts) this.absorb(part, depth + 1);
    for (const [name, property] of entriesAt(schema, "properties"))
      if (isShown(property, this.references)) push(this.properties, name, property);
      else this.restricted.add(name);
    for (const [name, property] of entriesAt(schema, "patternProperties")) push(this.patternProperties, name, property);
    for (const name of textsAt(schema, "required")) this.required.add(name);
    const additional = member(schema, "additionalProperties") ?? member(schema, "unevaluatedProperties");
    if (additional !== undefined) this.additional ??= additional;
    const items = member(schema, "items");
    // A list of schemas is the older way to say prefixItems.
    if (Array.isArray(items)) this.prefixItems = items;
    else if (items !== undefined) this.items.push(items);
    if (this.prefixItems.length === 0) this.prefixItems = listAt(schema, "prefixItems");
    this.takeUnion(schema, "oneOf", depth);
    this.takeUnion(schema, "anyOf", depth);
    if (!("oneOf" in schema) && !("anyOf" in schema)) this.takeMapping(schema);
  }

  private takeTypes(schema: JsonObject): void {
    const written = schema["type"];
    const all = typeof written === "string" ? [written] : Array.isArray(written) ? textsAt(schema, "type") : [];
    const types = all.filter((type) => type !== "null");
    if (all.length > types.length || schema["nullable"] === true) this.acceptsNull = true;
    else if (all.length > 0) this.acceptsNull ??= false;
    if (all.length > 0) this.types = this.types === undefined ? [...new Set(types)] : bothTypes(this.types, types);

    const values = schema["enum"];
    if (!Array.isArray(values)) return;
    this.takeValues(values, member(schema, "x-mint-enum"));
    this.takeEnumNotes(schema, values);
  }

  private takeValues(values: readonly Json[], groups: Json | undefined): void {
    const shown = values.filter((value) => value !== null && isValueShown(value, groups));
    if (values.includes(null)) this.acceptsNull = true;
    if (this.values === undefined) this.values = shown;
    else {
      const keys = new Set(shown.map(keyOf));
      this.values = this.values.filter((value) => keys.has(keyOf(value)));
    }
  }

  /** A map from values to texts, or a list in their order: both are in use. */
  private takeEnumNotes(schema: JsonObject, values: readonly Json[]): void {
    for (const name of ["x-enumDescriptions", "x-enum-descriptions"]) {
      const written = member(schema, name);
      values.forEach((value, i) => {
        const note = Array.isArray(written) ? (written[i] as Json | undefined) : member(written, String(value));
        if (typeof note === "string" && note.trim() !== "") this.notes.set(keyOf(value), note);
      });
    }
  }

  private takeLimits(schema: JsonObject): void {
    for (const name of limitNames.lower) this.limit(name, numberAt(schema, name), Math.max);
    for (const name of limitNames.upper) this.limit(name, numberAt(schema, name), Math.min);
    this.limit("multipleOf", numberAt(schema, "multipleOf"), Math.max);
    // 3.0 says of the bound itself whether it is one.
    for (const [flag, bound, pick] of [
      ["exclusiveMinimum", "minimum", Math.max],
      ["exclusiveMaximum", "maximum", Math.min],
    ] as const)
      if (schema[flag] === true) {
        this.limit(flag, numberAt(schema, bound), pick);
        delete this.limits[bound];
      }
  }

  private limit(name: string, value: number | undefined, pick: (a: number, b: number) => number): void {
    if (value !== undefined) this.limits[name] = pick(this.limits[name] ?? value, value);
  }

  private takeUnion(schema: JsonObject, keyword: "oneOf" | "anyOf", depth: number): void {
    const written = this.optionsOf(listAt(schema, keyword));
    const options = written.filter((option) => !this.isNull(option));
    if (options.length < written.length) this.acceptsNull = true;
    else if (options.length > 0 && this.types === undefined) this.acceptsNull ??= false;
    if (options.length === 0) return;
    if (options.length === 1) {
      this.absorb(options[0]!, depth + 1);
      return;
    }
    if (this.takeConstants(options) || this.takeRequired(options)) return;
    const discriminator = member(schema, "discriminator");
    const property = textAt(discriminator, "propertyName");
    this.unions.push({
      options: options.map((option) => ({ schema: option, value: valueFor(option, discriminator) })),
      ...(property === undefined ? {} : { discriminator: property }),
    });
  }

  /** Options that are nothing but a union themselves give up theirs. */
  private optionsOf(options: readonly Json[], depth = 0): Json[] {
    return options
      .filter((option) => isShown(option, this.references))
      .flatMap((option) => {
        if (!isObject(option) || depth > 3) return [option];
        const keys = Object.keys(option);
        const keyword = keys.length === 1 && (keys[0] === "anyOf" || keys[0] === "oneOf") ? keys[0] : undefined;
        return keyword === undefined ? [option] : this.optionsOf(listAt(option, keyword), depth + 1);
      });
  }

  private isNull(option: Json): boolean {
    const target = this.references.follow(option);
    if (!isObject(target)) return false;
    const { type } = target;
    if (type === "null" || (Array.isArray(type) && type.length === 1 && type[0] === "null")) return true;
    return (
      target["const"] === null || (Array.isArray(target["enum"]) && target["enum"].every((value) => value === null))
    );
  }

  /** Options that are single values are an enumeration, each value with what is said of it. */
  private takeConstants(options: readonly Json[]): boolean {
    const targets = options.map((option) => this.references.follow(option));
    const values = targets.map(singleValue);
    if (!values.every((each) => each !== undefined)) return false;
    this.takeValues(
      values.map((each) => each.value),
      undefined,
    );
    targets.forEach((target, i) => {
      const note = textAt(target, "description") ?? textAt(target, "title");
      if (note !== undefined) this.notes.set(keyOf(values[i]!.value), note);
    });
    return true;
  }

  /** Options that only ask for properties are a rule about those. */
  private takeRequired(options: readonly Json[]): boolean {
    const isRule = (option: Json): boolean =>
      isObject(option) &&
      Object.keys(option).length > 0 &&
      Object.keys(option).every(
        (key) => key === "required" || key === "title" || key === "not" || key === "description",
      );
    if (!options.every(isRule)) return false;
    const groups = options.map((option) => textsAt(option, "required")).filter((group) => group.length > 0);
    this.requiredGroups.push(...groups);
    return true;
  }

  /** A base schema that names those made from it: its options are they, unless they are what is merged here. */
  private takeMapping(schema: JsonObject): void {
    const discriminator = member(schema, "discriminator");
    const property = textAt(discriminator, "propertyName");
    if (property === undefined) return;
    const options = entriesAt(discriminator, "mapping").flatMap(([value, pointer]): UnionOption[] => {
      if (typeof pointer !== "string") return [];
      const target = this.references.follow({ $ref: refFor(pointer) });
      return isObject(target) && !this.seen.has(target) ? [{ schema: { $ref: refFor(pointer) }, value }] : [];
    });
    const isBase = this.parts.find((part) => refOf(part) === undefined) === schema;
    if (isBase && options.length > 0) this.unions.push({ options, discriminator: property });
  }

  done(schemas: readonly Json[]): FlatSchema {
    for (const name of this.restricted) if (!this.properties.has(name)) this.required.delete(name);
    const { title, description, format, pattern, contentMediaType, contentEncoding } = this.words;
    return {
      identity: identityOf(schemas, this.references),
      types: this.types ?? [],
      nullable: this.acceptsNull ?? false,
      never: this.never,
      title,
      refName: this.refName,
      description,
      format,
      contentMediaType,
      contentEncoding,
      pattern,
      enum: this.values,
      enumNotes: this.notes,
      const: this.constant,
      default: this.fallback,
      examples: this.examples,
      limits: this.limits,
      ...this.flags,
      properties: this.properties,
      required: this.required,
      patternProperties: this.patternProperties,
      additional: this.additional,
      items: this.items,
      prefixItems: this.prefixItems,
      unions: this.unions,
      requiredGroups: this.requiredGroups,
      externalDocs: this.externalDocs,
      parts: this.parts,
    };
  }
}

function push(map: Map<string, Json[]>, name: string, schema: Json): void {
  const known = map.get(name);
  if (known) known.push(schema);
  else map.set(name, [schema]);
}

/** Types that both allow; an integer is a number. */
function bothTypes(a: readonly string[], b: readonly string[]): string[] {
  const common = a.flatMap((type) => {
    if (b.includes(type)) return [type];
    if (type === "number" && b.includes("integer")) return ["integer"];
    return type === "integer" && b.includes("number") ? ["integer"] : [];
  });
  return common.length > 0 ? common : [...a];
}

/** Values are told apart by their JSON; a long one by its beginning. */
export const keyOf = (value: Json): string =>
  typeof value === "string" ? `"${value}` : typeof value === "object" ? shapeOf(value) : String(value);
const shapeOf = (value: Json): string => (value === null ? "null" : `${Array.isArray(value)}${Object.keys(value)}`);

function singleValue(schema: Json | undefined): { readonly value: Json } | undefined {
  if (!isObject(schema)) return undefined;
  const values = schema["enum"];
  const value = Object.hasOwn(schema, "const")
    ? schema["const"]
    : Array.isArray(values) && values.length === 1
      ? (values[0] as Json)
      : undefined;
  return value === undefined || (typeof value === "object" && value !== null) ? undefined : { value };
}

/** `mapping` names a pointer, or a component by its bare name. */
const refFor = (written: string): string =>
  written.includes("#") || written.includes("/") ? written : `#/components/schemas/${written}`;

/** The discriminator's value for an option: as mapped, else the component's name. */
function valueFor(option: Json, discriminator: Json | undefined): string | undefined {
  const ref = refOf(option);
  if (ref === undefined || textAt(discriminator, "propertyName") === undefined) return undefined;
  const mapped = entriesAt(discriminator, "mapping").find(
    ([, pointer]) => typeof pointer === "string" && refFor(pointer) === ref,
  );
  return mapped?.[0] ?? nameOfRef(ref);
}

/** The schema that wrappers (references, `allOf` of one, "this or null") stand around. */
function identityOf(schemas: readonly Json[], references: References): object | undefined {
  let current: Json | undefined = schemas[0];
  for (let step = 0; step < maxMergeDepth; step++) {
    current = references.follow(current);
    if (!isObject(current)) return undefined;
    const inner = wrappedIn(current);
    if (inner === undefined) return current;
    current = inner;
  }
  return undefined;
}

function wrappedIn(schema: JsonObject): Json | undefined {
  for (const keyword of ["properties", "items", "prefixItems", "additionalProperties"])
    if (Object.hasOwn(schema, keyword)) return undefined;
  const [part, ...otherParts] = listAt(schema, "allOf");
  const isUnion = Object.hasOwn(schema, "oneOf") || Object.hasOwn(schema, "anyOf");
  if (part !== undefined && otherParts.length === 0 && !isUnion) return part;
  if (part !== undefined) return undefined;
  const options = [...listAt(schema, "oneOf"), ...listAt(schema, "anyOf")];
  const [option, ...otherOptions] = options.filter((each) => member(each, "type") !== "null");
  return option !== undefined && otherOptions.length === 0 ? option : undefined;
}
