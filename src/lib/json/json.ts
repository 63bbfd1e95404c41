import { isRawNumber } from "./raw-number.js";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
export const isContainer = (value: Json): value is JsonObject | readonly Json[] =>
  typeof value === "object" && value !== null && !isRawNumber(value);
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A member of the object itself, so `__proto__` is a name like any other. */
export const member = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Text that is not blank. */
export function textAt(value: Json | undefined, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
}

/** Rounded to what JavaScript's numbers hold. */
export function numberAt(value: Json | undefined, name: string): number | undefined {
  const written = member(value, name);
  const found = isRawNumber(written) ? Number(JSON.stringify(written)) : written;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export const isTrueAt = (value: Json | undefined, name: string): boolean => member(value, name) === true;

export function listAt(value: Json | undefined, name: string): readonly Json[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

export const textsAt = (value: Json | undefined, name: string): string[] =>
  listAt(value, name).filter((each) => typeof each === "string");

export function entriesAt(value: Json | undefined, name: string): [string, Json][] {
  const found = member(value, name);
  return isObject(found) ? Object.entries(found) : [];
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

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** JSON on one line; undefined if it is longer than `limit` (characters, some hundreds at most). */
export function shortJson(value: Json, limit: number): string | undefined {
  let out = "";
  // Every level writes a character, so the limit is one for the depth too.
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

/** JSON with a line for each value down to the third level: of a specification, for each operation and each component. */
export function jsonLines(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null || depth === linedDepth || isRawNumber(value))
    return JSON.stringify(value);
  const isList = Array.isArray(value);
  const lines = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${isList ? "" : `${JSON.stringify(key)}: `}${jsonLines(each, depth + 1)}`);
  const [open, close] = isList ? "[]" : "{}";
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(",\n")}\n${close}`;
}
