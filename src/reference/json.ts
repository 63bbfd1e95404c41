/** Looks into a specification: whatever stands there, and only what stands there, comes back as what was asked for. */
import type { Json, JsonObject } from "../specs/api-spec.js";
import { isObject } from "../specs/resolve-pointer.js";

export { isObject };

/** An own member; `__proto__` and its like are names as others. */
export const member = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Text that says something. */
export function textAt(value: Json | undefined, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
}

export function numberAt(value: Json | undefined, name: string): number | undefined {
  const found = member(value, name);
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

/** JSON on one line; undefined if it is longer than `limit` (characters, some hundreds at most). */
export function shortJson(value: Json, limit: number): string | undefined {
  let out = "";
  // Every level writes a character, so the limit is one for the depth too.
  const write = (each: Json): boolean => {
    if (typeof each === "string" && each.length > limit) return false;
    if (typeof each !== "object" || each === null) out += JSON.stringify(each);
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
