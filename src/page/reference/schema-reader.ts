import { isObject, type Json, type JsonObject } from "../../lib/json/index.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import { plainRefOf, type References } from "./references.js";
import { SchemaMerger } from "./schema-merger.js";

/** One for each specification; each schema is resolved once. */
export function createSchemaReader(references: References): SchemaReader {
  const known = new WeakMap<object, FlatSchema>();
  /** Schemas of plain references, which occur in many places. */
  const referred = new Map<string, FlatSchema>();
  const merge = (schemas: readonly Json[]): FlatSchema => {
    const merger = new SchemaMerger(references);
    for (const schema of schemas) merger.absorb(schema, 0);
    return merger.done(schemas);
  };
  const flattenOne = (schema: JsonObject): FlatSchema => {
    const ref = plainRefOf(schema);
    const flat = (ref !== undefined && referred.get(ref)) || merge([schema]);
    if (ref !== undefined) referred.set(ref, flat);
    return flat;
  };
  const flatten = (...schemas: readonly Json[]): FlatSchema => {
    const [only] = schemas;
    if (schemas.length !== 1 || !isObject(only)) return merge(schemas);
    const found = known.get(only);
    if (found) return found;
    const flat = flattenOne(only);
    known.set(only, flat);
    return flat;
  };
  return { flatten };
}
