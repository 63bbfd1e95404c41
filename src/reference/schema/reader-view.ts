import { isObject, type Json, type JsonObject, member, textsAt } from "../../lib/json/index.js";
import { admits, readPartRestriction } from "../../site/audience.js";
import { type References, refOf } from "./references.js";

/** Whether the readers of the bundle may see a part, and the target of its reference. */
export const isShown = (part: Json, references: References): boolean =>
  !references.hasAudiences() ||
  (references.admits(part) && (refOf(part) === undefined || references.admits(references.follow(part))));

/** Whether the readers of the bundle may see a value of an enumeration. @param groups `x-mint-enum`, by value. */
export function isValueShown(value: Json, groups: Json | undefined, { audience }: References): boolean {
  const restriction = typeof value === "object" ? undefined : readPartRestriction(member(groups, String(value)));
  return restriction === undefined || admits(restriction, audience);
}

/** Removes members that the bundle's readers may not see, with their names in `required` and values in `enum`. */
export function createAudienceFilter(
  references: References,
): (structure: JsonObject | readonly Json[]) => JsonObject | readonly Json[] {
  if (!references.hasAudiences()) return (structure) => structure;
  return (structure) => {
    if (!isObject(structure)) return structure.filter((item: Json) => isShown(item, references));
    const properties = member(structure, "properties");
    const values = structure["enum"];
    const out: [string, Json][] = [];
    for (const [key, value] of Object.entries(structure)) {
      if (!isShown(value, references) || key === "x-mint-enum") continue;
      if (key === "required" && isObject(properties))
        out.push([
          key,
          textsAt(structure, key).filter((name) => isShown(member(properties, name) ?? true, references)),
        ]);
      else if (key === "enum" && Array.isArray(values))
        out.push([key, values.filter((value: Json) => isValueShown(value, structure["x-mint-enum"], references))]);
      else out.push([key, value]);
    }
    return Object.fromEntries(out);
  };
}

/** Whether an extension is for tools that generate pages and libraries. Unknown ones stay, for readers. */
const isToolExtension = (name: string): boolean =>
  /^x-(?:mint|mcp|hidden|excluded|group|default|internal|readme|logo|displayName|tagGroups|code-?samples|oaiMeta)$/i.test(
    name,
  ) ||
  /^x-(?:mint|mcp|speakeasy|stainless|fern|readme|redocly|redoc|scalar|stoplight|apidog|postman|oas)[-.]/i.test(name);

const namedFreely = new Set(
  "properties patternProperties dependentSchemas $defs definitions headers example examples default const value mapping variables schemas parameters encoding scopes payload examples[] enum[] default[]".split(
    " ",
  ),
);

/** Whether the members of this keyword have names that the API's author chose. */
export const isNamedFreely = (key: string): boolean => namedFreely.has(key);

/** The structure without extensions for tools. @param key of the structure; `parameters[]` for a list item. */
export function withoutToolExtensions(
  structure: JsonObject | readonly Json[],
  key: string,
): JsonObject | readonly Json[] {
  if (!hasExtensions(structure) || isNamedFreely(key)) return structure;
  const names = Object.keys(structure);
  if (!names.some((name) => name.startsWith("x-") && isToolExtension(name))) return structure;
  return Object.fromEntries(Object.entries(structure).filter(([name]) => !isToolExtension(name)));
}

export function hasExtensions(part: Json | undefined): boolean {
  if (!isObject(part)) return false;
  for (const name in part) if (name.startsWith("x-")) return true;
  return false;
}
