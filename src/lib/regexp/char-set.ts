import { PatternError } from "./parse-pattern.js";

/** What one character of a pattern may be. */
export interface CharSet {
  readonly isNegated: boolean;
  /** Each a character or an escape as written; with `to`, all characters between the two. */
  readonly members: readonly { readonly from: string; readonly to?: string }[];
}

const unit = /\\(?:[upPx]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|./gisu;

/**
 * @param source of a `char` node.
 * @throws {PatternError} for a class without members.
 */
export function charSet(source: string): CharSet {
  if (!source.startsWith("[")) return { isNegated: false, members: [{ from: source }] };
  const isNegated = source.startsWith("[^");
  const units = source.slice(isNegated ? 2 : 1, -1).match(unit);
  if (!units) throw new PatternError("an end of the class was not expected in the regular expression");
  const members: { from: string; to?: string }[] = [];
  for (let at = 0; at < units.length; at++) {
    const from = units[at]!;
    const isRange = units[at + 1] === "-" && at + 2 < units.length && !/^\\[dswp]/i.test(from);
    members.push(isRange ? { from, to: units[at + 2]! } : { from });
    if (isRange) at += 2;
  }
  return { isNegated, members };
}
