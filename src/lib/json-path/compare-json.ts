import type { Json } from "../json/index.js";
import { isList, isObject } from "../json/index.js";

/**
 * Compares by the rules of JSONPath; undefined is a missing value.
 *
 * @param operator `==`, `!=`, `<`, `<=`, `>`, `>=`.
 * @param spend is called with the number of values compared; it may throw.
 */
export function compare(
  left: Json | undefined,
  operator: string,
  right: Json | undefined,
  spend: (count: number) => void,
): boolean {
  if (operator === "==") return isSame(left, right, spend);
  if (operator === "!=") return !isSame(left, right, spend);
  if (operator.endsWith("=") && isSame(left, right, spend)) return true;
  if (typeof left === "number" && typeof right === "number")
    return operator.startsWith("<") ? left < right : left > right;
  if (typeof left !== "string" || typeof right !== "string") return false;
  const order = compareText(left, right);
  return operator.startsWith("<") ? order < 0 : order > 0;
}

/** By code points, which differs from the order of UTF-16. */
function compareText(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  // After the first half of a surrogate pair: its code point starts one unit earlier.
  if (/^[\udc00-\udfff]$/.test(left[at] ?? "") && at > 0) at--;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** The order of members in an object does not matter. */
function isSame(left: Json | undefined, right: Json | undefined, spend: (count: number) => void): boolean {
  spend(1);
  if (left === right) return true;
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((each, i) => isSame(each, right[i], spend));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name], spend))
  );
}
