import { type Json, stringify, textAt } from "../../lib/json/index.js";
import type { ApiConfig } from "../../site/config/index.js";
import type { FlatSchema, SchemaReader, UnionOption } from "./flat-schema.js";
import { hasExtensions } from "./reader-view.js";

/** Direction of the data: `readOnly` properties are left out of requests, `writeOnly` ones out of responses. */
export type Direction = "request" | "response" | "both";

/** So many characters of description and examples, or so many allowed values, take as much room as another field. */
const longDescription = 1_000;
const manyValues = 5;
const maxArrayDepth = 10;

/** A list, its items, their items and so on. */
export function layersOf(flat: FlatSchema, reader: SchemaReader): FlatSchema[] {
  const layers = [flat];
  for (let core = flat; layers.length <= maxArrayDepth; layers.push(core)) {
    if (core.items.length === 0 || core.properties.size > 0 || core.prefixItems.length > 0) break;
    core = reader.flatten(...core.items);
  }
  return layers;
}

/** The innermost items of a list; other schemas are returned as they are. */
export const coreOf = (flat: FlatSchema, reader: SchemaReader): FlatSchema =>
  flat.items.length === 0 ? flat : layersOf(flat, reader).at(-1)!;

export const hasInside = (core: FlatSchema, reader: SchemaReader): boolean =>
  core.properties.size > 0 ||
  core.patternProperties.size > 0 ||
  core.prefixItems.length > 0 ||
  saysMore(core.additional) ||
  core.unions.some((union) => !isScalarUnion(union.options, reader));

/** False for `true` and `{}`, which only permit other properties. */
const saysMore = (additional: Json | undefined): additional is Json =>
  typeof additional === "object" && additional !== null && Object.keys(additional).length > 0;

const keyName = (additional: Json): string => `{${textAt(additional, "x-additionalPropertiesName")?.trim() || "key"}}`;

/** Required fields first, or all as in the specification. */
export type FieldOrder = ApiConfig["params"]["order"];

interface NamedSchemas {
  readonly name: string;
  readonly required: boolean;
  readonly schemas: readonly Json[];
}

/**
 * The first fields of an object whose weight fits into the room; at least one.
 *
 * @returns with them `seen`, the number of the next field, and `omitted`, the number of those from there on.
 */
export function fieldsOf(
  { core, direction, skip }: { readonly core: FlatSchema; readonly direction: Direction; readonly skip: number },
  reader: SchemaReader,
  room: number,
  order: FieldOrder,
) {
  const all: NamedSchemas[] = [];
  for (const [name, schemas] of core.properties) all.push({ name, required: core.required.has(name), schemas });
  if (order === "required" && core.required.size > 0) all.sort((a, b) => Number(b.required) - Number(a.required));
  for (const [pattern, schemas] of core.patternProperties) all.push({ name: `/${pattern}/`, required: false, schemas });
  core.prefixItems.forEach((schema, index) => {
    all.push({ name: `[${index}]`, required: false, schemas: [schema] });
  });
  if (core.prefixItems.length > 0 && core.items.length > 0)
    all.push({ name: "[…]", required: false, schemas: core.items });
  if (saysMore(core.additional))
    all.push({ name: keyName(core.additional), required: false, schemas: [core.additional] });

  const shown: NamedSchemas[] = [];
  let seen = Math.min(skip, all.length);
  let weight = 0;
  while (seen < all.length && weight < room) {
    const field = all[seen++]!;
    if (!isSent(field.schemas, direction, reader)) continue;
    shown.push(field);
    weight += fieldWeight(reader.flatten(...field.schemas), reader);
  }
  return { shown, omitted: all.length - seen, seen, weight };
}

/** Whether a property is part of the data: a schema that refines a read-only one may be what a request sends. */
export const isSent = (schemas: readonly Json[], direction: Direction, reader: SchemaReader): boolean =>
  schemas.some((schema) => {
    const { readOnly, writeOnly } = reader.flatten(schema);
    return !((direction === "request" && readOnly) || (direction === "response" && writeOnly));
  });

function fieldWeight(flat: FlatSchema, reader: SchemaReader): number {
  const { description = "", examples } = flat;
  const values = coreOf(flat, reader).enum?.length ?? 0;
  const words = description.length + sum(examples.map(lengthOf));
  return 1 + Math.floor(words / longDescription) + Math.floor(values / manyValues);
}

/** The weight of an object's properties. Counting stops above `enough`. */
export function weightOf({ properties }: FlatSchema, reader: SchemaReader, enough: number): number {
  let weight = properties.size;
  for (const schemas of properties.values()) {
    if (weight > enough) break;
    weight += fieldWeight(reader.flatten(...schemas), reader) - 1;
  }
  return weight;
}

/** Characters that an example takes; short ones are on one line. */
const lengthOf = (example: Json): number =>
  typeof example === "string" ? example.length : typeof example === "object" ? stringify(example).length : 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Whether types describe the options fully: "a string or a number" needs no tabs. */
export const isScalarUnion = (options: readonly UnionOption[], reader: SchemaReader): boolean =>
  options.every(({ schema }) => layersOf(reader.flatten(schema), reader).every(isOnlyType));

/** Extensions that pages show. */
const saidExtensions = /^x-(?:mint|badges|beta|deprecat|sunset|status|maturity|stability|scalar-stability)/;

const isOnlyType = (flat: FlatSchema): boolean =>
  flat.properties.size === 0 &&
  flat.patternProperties.size === 0 &&
  flat.prefixItems.length === 0 &&
  flat.unions.length === 0 &&
  !saysMore(flat.additional) &&
  flat.enum === undefined &&
  Object.keys(flat.limits).length === 0 &&
  flat.rules.length === 0 &&
  flat.const === undefined &&
  flat.description === undefined &&
  flat.pattern === undefined &&
  flat.default === undefined &&
  flat.contentMediaType === undefined &&
  flat.externalDocs === undefined &&
  flat.examples.length === 0 &&
  ![flat.uniqueItems, flat.deprecated, flat.readOnly, flat.writeOnly].includes(true) &&
  !flat.parts.some((part) => hasExtensions(part) && Object.keys(part).some((name) => saidExtensions.test(name))) &&
  !hasWords(flat.title);

/** Whether a title is more than a name. */
export const hasWords = (title: string | undefined): title is string =>
  title !== undefined && /[^\p{ASCII}]|\S\s+\S/u.test(title);
