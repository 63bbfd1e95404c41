import type { Json } from "../../lib/json/json.js";

/** What a reader has put into a form: JSON, in which files may stand. Undefined is left out of the request. */
export type Value = Json | File | readonly Value[] | { readonly [name: string]: Value };
export type ValueObject = { readonly [name: string]: Value };

export const isValueObject = (value: Value | undefined): value is ValueObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof File);

/** The value without files: those have no place in JSON, and stand there by their names. */
export function toJson(value: Value): Json {
  if (value instanceof File) return value.name;
  if (isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (isValueObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]): [string, Json] => [name, toJson(each)]));
  return value as Json;
}

/** A number with more digits than a script can hold. */
const isRawNumber = (value: Value): value is Json =>
  (JSON as unknown as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value) ?? false;

export const printJson = (value: Value): string => JSON.stringify(toJson(value), undefined, 2);

/** Undefined if the text is no JSON; `reason` says why. */
export function parseJson(text: string): { readonly value: Json } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
