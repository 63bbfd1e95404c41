import { entriesAt, type Json, type JsonObject, listAt, member, textAt, textsAt } from "../../lib/json/index.js";
import { rememberedFor } from "../../lib/memo.js";
import { plainText } from "../forms/form-schemas.js";
import { dataFile, type ReferenceFile } from "../forms/playground.js";
import type { GraphField, GraphType, GraphTypes } from "../forms/playground-form.js";

/** Limit of fields of all types together. The editor suggests no fields of further types. */
const maxFields = 60_000;

const typesFile = rememberedFor((document: JsonObject) => dataFile("types", graphTypes(document)));

/** A file with the types of a schema, for the playground's editor; undefined if the site names no server of the API. */
export function graphqlTypesFile(document: JsonObject): ReferenceFile | undefined {
  return listAt(document, "servers").length === 0 ? undefined : typesFile(document);
}

function graphTypes(document: JsonObject): GraphTypes {
  const schema = graphqlSchema(document);
  const roots = entriesAt(document, "roots").map(([name]) => name);
  const written = entriesAt(document, "types").filter(([name]) => !name.startsWith("@"));
  const possible = Map.groupBy(
    written.flatMap(([name, type]) => textsAt(type, "interfaces").map((of) => ({ name, of }))),
    ({ of }) => of,
  );
  let left = maxFields;
  const typeOf = (name: string, type: Json | undefined): GraphType => {
    const kind = schema.kindOf(name) as GraphType["kind"];
    const fields = schema.fieldsOf(name);
    const members = schema.membersOf(name).concat(possible.get(name)?.map((implementer) => implementer.name) ?? []);
    left -= fields.length;
    return {
      kind,
      ...(fields.length > 0 && left >= 0 && { fields: fieldsOf(fields, kind === "input") }),
      ...(kind === "enum" && { values: schema.valuesOf(name) }),
      ...(members.length > 0 && { members }),
      ...(textAt(type, "description") !== undefined && kind === "input" && { description: aboutOf(type) }),
    };
  };
  return {
    roots: Object.fromEntries(entriesAt(document, "roots").map(([name, list]) => [list as string, name])),
    types: Object.fromEntries([
      ...roots.map((name) => [name, typeOf(name, undefined)] as const),
      ...written.map(([name, type]) => [name, typeOf(name, type)] as const),
    ]),
  };
}

const fieldsOf = (fields: readonly [string, Json][], isInput: boolean): Record<string, GraphField> =>
  Object.fromEntries(
    fields.map(([name, field]) => {
      const args = entriesAt(field, "args");
      return [
        name,
        {
          type: textAt(field, "type") ?? "",
          ...(textAt(field, "default") !== undefined && { default: textAt(field, "default") }),
          ...(isInput && { description: aboutOf(field) }),
          ...(member(field, "deprecated") !== undefined && { deprecated: true as const }),
          ...(args.length > 0 && { args: fieldsOf(args, true) }),
        },
      ];
    }),
  );

const aboutOf = (part: Json | undefined): string | undefined => plainText(textAt(part, "description"));

/** Looks up the types of a schema, root types included. */
export function graphqlSchema({ types, roots, ...document }: JsonObject) {
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
    /** Undefined types count as scalars. */
    isLeaf: (type: string): boolean => /^(?:scalar|enum)$/.test(kindOf(type) ?? "scalar"),
    valuesOf: (type: string): string[] => entriesAt(member(types, type), "values").map(([name]) => name),
    /** The types that a union can be. */
    membersOf: (type: string): string[] => textsAt(member(types, type), "members"),
    /** Whether clients must give exactly one field of an input. */
    isChoice: (type: string): boolean => textsAt(member(types, type), "directives").includes("@oneOf"),
  };
}

/** Whether a client must give an argument, or a field of an input. */
export const isRequired = (field: Json): boolean =>
  textAt(field, "type")?.endsWith("!") === true && textAt(field, "default") === undefined;
