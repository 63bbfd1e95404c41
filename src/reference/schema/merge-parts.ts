import {
  entriesAt,
  isContainer,
  isObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  member,
  numberAt,
  textAt,
  textsAt,
} from "../../lib/json/index.js";
import { hasStructure, type Limits, type RequiredGroup, type UnionOption } from "./flat-schema.js";
import { isShown } from "./reader-view.js";
import { nameOfRef, type References, refOf } from "./references.js";

/** The options that readers may see. An option that is itself only a union is replaced by its options. */
export function plainOptions(options: readonly Json[], references: References, depth = 0): Json[] {
  return options
    .filter((option) => isShown(option, references))
    .flatMap((option) => {
      if (!isObject(option) || depth > 3) return [option];
      const keys = Object.keys(option);
      const keyword = keys.length === 1 && (keys[0] === "anyOf" || keys[0] === "oneOf") ? keys[0] : undefined;
      return keyword === undefined ? [option] : plainOptions(listAt(option, keyword), references, depth + 1);
    });
}

export function isNullSchema(option: Json, references: References): boolean {
  const target = references.follow(option);
  if (!isObject(target)) return false;
  const { type } = target;
  if (type === "null" || (Array.isArray(type) && type.length === 1 && type[0] === "null")) return true;
  return target["const"] === null || (Array.isArray(target["enum"]) && target["enum"].every((value) => value === null));
}

/** Options that only require properties, one of which must be met, with their words. Undefined for other options. */
export function requiredGroups(options: readonly Json[]): RequiredGroup[] | undefined {
  const isRule = (option: Json): boolean =>
    isObject(option) && Object.keys(option).length > 0 && Object.keys(option).every((key) => ruleKeywords.has(key));
  if (!options.every(isRule)) return undefined;
  return options
    .map((option) => ({
      names: textsAt(option, "required"),
      about: ["title", "description"].flatMap((key) => textAt(option, key)?.trim() || []).join(": "),
    }))
    .filter(({ names }) => names.length > 0);
}
const ruleKeywords = new Set(["required", "title", "not", "description"]);

/** The only valid value of a schema; undefined if there are several or it is a structure. */
export function singleValue(schema: Json | undefined): { readonly value: Json } | undefined {
  if (!isObject(schema)) return undefined;
  const values = schema["enum"];
  const value = Object.hasOwn(schema, "const")
    ? schema["const"]
    : Array.isArray(values) && values.length === 1
      ? (values[0] as Json)
      : undefined;
  return value === undefined || isContainer(value) ? undefined : { value };
}

/** The pointer of an entry of `mapping`, which may be the bare name of a component. */
const refFor = (written: string): string =>
  written.includes("#") || written.includes("/") ? written : `#/components/schemas/${written}`;

/** The property whose value selects an option. Swagger 2.0 and AsyncAPI write its name alone, without a mapping. */
export function discriminatorOf(schema: JsonObject): string | undefined {
  const { discriminator } = schema;
  return typeof discriminator === "string" ? discriminator : textAt(discriminator, "propertyName");
}

/** References to schemas by the values that select them. */
const mappingOf = ({ discriminator }: JsonObject): [ref: string, value: string][] =>
  entriesAt(discriminator, "mapping").flatMap(([value, pointer]) =>
    typeof pointer === "string" ? [[refFor(pointer), value]] : [],
  );

/** The schema for values that no other option has. */
function defaultOf({ discriminator }: JsonObject): string | undefined {
  const written = textAt(discriminator, "defaultMapping");
  return written === undefined ? undefined : refFor(written);
}

