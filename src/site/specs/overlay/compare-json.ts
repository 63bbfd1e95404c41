import type { Json } from "../../../lib/json/index.js";
import { isList, isObject } from "../../../lib/json/index.js";

/**
 * Compares as JSONPath does; undefined is what is not there.
 *
 * @param operator `==`, `!=`, `<`, `<=`, `>`, `>=`.
 * @param spend is told how much has been looked at; it may throw.
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

/** By code points, which is not the order of UTF-16. */
function compareText(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  // Behind the first half of a pair: its code point begins before.
  if (/^[\udc00-\udfff]$/.test(left[at] ?? "") && at > 0) at--;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** Objects are the same in whatever order their members stand. */
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
