import { isRawNumber } from "./raw-number.js";

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
