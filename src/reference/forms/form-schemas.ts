import { isObject, type Json, shortJson } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { xmlKeywords } from "../samples/xml.js";
import { type FlatSchema, ruleSchemas, type SchemaReader } from "../schema/flat-schema.js";
import { plainRefOf, type References } from "../schema/references.js";
import { isSent } from "../schema/schema-inside.js";
import { isFile, ownTypes, typeLabel } from "../schema/type-label.js";
import type { FormProperty, FormSchema, FormUnion } from "./playground-form.js";

export type FormSchemas = ReturnType<typeof createFormSchemas>;

/** Limits that keep the file of a page small. */
const maxSchemas = 400;
const maxLength = 60_000;
const maxOptions = 40;
const maxValues = 400;
const maxValueLength = 300;
const maxPatternLength = 500;
const maxProperties = 300;
const maxRules = 40;

/** Collects the schemas of one form. Each schema has one index, so a recursive schema refers to itself. */
export function createFormSchemas(reader: SchemaReader, references: References) {
  const done: FormSchema[] = [{}];
  const indexes = new Map<string, number>();
  const ids = new Map<object, number>();
  const waiting: { readonly index: number; readonly flat: FlatSchema }[] = [];
  let count = 1;
  let length = 0;

  /** Adds schemas that apply together. @returns the index of their merged schema. */
  const add = (schemas: readonly Json[]): number => {
    const key = schemas.map((schema) => schemaKey(schema, references, ids)).join();
    const cached = indexes.get(key);
    if (cached !== undefined) return cached;
    if (count >= maxSchemas) return cutIndex();
    const flat = reader.flatten(...schemas);
    const index = count++;
    indexes.set(key, index);
    waiting.push({ index, flat });
    return index;
  };
  /** One shared entry for everything beyond the limit. */
  const cutIndex = (): number => {
    const index = indexes.get("cut") ?? count++;
    indexes.set("cut", index);
    done[index] = { cut: true };
    return index;
  };

  return {
    add,
    /** All added schemas and those inside them. The first one permits any value. */
    finish(): FormSchema[] {
      // Level by level, so that the deepest schemas are missing if the limit is reached.
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const schema: FormSchema = length > maxLength ? { cut: true } : formSchema(next.flat, reader, add);
        length += JSON.stringify(schema).length;
        done[next.index] = schema;
      }
      return done;
    },
  };
}

/** Identifies a schema by its object, after following plain references. */
function schemaKey(schema: Json, references: References, ids: Map<object, number>): string {
  const target = plainRefOf(schema) === undefined ? schema : references.follow(schema);
  if (!isObject(target)) return JSON.stringify(target);
  const id = ids.get(target) ?? ids.size;
  ids.set(target, id);
  return `#${id}`;
}

function formSchema(flat: FlatSchema, reader: SchemaReader, add: FormSchemas["add"]): FormSchema {
  const types = ownTypes(flat);
  const values = flat.enum?.filter((value) => isShort(value)).slice(0, maxValues);
  const preset = flat.parts.find((part) => Object.hasOwn(part, "x-default"))?.["x-default"];
  const encoding = flat.contentEncoding ?? (flat.format === "byte" ? "base64" : undefined);
  const limits = Object.keys(flat.limits).length > 0 ? flat.limits : undefined;
  return withoutUndefined({
    types: types.length > 0 ? types : undefined,
    nullable: flat.nullable || undefined,
    title: plainText(flat.title),
    description: plainText(flat.description),
    format: flat.format?.slice(0, 60),
    file: isFile(flat) || undefined,
    encoding: encoding?.startsWith("base64") ? encoding : undefined,
    enum: values !== undefined && values.length > 0 ? values : undefined,
    const: flat.const !== undefined && isShort(flat.const.value) ? flat.const.value : undefined,
    default: flat.default !== undefined && isShort(flat.default.value) ? flat.default.value : undefined,
    example: flat.examples.find(isShort),
    preset: preset !== undefined && isShort(preset) ? preset : undefined,
    pattern: flat.pattern !== undefined && flat.pattern.length <= maxPatternLength ? flat.pattern : undefined,
    limits,
    uniqueItems: flat.uniqueItems || undefined,
    deprecated: flat.deprecated || undefined,
    properties: propertiesOf(flat, reader, add),
    additional: additionalOf(flat, types, add),
    items: flat.items.length > 0 ? add(flat.items) : undefined,
    prefixItems: flat.prefixItems.length > 0 ? flat.prefixItems.slice(0, 50).map((item) => add([item])) : undefined,
    xml: xmlKeywords(flat),
    unions: flat.unions.length > 0 ? flat.unions.map((union) => unionOf(union, reader, add)) : undefined,
  });
}

