import type { Json } from "./json.js";

/**
 * A number with more digits than JavaScript's numbers hold. It keeps its text, which `JSON.stringify` writes as it is;
 * `typeof` says `object`, but it has no members of interest. Older browsers read such a number rounded.
 */
const { isRawJSON, rawJSON } = JSON as unknown as {
  readonly isRawJSON?: (value: unknown) => boolean;
  readonly rawJSON?: (text: string) => Json;
};

export const isRawNumber = (value: unknown): boolean => isRawJSON?.(value) === true;

/** @param text a number of JSON. */
export function numberOf(text: string): Json {
  const value = Number(text);
  return isExact(value, text) ? value : (rawJSON?.(text) ?? value);
}

function isExact(value: number, text: string): boolean {
  if (Number.isSafeInteger(value) && /^-?\d+$/.test(text)) return true;
  const digits = text
    .replace(/e.*$/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
  return (digits.length <= 15 && Number.isFinite(value)) || String(value) === text;
}

/** Same as `JSON.parse`, without rounding numbers. */
export function parseJson(text: string): Json {
  const read = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? numberOf(context.source) : value;
  return JSON.parse(text, /\d[\d.]{15}/.test(text) ? read : undefined) as Json;
}
