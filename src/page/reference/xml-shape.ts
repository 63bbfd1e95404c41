import { isObject, isTrueAt, type Json, member, textAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import { type XmlKeywords, type XmlShape, xmlName } from "./print-xml.js";

/** Options of unions, and of unions in them, that are looked into for a property. */
const maxOptions = 100;

/** The root is named by the schema, else by its component. */
export const rootName = (flat: FlatSchema): string => xmlName(xmlKeywords(flat), flat.refName ?? "root");

export function xmlKeywords(flat: FlatSchema): XmlKeywords | undefined {
  const xml = flat.parts.map((part) => member(part, "xml")).find(isObject);
  if (xml === undefined) return undefined;
  const kind = textAt(xml, "nodeType") ?? (isTrueAt(xml, "attribute") ? "attribute" : undefined);
  const [name, prefix, namespace] = ["name", "prefix", "namespace"].map((key) => textAt(xml, key));
  const wrapped = isTrueAt(xml, "wrapped") || undefined;
  const found = withoutUndefined({ name, prefix, namespace, kind, wrapped });
  return Object.keys(found).length > 0 ? found : undefined;
}

export function xmlShape(flat: FlatSchema, reader: SchemaReader): XmlShape {
  const below = (schemas: readonly Json[] | undefined): XmlShape | undefined =>
    schemas === undefined || schemas.length === 0 ? undefined : xmlShape(reader.flatten(...schemas), reader);
  return {
    xml: xmlKeywords(flat),
    property: (name) => below(propertyOf(flat, name, reader)),
    item: () => below(flat.items),
  };
}

/** Of the schema itself, else of an option. */
function propertyOf(flat: FlatSchema, name: string, reader: SchemaReader): readonly Json[] | undefined {
  const all = new Set([flat]);
  for (const each of all) {
    const found = each.properties.get(name);
    if (found !== undefined) return found;
    for (const { schema } of each.unions.flatMap(({ options }) => options))
      if (all.size < maxOptions) all.add(reader.flatten(schema));
  }
  return undefined;
}
