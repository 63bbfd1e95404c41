import { isObject, type Json } from "../lib/json/index.js";

/**
 * For whom something is, from `groups`: a reader in one of `includes`, of which `*` means every group, and in none of
 * `excludes`. Without a name in `includes`, no reader passes.
 */
export interface Restriction {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/**
 * Reads `groups`: names, or rules with `includes` and `excludes`, where a rule without `includes` is for every other group.
 * A value of another form names no group, so that a mistake publishes nothing. Undefined if `groups` is not written.
 */
export function readRestriction(value: unknown): Restriction | undefined {
  if (value === undefined) return undefined;
  const includes = new Set<string>();
  const excludes = new Set<string>();
  for (const item of Array.isArray(value) ? value : [value])
    if (isObject(item as Json)) {
      const rule = item as { readonly includes?: unknown; readonly excludes?: unknown };
      const excluded = namesIn(rule.excludes);
      for (const name of excluded) excludes.add(name);
      const included = rule.includes === undefined && excluded.length > 0 ? ["*"] : namesIn(rule.includes);
      for (const name of included) includes.add(name);
    } else for (const name of namesIn(item)) includes.add(name);
  return { includes: [...includes], excludes: [...excludes] };
}

/** The same from `groups` of `x-mint`, and from `x-mint-enum`, where an empty list says nothing. */
export const readPartRestriction = (value: unknown): Restriction | undefined =>
  Array.isArray(value) && value.length === 0 ? undefined : readRestriction(value);

const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((name) => typeof name === "string" || typeof name === "number")
    .map((name) => String(name).trim())
    .filter((name) => name !== "");

/**
 * Whether a bundle for readers of these groups has it. A bundle without an audience has nothing with `groups`, since
 * everyone can read it.
 */
export const admits = ({ includes, excludes }: Restriction, audience: readonly string[]): boolean =>
  audience.length > 0 &&
  !excludes.some((name) => audience.includes(name)) &&
  (includes.includes("*") || includes.some((name) => audience.includes(name)));

/** The names of groups in it. */
export const groupsOf = ({ includes, excludes }: Restriction): string[] =>
  [...includes, ...excludes].filter((name) => name !== "*");
