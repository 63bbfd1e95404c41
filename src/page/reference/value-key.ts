import { isContainer, type Json } from "../../lib/json/index.js";

/** A key for comparing values: scalars by their JSON, structures by their member names. */
export const valueKey = (value: Json): string =>
  typeof value === "string"
    ? `"${value}`
    : value === null || isContainer(value)
      ? shapeOf(value)
      : JSON.stringify(value);
const shapeOf = (value: Json): string => (value === null ? "null" : `${Array.isArray(value)}${Object.keys(value)}`);