/** The properties that a request may have, conditional ones included. */
function propertiesOf(flat: FlatSchema, reader: SchemaReader, add: FormSchemas["add"]): FormProperty[] | undefined {
  const out = new Map<string, FormProperty>();
  const layers = [flat];
  for (const layer of layers) {
    for (const [name, schemas] of layer.properties) {
      if (out.size >= maxProperties) break;
      if (out.has(name) || !isSent(schemas, "request", reader)) continue;
      const schema = add(schemas);
      out.set(name, layer === flat && flat.required.has(name) ? [name, schema, 1] : [name, schema]);
    }
    if (layers.length > maxRules) break;
    for (const { kind, schema } of ruleSchemas(layer.rules))
      if (kind === "then" || kind === "else" || kind === "with") layers.push(reader.flatten(schema));
  }
  return out.size > 0 ? [...out.values()] : undefined;
}

/** An object without keywords may have any properties; one with named ones only if it says so. */
function additionalOf(flat: FlatSchema, types: readonly string[], add: FormSchemas["add"]): number | undefined {
  const { additional } = flat;
  const [pattern] = flat.patternProperties.values();
  if (pattern !== undefined) return add(pattern);
  if (isObject(additional)) return add([additional]);
  if (additional === true) return 0;
  const saysNothing = additional === undefined && flat.properties.size === 0 && flat.unions.length === 0;
  return saysNothing && types.includes("object") ? 0 : undefined;
}

function unionOf(
  { options, discriminator }: FlatSchema["unions"][number],
  reader: SchemaReader,
  add: FormSchemas["add"],
): FormUnion {
  return withoutUndefined({
    discriminator,
    options: options.slice(0, maxOptions).map(({ schema, value }) => {
      const flat = reader.flatten(schema);
      const title = flat.title?.trim() ?? flat.refName ?? value ?? typeLabel(flat, reader);
      return withoutUndefined({ schema: add([schema]), title: plainText(title), value });
    }),
  });
}

const isShort = (value: Json): boolean => shortJson(value, maxValueLength) !== undefined;

const plainTextMaxLength = 240;

/** The first paragraph of a description as plain text, cut to a few lines for a form; undefined if it is empty. */
export function plainText(markdown: string | undefined): string | undefined {
  if (markdown === undefined) return undefined;
  const [first = ""] = markdown
    .slice(0, 4 * plainTextMaxLength)
    .trim()
    .split(/\n\s*\n/, 1);
  // Inside a code span, nothing is markup.
  const parts = first.split("`").map((part, i) => (i % 2 === 1 ? part : withoutMarkup(part)));
  const joined = parts.join("");
  const text = (/\s\s|[^\S ]/.test(joined) ? joined.replace(/\s+/g, " ") : joined).trim();
  if (text === "") return undefined;
  return text.length > plainTextMaxLength ? `${text.slice(0, plainTextMaxLength).toWellFormed().trimEnd()}…` : text;
}

const withoutMarkup = (markdown: string): string =>
  !/[[<*_#+-]/.test(markdown)
    ? markdown
    : markdown
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/<\/?[a-z][^>]*>/gi, "")
        .replace(/\*\*|__/g, "")
        .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]+)\1(?!\w)/g, "$2")
        .replace(/^\s*(?:#+|[*+-])\s+/gm, "");
