import { isContainer } from "./access.js";
import type { Json, JsonObject } from "./json.js";

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
