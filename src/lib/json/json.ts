import { attempt } from "../attempt.js";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
export const isContainer = (value: Json): value is JsonObject | readonly Json[] =>
  typeof value === "object" && value !== null && !isRawNumber(value);
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A member of the object itself, not of its prototype: `__proto__` is a name like any other. */
export const member = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A member that is a string and not blank. */
export function textAt(value: Json | undefined, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

/** A member that is a finite number, in JavaScript's precision. */
export function numberAt(value: Json | undefined, name: string): number | undefined {
  const written = member(value, name);
  const number = isRawNumber(written) ? Number(JSON.stringify(written)) : written;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export const isTrueAt = (value: Json | undefined, name: string): boolean => member(value, name) === true;

export function listAt(value: Json | undefined, name: string): readonly Json[] {
  const list = member(value, name);
  return isList(list) ? list : [];
}

export const textsAt = (value: Json | undefined, name: string): string[] =>
  listAt(value, name).filter((item) => typeof item === "string");

export function entriesAt(value: Json | undefined, name: string): [string, Json][] {
  const object = member(value, name);
  return isObject(object) ? Object.entries(object) : [];
}

/** A value of an object or list by its own name or index. */
export function childOf(value: Json | undefined, name: string): Json | undefined {
  if (value === undefined || !has(value, name)) return undefined;
  return isList(value) ? value[Number(name)] : (value as JsonObject)[name];
}

/** Whether an object or list itself has this name or index. */
export function has(value: Json, name: string): boolean {
  if (!isContainer(value)) return false;
  return isList(value) ? /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < value.length : Object.hasOwn(value, name);
}

/** A value from another process, whose shape is not known. */
export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The value of a text; undefined if it is not JSON. Large numbers lose digits: see `parseJson`. */
export const valueOfJson = (text = ""): unknown => attempt(() => JSON.parse(text));

/** JSON on one line; undefined if it is longer than `limit` (characters, some hundreds at most). */
export function shortJson(value: Json, limit: number): string | undefined {
  let out = "";
  // Each level writes a character, so the limit bounds the depth, too.
  const write = (each: Json): boolean => {
    if (typeof each === "string" && each.length > limit) return false;
    if (!isContainer(each)) out += JSON.stringify(each);
    else if (Array.isArray(each)) {
      out += "[";
      if (!each.every((item, i) => (i === 0 || append(",")) && write(item))) return false;
      out += "]";
    } else {
      out += "{";
      const entries = Object.entries(each as JsonObject);
      if (!entries.every(([key, item], i) => (i === 0 || append(",")) && write(key) && append(":") && write(item)))
        return false;
      out += "}";
    }
    return out.length <= limit;
  };
  const append = (text: string): boolean => {
    out += text;
    return out.length <= limit;
  };
  return write(value) ? out : undefined;
}

const linedDepth = 3;

/**
 * Writes JSON with a line for each value down to the third level, which in a specification has the operations and components.
 * Yields it in parts, since a whole text of 60 MB and its bytes would take as much memory again.
 */
export function* jsonLines(value: unknown, depth = 0): Generator<string> {
  if (typeof value !== "object" || value === null || depth === linedDepth || isRawNumber(value)) {
    yield JSON.stringify(value);
    return;
  }
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  let before = open;
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    yield `${before}\n${Array.isArray(value) ? "" : `${JSON.stringify(key)}: `}`;
    yield* jsonLines(each, depth + 1);
    before = ",";
  }
  yield before === open ? `${open}${close}` : `\n${close}`;
}

/** Functions that keep all digits of a number: Node has them, Firefox since 135, Safari since 18.4. */
const { isRawJSON, rawJSON } = JSON as unknown as {
  readonly isRawJSON?: (value: unknown) => boolean;
  readonly rawJSON?: (text: string) => Json;
};

/** Marks a string as a number in browsers without `JSON.rawJSON`. No other string starts with it. */
const mark = `${Math.random()}#`;

/** The objects that `JSON.stringify` writes as such strings. */
const markedNumbers = new WeakSet<object>();

function markedNumber(text: string): Json {
  const number = { toJSON: () => mark + text };
  markedNumbers.add(number);
  return number as unknown as Json;
}

/** Whether a value is a number with too many digits for JavaScript. It keeps its text; its `typeof` is `object`. */
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

const manyDigits = /\d[\d.]{15}/;
/** Finds a long number, even inside a string. It skips strings of digits only, such as ids, which are common. */
const longNumber = /(?:^|[:,[])\s*-?\d[\d.]{15,}(?:e[+-]?\d+)?\s*(?:$|[,\]}])/i;

/** Parses as `JSON.parse` does, without rounding numbers. Long numbers make it four times as slow. */
export function parseJson(text: string): Json {
  if (!manyDigits.test(text) || !longNumber.test(text)) return JSON.parse(text);
  if (!rawJSON) return JSON.parse(withMarks(text), readMark);
  return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? numberOf(context.source) : value,
  );
}

/** Puts the long numbers of a text in quotes, with the mark. */
const withMarks = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/gi, (token) =>
    token.startsWith('"') || isExact(Number(token), token) ? token : `"${mark}${token}"`,
  );
const readMark = (_: string, value: unknown): unknown =>
  typeof value === "string" && value.startsWith(mark) ? markedNumber(value.slice(mark.length)) : value;

/** Does the same as `JSON.stringify`, for values that may contain long numbers. */
export function stringify(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return rawJSON ? text : text?.replaceAll(new RegExp(`"${mark}([^"]*)"`, "g"), "$1");
}

export interface JsonBounds {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  readonly maxValues: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Checks a JSON text before it is parsed: a parser needs 280 ms and 90 MB for 1 MiB of brackets. */
export function exceededBound(text: Uint8Array, { maxDepth, maxValues }: JsonBounds): keyof JsonBounds | undefined {
  let [depth, values] = [0, 1];
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === quote) i = endOfString(text, i + 1);
    else if (byte === openArray || byte === openObject) depth++;
    else if (byte === closeArray || byte === closeObject) depth--;
    else if (byte === comma) values++;
    if (depth > maxDepth) return "maxDepth";
    if (values > maxValues) return "maxValues";
  }
  return undefined;
}

/** Index of the closing quote of a string, or the length of the text. @param start after the opening quote. */
export function endOfString(text: Uint8Array, start: number): number {
  let i = start;
  while (i < text.length && text[i] !== quote) i += text[i] === backslash ? 2 : 1;
  return i;
}
