import type { Json } from "../../lib/json/index.js";

/** Values are told apart by their JSON; a long one by its beginning. */
export const valueKey = (value: Json): string =>
  typeof value === "string" ? `"${value}` : typeof value === "object" ? shapeOf(value) : String(value);
const shapeOf = (value: Json): string => (value === null ? "null" : `${Array.isArray(value)}${Object.keys(value)}`);
