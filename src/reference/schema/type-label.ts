import { isRawNumber, type Json } from "../../lib/json/index.js";
import { isBinary } from "../operations/media-type.js";
import { clip } from "../pages/nodes.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";

/** More types than this are cut. */
const maxTypes = 4;
const maxTitleLength = 60;
const maxFormatLength = 40;
const maxArrayDepth = 4;

/** `string<uuid>`, `User · object[]`, `enum<string> | null`, `file`, `any`. */
export function typeLabel(flat: FlatSchema, reader: SchemaReader): string {
  if (isNullOnly(flat)) return "null";
  const [types, ...rest] = distinctTypes(flat, reader, true, 0);
  const label = types.length > maxTypes ? [...types.slice(0, maxTypes), "…"] : types;
  return [...label, ...rest].join(" | ");
}

/** The types, then `null` if the schema or one of its options permits it. */
function distinctTypes(flat: FlatSchema, reader: SchemaReader, named: boolean, depth: number): [string[], ...string[]] {
  const types = new Set(typesOf(flat, reader, named, depth));
  const isNullable = types.delete("null") || flat.nullable;
  // In a union, names would look like separate types.
  if (types.size > 1 && named) return distinctTypes(flat, reader, false, depth);
  return [[...types], ...(isNullable ? ["null"] : [])];
}

export const isNullOnly = ({ types, nullable, parts }: FlatSchema): boolean =>
  nullable && types.length === 0 && parts.some(({ type }) => type === "null");

/** The types that a schema permits; `null` only if one of its options does. */
function typesOf(flat: FlatSchema, reader: SchemaReader, named: boolean, depth: number): string[] {
  if (flat.never) return ["never"];
  if (flat.enum !== undefined && flat.enum.length > 0) return [`enum<${jsonTypes(flat.enum).join(" | ")}>`];
  const types = ownTypes(flat);
  if (types.length === 0) {
    const options = flat.unions.flatMap(({ options }) => options);
    if (options.length === 0 || depth > maxArrayDepth) return ["any"];
    return options.slice(0, maxTypes + 1).flatMap(({ schema }) => {
      const option = reader.flatten(schema);
      return [...typesOf(option, reader, named, depth + 1), ...(option.nullable ? ["null"] : [])];
    });
  }
  return types.map((type) => {
    switch (type) {
      case "string":
        return stringLabel(flat);
      case "array":
        return arrayLabel(flat, reader, named, depth);
      case "object":
        return named ? titled(flat, "object") : "object";
      default:
        return formatted(type, flat.format);
    }
  });
}

function stringLabel(flat: FlatSchema): string {
  if (isFile(flat)) return "file";
  return formatted("string", flat.format ?? flat.contentEncoding);
}

/** A format that repeats the type says nothing. */
const formatted = (type: string, format: string | undefined): string =>
  format === undefined || format === type ? type : `${type}<${clip(format, maxFormatLength)}>`;

/** Whether the value is raw binary data, not encoded as text. */
export const isFile = ({ format, types, contentEncoding, contentMediaType }: FlatSchema): boolean =>
  format === "binary" ||
  types.includes("file") ||
  contentEncoding === "binary" ||
  (contentMediaType !== undefined && contentEncoding === undefined && isBinary(contentMediaType));

function arrayLabel(flat: FlatSchema, reader: SchemaReader, named: boolean, depth: number): string {
  if (flat.items.length === 0 || flat.prefixItems.length > 0 || depth >= maxArrayDepth) return "array";
  const types = distinctTypes(reader.flatten(...flat.items), reader, named, depth + 1).flat();
  if (types.length > maxTypes) return "array";
  return types.length === 1 ? `${types[0]}[]` : `(${types.join(" | ")})[]`;
}

/** Generators give every field its name as a title; only an object's title is useful. */
const titled = ({ title }: FlatSchema, type: string): string =>
  title === undefined || title.length > maxTitleLength ? type : `${title.trim()} · ${type}`;

/** The types of a value, without `null`; of a union those of its options. */
export function valueTypes(flat: FlatSchema, reader: SchemaReader): readonly string[] {
  const types = ownTypes(flat);
  if (types.length > 0) return types;
  return flat.unions.flatMap(({ options }) => options).flatMap(({ schema }) => ownTypes(reader.flatten(schema)));
}

/** The written types, else those that other keywords imply. */
export const ownTypes = (flat: FlatSchema): readonly string[] =>
  flat.types.length > 0 ? flat.types : impliedTypes(flat);

/** The types that other keywords imply. */
export function impliedTypes(flat: FlatSchema): string[] {
  if (flat.const !== undefined) return jsonTypes([flat.const.value]);
  if (flat.properties.size > 0 || flat.patternProperties.size > 0 || typeof flat.additional === "object")
    return ["object"];
  if (flat.items.length > 0 || flat.prefixItems.length > 0) return ["array"];
  if (flat.pattern !== undefined || flat.format !== undefined || flat.contentMediaType !== undefined) return ["string"];
  const { minLength, maxLength, minimum, maximum, multipleOf } = flat.limits;
  if (minLength !== undefined || maxLength !== undefined) return ["string"];
  return minimum !== undefined || maximum !== undefined || multipleOf !== undefined ? ["number"] : [];
}

export function jsonTypes(values: readonly Json[]): string[] {
  const types = values.map((value) => {
    if (value === null) return "null";
    if (Array.isArray(value)) return "array";
    const number = isRawNumber(value) ? Number(JSON.stringify(value)) : value;
    return typeof number === "number" && Number.isInteger(number) ? "integer" : typeof number;
  });
  const distinct = [...new Set(types)];
  return distinct.includes("number") ? distinct.filter((type) => type !== "integer") : distinct;
}

/** Whether a value has one of these types; no types mean any. */
export function hasType(value: Json, types: readonly string[]): boolean {
  const [type = ""] = jsonTypes([value]);
  return types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
}
