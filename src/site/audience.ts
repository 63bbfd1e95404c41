import { isObject, type Json } from "../lib/json/index.js";

/**
 * The readers who may see something, from `groups`: those in one of the groups `includes`, where `*` means every group, and
 * in none of `excludes`. If `includes` is empty, no reader may see it.
 */
export interface Restriction {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/**
 * Reads `groups`: names, or rules with `includes` and `excludes`, where a rule without `includes` admits every other group.
 * A value of another form admits no group, so that a mistake publishes nothing. Undefined if `groups` is absent.
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

/** Reads `groups` of `x-mint`, and `x-mint-enum`, where an empty list restricts nothing. */
export const readPartRestriction = (value: unknown): Restriction | undefined =>
  Array.isArray(value) && value.length === 0 ? undefined : readRestriction(value);

const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((name) => typeof name === "string" || typeof name === "number")
    .map((name) => String(name).trim())
    .filter((name) => name !== "");

/**
 * Whether a bundle for readers of these groups may contain something. A bundle without an audience contains nothing that has
 * `groups`, since everyone can read it.
 */
export const admits = ({ includes, excludes }: Restriction, audience: readonly string[]): boolean =>
  audience.length > 0 &&
  !excludes.some((name) => audience.includes(name)) &&
  (includes.includes("*") || includes.some((name) => audience.includes(name)));

export const groupsOf = ({ includes, excludes }: Restriction): string[] =>
  [...includes, ...excludes].filter((name) => name !== "*");
