/** A JSON schema, as data. */
export type JsonSchema = { readonly [key: string]: unknown };

const schemas = new WeakMap<object, () => JsonSchema>();

/** Notes which values a reader accepts: the published schema of docs.json is made from that. */
export function described<R extends object>(reader: R, schema: () => JsonSchema): R {
  schemas.set(reader, schema);
  return reader;
}

/** @throws for a reader without a description. */
export function schemaOf(reader: object): JsonSchema {
  const schema = schemas.get(reader);
  if (!schema) throw new Error(`A reader of settings has no schema: ${reader}`);
  return schema();
}
