import { isList, isObject, type Json, type JsonObject, listAt, member, textAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { jsonIn } from "../operations/media-type.js";

/** The structure of a payload or of headers. */
export interface PayloadSchema {
  /** As JSON Schema. Absent in a format that cannot be shown as fields. */
  readonly schema?: Json;
  /** Unless it is the usual one. */
  readonly format?: string;
  /** The schema in a format that is shown as written, with the name of its language. */
  readonly written?: { readonly value: Json; readonly lang: string | undefined };
}

/**
 * Reads a schema, which may be in another format than JSON Schema.
 *
 * @param written may be a reference.
 * @param followed what it refers to: a schema, or an object with a schema and its format.
 * @param usual the format, unless that object says it.
 */
export function readPayload(written: Json | undefined, followed: Json | undefined, usual?: string): PayloadSchema {
  const own = textAt(followed, "schemaFormat");
  const inner = own === undefined ? undefined : member(followed, "schema");
  const format = inner === undefined ? usual : own;
  const schema = inner ?? written;
  if (schema === undefined) return {};
  if (format === undefined || /schema\+(?:json|yaml)|asyncapi|openapi/i.test(format)) return { schema };
  const value = inner ?? followed ?? schema;
  if (/\bavro\b/i.test(format)) return { schema: schemaOfAvro(value), format };
  return { format, written: { value, lang: languages.find(([name]) => name.test(format))?.[1] } };
}

const languages = [
  [/protobuf/i, "proto"],
  [/raml/i, "yaml"],
  [/xml|xsd/i, "xml"],
] as const;

/** Avro's types, as JSON Schema. */
const primitives: JsonObject = {
  null: { type: "null" },
  boolean: { type: "boolean" },
  int: { type: "integer", format: "int32" },
  long: { type: "integer", format: "int64" },
  float: { type: "number", format: "float" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "bytes" },
  string: { type: "string" },
};

/**
 * An Avro schema as JSON Schema. A named type that is used again is the same schema; one inside itself is only named. What
 * Avro does not know is of any type.
 */
function schemaOfAvro(avro: Json): Json {
  const named = new Map<string, Json>();

  function schemaOf(written: Json | undefined): Json {
    if (isList(written)) return written.length === 1 ? schemaOf(written[0]) : { anyOf: written.map(schemaOf) };
    if (typeof written === "string") return named.get(written) ?? member(primitives, written) ?? {};
    if (!isObject(written)) return {};
    const { type, symbols, size, items, values, default: fallback } = written;
    const name = textAt(written, "name");
    const about = withoutUndefined<object>({ title: name, description: textAt(written, "doc"), default: fallback });
    const register = (schema: Json): Json => {
      const whole = `${textAt(written, "namespace")}.${name}`;
      if (name !== undefined) for (const each of [name, whole]) named.set(each, schema);
      return schema;
    };
    if (type === "enum") return register({ type: "string", enum: symbols ?? [], ...about });
    if (type === "fixed") return register({ type: "string", format: `fixed(${String(size)})`, ...about });
    if (type === "array") return { type, items: schemaOf(items), ...about };
    if (type === "map") return { type: "object", additionalProperties: schemaOf(values), ...about };
    if (type !== "record" && type !== "error") {
      const { precision, scale = 0 } = written;
      const logical = textAt(written, "logicalType");
      const format = logical && precision !== undefined ? `${logical}(${String(precision)},${String(scale)})` : logical;
      return { ...(schemaOf(type) as JsonObject), ...about, ...(format && { format }) };
    }
    register({ type: "object", ...about });
    const fields = listAt(written, "fields").filter(isObject);
    const required = fields.filter((field) => !Object.hasOwn(field, "default")).map((field) => field["name"] ?? "");
    const properties = Object.fromEntries(fields.map((field) => [textAt(field, "name") ?? "", propertyOf(field)]));
    return register({ type: "object", ...about, properties, required });
  }

  const propertyOf = (field: JsonObject): Json => {
    const { default: usual, example } = field;
    const own = withoutUndefined<object>({ description: textAt(field, "doc"), default: usual, example });
    return { ...(schemaOf(field["type"]) as JsonObject), ...own };
  };

  // YAML may have an Avro schema as a text of JSON.
  return schemaOf(typeof avro === "string" ? jsonIn(avro) : avro);
}
