import { entriesAt, type Json, type JsonObject, member, textAt, textsAt } from "../../../lib/json/index.js";

/** Looks up the types of a schema, those of its operations included. */
export function graphSchema({ types, roots, ...document }: JsonObject) {
  const rootOf = (type: string): string | undefined => textAt(roots, type);
  const fieldsOf = (type: string): [string, Json][] => {
    const list = rootOf(type);
    return list === undefined ? entriesAt(member(types, type), "fields") : entriesAt(document, list);
  };
  const kindOf = (type: string): string | undefined =>
    rootOf(type) === undefined ? textAt(member(types, type), "kind") : "type";
  return {
    fieldsOf,
    kindOf,
    /** Types that the schema does not define are scalars, too. */
    isLeaf: (type: string): boolean => /^(?:scalar|enum)$/.test(kindOf(type) ?? "scalar"),
    valuesOf: (type: string): string[] => entriesAt(member(types, type), "values").map(([name]) => name),
    /** The types that a union can be. */
    membersOf: (type: string): string[] => textsAt(member(types, type), "members"),
    /** Whether exactly one field of an input must be given. */
    isChoice: (type: string): boolean => textsAt(member(types, type), "directives").includes("@oneOf"),
  };
}

/** Whether a client must give an argument, or a field of an input. */
export const isRequired = (field: Json): boolean =>
  textAt(field, "type")?.endsWith("!") === true && textAt(field, "default") === undefined;
