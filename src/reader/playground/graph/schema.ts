import { parseType, type TypeNode } from "graphql";
import type {
  FormProperty,
  FormSchema,
  GraphField,
  GraphType,
  GraphTypes,
} from "../../../reference/forms/playground-form.js";

export type GraphSchema = ReturnType<typeof createSchema>;

/** Fields that are selected by default with an object. */
const maxLeaves = 5;

/** `[Book!]!` -> `Book`. */
export const coreOf = (type: string): string => type.replace(/[[\]!\s]/g, "");

const ownValue = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;

export const isRequired = ({ type, default: fallback }: GraphField): boolean =>
  type.endsWith("!") && fallback === undefined;

export function createSchema({ roots, types }: GraphTypes) {
  const typeOf = (name: string): GraphType | undefined => ownValue(types, name);
  const isLeaf = (name: string): boolean => /^(?:scalar|enum)$/.test(typeOf(name)?.kind ?? "scalar");
  const fieldsOf = (name: string): [string, GraphField][] => Object.entries(typeOf(name)?.fields ?? {});
  return {
    typeOf,
    isLeaf,
    fieldsOf,
    rootOf: (operation: string): string =>
      ownValue(roots, { query: "queries", mutation: "mutations" }[operation] ?? "subscriptions") ?? "",
    fieldOf: (type: string, field: string): GraphField | undefined => ownValue(typeOf(type)?.fields, field),
    membersOf: (name: string): readonly string[] => typeOf(name)?.members ?? [],
    /** The fields of an object that are selected by default; undefined if it has no such field. */
    leavesOf(name: string): string[] | undefined {
      const leaves = fieldsOf(name).filter(
        ([, { type, args = {}, deprecated }]) =>
          isLeaf(coreOf(type)) && !deprecated && !Object.values(args).some(isRequired),
      );
      return leaves.length === 0 ? undefined : leaves.slice(0, maxLeaves).map(([field]) => field);
    },
  };
}

const scalars: Readonly<Record<string, string>> = {
  Int: "integer",
  Float: "number",
  String: "string",
  Boolean: "boolean",
  ID: "string",
};

/** The schemas of the variables' form. Each input type is one schema, however often it is used. */
export function createInputSchemas({ typeOf, fieldsOf }: GraphSchema) {
  const schemas: FormSchema[] = [{}];
  const inputs = new Map<string, number>();
  const waiting: { readonly name: string; readonly properties: FormProperty[] }[] = [];
  const put = (schema: FormSchema): number => schemas.push(schema) - 1;
  const named = (name: string): FormSchema => {
    const { kind, values, description } = typeOf(name) ?? {};
    if (kind === "enum" && values) return { label: name, types: ["string"], enum: values };
    if (kind !== "input") return { label: name, ...(ownValue(scalars, name) && { types: [ownValue(scalars, name)!] }) };
    const properties: FormProperty[] = [];
    const schema = { label: name, types: ["object"], properties, ...(description && { description }) };
    inputs.set(name, put(schema));
    waiting.push({ name, properties });
    return schema;
  };
  const schemaOf = (node: TypeNode): number => {
    if (node.kind === "NonNullType") return schemaOf(node.type);
    if (node.kind === "ListType") return put({ types: ["array"], items: schemaOf(node.type) });
    const index = inputs.get(node.name.value);
    if (index !== undefined) return index;
    const schema = named(node.name.value);
    return inputs.get(node.name.value) ?? put(schema);
  };
  const propertyOf = (name: string, field: GraphField): FormProperty => {
    const { type, default: fallback, description, deprecated } = field;
    const index = schemaOf(parseType(type));
    const isPlain = fallback === undefined && description === undefined && !deprecated;
    const fieldIndex = isPlain
      ? index
      : put({
          ...schemas[index],
          ...(fallback !== undefined && { default: fallback }),
          ...(description !== undefined && { description }),
          ...(deprecated && { deprecated }),
        });
    return isRequired(field) ? [name, fieldIndex, 1] : [name, fieldIndex];
  };
  return {
    schemas,
    /** The index of the schema of an object with these fields. */
    objectOf(fields: readonly (readonly [string, GraphField])[]): number {
      const properties = fields.map(([name, field]) => propertyOf(name, field));
      for (let next = waiting.pop(); next; next = waiting.pop())
        for (const [name, field] of fieldsOf(next.name)) next.properties.push(propertyOf(name, field));
      return put({ label: "", types: ["object"], properties });
    },
  };
}
