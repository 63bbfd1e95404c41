import { isObject, type Json, type JsonObject } from "../../lib/json/index.js";
import { type FlatSchema, type SchemaReader, valueKey } from "../schema/flat-schema.js";
import { hasType } from "../schema/type-label.js";

/** How many schemas may still be compared; after that, values count as valid. */
export interface CheckRoom {
  left: number;
}

/** Whether a generated value meets the types, values and properties of a schema. Patterns and ranges count as met. */
export function meets(value: Json, schema: Json, reader: SchemaReader, room: CheckRoom): boolean {
  if (room.left-- <= 0) return true;
  const flat = reader.flatten(schema);
  if (flat.never) return false;
  const { types, const: only, enum: values } = flat;
  if (value === null ? types.length > 0 && !flat.nullable : !hasType(value, types)) return false;
  if (only && !isSame(only.value, value)) return false;
  if (values && value !== null && !values.some((allowed) => isSame(allowed, value))) return false;
  if (flat.rules.some((rule) => rule.kind === "not" && meets(value, rule.schema, reader, room))) return false;
  if (!isObject(value)) return true;
  if ([...flat.required].some((name) => !Object.hasOwn(value, name))) return false;
  return [...flat.properties].every(
    ([name, schemas]) =>
      !Object.hasOwn(value, name) || schemas.every((property) => meets(value[name]!, property, reader, room)),
  );
}

const isSame = (a: Json, b: Json): boolean =>
  typeof a === "object" || typeof b === "object"
    ? JSON.stringify(a) === JSON.stringify(b)
    : valueKey(a) === valueKey(b);

/** The schemas that rules add to a generated object: what follows from its properties, and from a condition. */
export function* consequences(
  flat: FlatSchema,
  value: () => JsonObject,
  reader: SchemaReader,
  room: CheckRoom,
): Generator<Json> {
  for (const rule of flat.rules) {
    if (rule.kind === "with" && Object.hasOwn(value(), rule.name)) yield rule.schema;
    if (rule.kind !== "if") continue;
    const followed = meets(value(), rule.when, reader, room) ? rule.then : rule.else;
    if (followed !== undefined) yield followed;
  }
}
