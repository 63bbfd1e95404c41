import type { Json } from "../../lib/json/json.js";

/** A value of the form: JSON that may contain files. Undefined is not part of the request. */
export type Value = Json | File | readonly Value[] | { readonly [name: string]: Value };
export type ValueObject = { readonly [name: string]: Value };

export const isValueObject = (value: Value | undefined): value is ValueObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof File);

/** The value with the name of each file in its place. */
export function toJson(value: Value): Json {
  if (value instanceof File) return value.name;
  if (isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (isValueObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]): [string, Json] => [name, toJson(each)]));
  return value as Json;
}

/** A number with more digits than JavaScript can represent. */
const isRawNumber = (value: Value): value is Json =>
  (JSON as unknown as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value) ?? false;

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const printJson = (value: Value): string => JSON.stringify(toJson(value), undefined, 2);

/** The value, or the reason why the text is not JSON. */
export function parseJson(text: string): { readonly value: Json } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { reason: errorMessage(error) };
  }
}