/** The schemas derived from a base with a discriminator: of its mapping, others that extend it, the default. */
export function derivedOptions(
  schema: JsonObject,
  references: References,
): (UnionOption & { readonly target: JsonObject })[] {
  const isComplete = isTrueAt(schema["discriminator"], "x-explicitMappingOnly");
  const others = isComplete ? [] : references.derivedFrom(schema);
  const refs = new Set([...mappingOf(schema).map(([ref]) => ref), ...others, defaultOf(schema)]);
  return [...refs].flatMap(($ref) => {
    const target = $ref === undefined ? undefined : references.follow({ $ref });
    if (!isObject(target)) return [];
    // Azure names the value in the derived schema.
    const value = textAt(target, "x-ms-discriminator-value");
    return [{ ...optionOf({ $ref: $ref! }, schema), ...(value !== undefined && { value }), target }];
  });
}

/** An option with the discriminator's value for it: from the mapping, else the component's name. */
export function optionOf(option: Json, schema: JsonObject): UnionOption {
  const ref = refOf(option);
  if (ref === undefined || discriminatorOf(schema) === undefined) return { schema: option };
  const [value, ...others] = mappingOf(schema).flatMap(([each, value]) => (each === ref ? [value] : []));
  if (value === undefined && ref === defaultOf(schema)) return { schema: option, isDefault: true };
  return { schema: option, value: value ?? nameOfRef(ref), ...(others.length > 0 && { others }) };
}

const limitNames = {
  lower: ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"],
  upper: ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"],
} as const;

const names = new Set<string>([...limitNames.lower, ...limitNames.upper, "multipleOf"]);

/** A quick test, because most schemas have no limits. */
function namesLimit(schema: JsonObject): boolean {
  for (const name in schema) if (names.has(name)) return true;
  return false;
}

/** Limits while they are merged. */
export type GrowingLimits = { -readonly [name in keyof Limits]: Limits[name] };

/** Adds the limits of another schema that also applies; the tightest one wins. */
export function tightenLimits(limits: GrowingLimits, schema: JsonObject): void {
  if (!namesLimit(schema)) return;
  const limit = (name: keyof Limits, value: number | undefined, pick: (a: number, b: number) => number): void => {
    if (value !== undefined) limits[name] = pick(limits[name] ?? value, value);
  };
  for (const name of limitNames.lower) limit(name, numberAt(schema, name), Math.max);
  for (const name of limitNames.upper) limit(name, numberAt(schema, name), Math.min);
  limit("multipleOf", numberAt(schema, "multipleOf"), Math.max);
  // In OpenAPI 3.0 the keyword is a flag that makes the bound exclusive.
  for (const [flag, bound, pick] of [
    ["exclusiveMinimum", "minimum", Math.max],
    ["exclusiveMaximum", "maximum", Math.min],
  ] as const)
    if (schema[flag] === true) {
      limit(flag, numberAt(schema, bound), pick);
      delete limits[bound];
    }
}

const maxWrappers = 60;

/** Finds the object that identifies a structure, so that a page knows whether it has shown it. */
export function createIdentities(references: References): (schemas: readonly Json[]) => object | undefined {
  /** Structures that several schemas describe together, by the first of them. */
  const combinations = new WeakMap<object, { readonly parts: readonly object[]; readonly identity: object }[]>();
  const combined = (parts: readonly object[]): object => {
    const [first] = parts;
    const similar = combinations.get(first!) ?? [];
    const same = similar.find(
      (other) => other.parts.length === parts.length && other.parts.every((part, i) => part === parts[i]),
    );
    if (same) return same.identity;
    const identity = { allOf: parts };
    combinations.set(first!, [...similar, { parts, identity }]);
    return identity;
  };
  return (schemas) => {
    const [first] = schemas;
    if (schemas.length === 1) return unwrapped(first, references);
    const inner = new Set(schemas.flatMap((schema) => unwrapped(schema, references) ?? []));
    // Other schemas only describe or limit the structure.
    const parts = [...inner].filter((schema) => isObject(schema as Json) && hasStructure(schema as JsonObject));
    return parts.length > 1 ? combined(parts) : (parts[0] ?? unwrapped(first, references));
  };
}

