import { isObject, type Json } from "../json/index.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import type { References } from "./references.js";
import { SchemaMerger } from "./schema-merger.js";

/** One for each specification: what a schema comes to is worked out once. */
export function createSchemaReader(references: References): SchemaReader {
  const known = new WeakMap<object, FlatSchema>();
  const flatten = (...schemas: readonly Json[]): FlatSchema => {
    const [only] = schemas;
    const key = schemas.length === 1 && isObject(only) ? only : undefined;
    const found = key && known.get(key);
    if (found) return found;
    const merger = new SchemaMerger(references);
    for (const schema of schemas) merger.absorb(schema, 0);
    const flat = merger.done(schemas);
    if (key) known.set(key, flat);
    return flat;
  };
  return { flatten };
}
