import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject, isTrueAt, listAt, member, textsAt } from "../../lib/json/index.js";
import { type References, refOf } from "./references.js";

/** Whether everyone may see it: it has no `x-mint.groups`, and is not `x-internal`. */
export const isForEveryone = (part: Json | undefined): boolean =>
  listAt(member(part, "x-mint"), "groups").length === 0 && !isTrueAt(part, "x-internal");

/** The same for a part, or for the target of its reference. */
export const isShown = (part: Json, references: References): boolean =>
  !references.hasAudiences() ||
  (isForEveryone(part) && (refOf(part) === undefined || isForEveryone(references.follow(part))));

/** Whether everyone may see a value of an enumeration. @param groups `x-mint-enum`, by value. */
export const isValueShown = (value: Json, groups: Json | undefined): boolean =>
  typeof value === "object" || listAt(groups, String(value)).length === 0;

/**
 * Filters an object or a list of a specification to what everyone may see. Members for certain groups of readers are
 * dropped, and so are their names and values in `required` and `enum`.
 */
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
        out.push([key, values.filter((each: Json) => isValueShown(each, structure["x-mint-enum"]))]);
      else out.push([key, value]);
    }
    return Object.fromEntries(out);
  };
}
