import type { Json } from "./json.js";

/** What browsers have that can keep the digits of a number: Firefox since 135, Safari since 18.4. */
const { isRawJSON, rawJSON } = JSON as unknown as {
  readonly isRawJSON?: (value: unknown) => boolean;
  readonly rawJSON?: (text: string) => Json;
};

/** Marks a string as a number in browsers without `JSON.rawJSON`. No other string starts with it. */
const mark = `${Math.random()}#`;

/** The objects that write themselves as such texts. */
const markedNumbers = new WeakSet<object>();

function markedNumber(text: string): Json {
  const number = { toJSON: () => mark + text };
  markedNumbers.add(number);
  return number as unknown as Json;
}

/**
 * A number with more digits than JavaScript's numbers hold. It keeps its text, which `stringify` writes as it is; `typeof`
 * says `object`, but it has no members of interest.
 */
export const isRawNumber = (value: unknown): boolean =>
  isRawJSON ? isRawJSON(value) : markedNumbers.has(value as object);

/** @param text a number of JSON. */
export function numberOf(text: string): Json {
  const value = Number(text);
  if (isExact(value, text)) return value;
  return rawJSON ? rawJSON(text) : markedNumber(text);
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
  if (!/\d[\d.]{15}/.test(text)) return JSON.parse(text);
  if (!rawJSON) return JSON.parse(withMarks(text), readMark);
  return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? numberOf(context.source) : value,
  );
}

/** The text with its long numbers in quotes; strings are stepped over. */
const withMarks = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/gi, (token) =>
    token.startsWith('"') || isExact(Number(token), token) ? token : `"${mark}${token}"`,
  );
const readMark = (_: string, value: unknown): unknown =>
  typeof value === "string" && value.startsWith(mark) ? markedNumber(value.slice(mark.length)) : value;

/** Same as `JSON.stringify`, for values that can hold such numbers. */
export function stringify(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return rawJSON ? text : text?.replaceAll(new RegExp(`"${mark}([^"]*)"`, "g"), "$1");
}