/** The schema inside its wrappers: references, `allOf` with one entry, "this or null". */
function unwrapped(schema: Json | undefined, references: References): object | undefined {
  let current = schema;
  for (let step = 0; step < maxWrappers; step++) {
    current = references.follow(current);
    if (!isObject(current)) return undefined;
    const inner = wrappedIn(current);
    if (inner === undefined) return current;
    current = inner;
  }
  return undefined;
}

/** A schema with one of these keywords is more than a wrapper. */
const ownKeywords = new Set(
  "properties items prefixItems additionalProperties patternProperties unevaluatedProperties unevaluatedItems if not contains propertyNames dependentRequired dependentSchemas dependencies".split(
    " ",
  ),
);

function wrappedIn(schema: JsonObject): Json | undefined {
  let hasParts = false;
  for (const keyword in schema) {
    if (ownKeywords.has(keyword)) return undefined;
    hasParts ||= keyword === "allOf" || keyword === "oneOf" || keyword === "anyOf";
  }
  if (!hasParts) return undefined;
  const [part, ...otherParts] = listAt(schema, "allOf");
  const isUnion = Object.hasOwn(schema, "oneOf") || Object.hasOwn(schema, "anyOf");
  if (part !== undefined && otherParts.length === 0 && !isUnion) return part;
  if (part !== undefined) return undefined;
  const options = [...listAt(schema, "oneOf"), ...listAt(schema, "anyOf")];
  const [option, ...otherOptions] = options.filter((option) => member(option, "type") !== "null");
  return option !== undefined && otherOptions.length === 0 ? option : undefined;
}

/** Adds a schema to a map, which is created with its first entry. */
export function pushed(existing: Map<string, Json[]> | undefined, name: string, schema: Json): Map<string, Json[]> {
  const map = existing ?? new Map<string, Json[]>();
  const schemas = map.get(name);
  if (schemas) schemas.push(schema);
  else map.set(name, [schema]);
  return map;
}

/** Types in both lists, where an integer is a number. If there are none, the first list wins. */
export function bothTypes(a: readonly string[], b: readonly string[]): string[] {
  const common = a.flatMap((type) => {
    if (b.includes(type)) return [type];
    if (type === "number" && b.includes("integer")) return ["integer"];
    return type === "integer" && b.includes("number") ? ["integer"] : [];
  });
  return common.length > 0 ? common : [...a];
}

/** Extensions with the names that values of an enumeration have in code, and with texts about them. */
const enumExtensions = {
  names: ["x-enum-varnames", "x-enumNames"],
  texts: ["x-enumDescriptions", "x-enum-descriptions"],
} as const;

/** What extensions say of each value of an enumeration: its name, its text, or both. */
export function enumNotes(schema: JsonObject, values: readonly Json[]): (string | undefined)[] {
  const written = (keys: readonly string[]) => keys.map((key) => schema[key]).find((value) => value !== undefined);
  const names = written(enumExtensions.names);
  const texts = written(enumExtensions.texts);
  // Lists of objects with the value, its name or both: of Square, and of Azure.
  const listed = [...listAt(schema, "x-enum-elements"), ...listAt(schema["x-ms-enum"], "values")];
  const objects = new Map(listed.map((item) => [String(member(item, "value") ?? textAt(item, "name")), item]));
  return values.map((value, i) => {
    const object = objects.get(String(value));
    const name = enumNote(names, value, i) ?? textAt(object, "name")?.trim();
    const text = enumNote(texts, value, i) ?? textAt(object, "description")?.trim();
    return [name === String(value) ? "" : name, text].filter(Boolean).join(": ") || undefined;
  });
}

/** The text about a value of an enumeration: from a map by value, or from a list in the order of the values. */
function enumNote(written: Json | undefined, value: Json, at: number): string | undefined {
  const note = Array.isArray(written)
    ? (written[at] as Json | undefined)
    : isContainer(value)
      ? undefined
      : member(written, typeof value === "string" ? value : JSON.stringify(value));
  return typeof note === "string" && note.trim() !== "" ? note.trim() : undefined;
}
