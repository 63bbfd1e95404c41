import type { Json } from "../../../lib/json/json.js";
import { isRawNumber, numberOf, parseJson as parseExactly, stringify } from "../../../lib/json/json.js";
import { say, sayWith } from "../messages.js";

/** A value of the form: JSON that may contain files. */
export type Value = Json | File | readonly Value[] | { readonly [name: string]: Value };
export type ValueObject = { readonly [name: string]: Value };

export const isValueObject = (value: Value | undefined): value is ValueObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof File) &&
  !isRawNumber(value);

/** The value with files replaced by their names. */
export function toJson(value: Value): Json {
  if (value instanceof File) return value.name;
  if (Array.isArray(value)) return value.map(toJson);
  if (isValueObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]): [string, Json] => [name, toJson(member)]));
  return value as Json;
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const printJson = (value: Value): string => stringify(toJson(value), 2);

/** The value, or the reason why the text is not JSON. */
export function parseJson(text: string): { readonly value: Json } | { readonly reason: string } {
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    return { reason: errorMessage(error) };
  }
}

/** Functions of the playground for the XML script, which therefore need not contain them again. */
export const xmlTools = { errorMessage, numberOf, say, sayWith, toJson };
export type XmlTools = typeof xmlTools;
