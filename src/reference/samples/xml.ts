import * as json from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { FlatSchema, SchemaReader } from "../schema/flat-schema.js";

/** The `xml` keywords of a schema. */
export interface XmlKeywords {
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  /** `nodeType` of OpenAPI 3.2, or the older `attribute`. */
  readonly kind?: string;
  readonly wrapped?: true;
}

/** The part of a schema that XML needs. Inner shapes are created on demand, since a schema may refer to itself. */
export interface XmlShape {
  readonly xml: XmlKeywords | undefined;
  property(name: string): XmlShape | undefined;
  item(): XmlShape | undefined;
}

/** Collects the content of an element. */
interface Inside {
  readonly attributes: string[];
  readonly children: string[];
  content: string;
}

/** Limits of a sample: UTF-16 code units of all texts, and levels. */
const maxLength = 20_000;
const maxDepth = 40;

/**
 * A value as an XML document with two blanks a level, as the `xml` keywords of its schema say: names, attributes,
 * wrapped lists, namespaces, values without an element of their own.
 *
 * @param root name of the element, unless the schema has one.
 */
export function printXml(value: json.Json, root: string, shape: XmlShape, limit: number = maxLength): string {
  let left = limit;

  const element = (name: string, value: json.Json, shape: XmlShape | undefined, indent: string): string[] => {
    left -= name.length;
    if (left < 0 || indent.length / 2 > maxDepth) return [];
    const xml = shape?.xml;
    const tag = qualified(name, xml);
    const inside: Inside = { attributes: [], children: [], content: "" };
    const isValue = !json.isContainer(value);
    if (isValue) inside.content = text(value, xml);
    else if (Array.isArray(value)) addItems(inside, name, value, shape, `${indent}  `);
    else addMembers(inside, value, shape, `${indent}  `);
    const { attributes, children, content } = inside;
    const open = `${indent}<${tag}${namespace(xml)}${attributes.join("")}`;
    if (children.length === 0) return [content === "" && !isValue ? `${open} />` : `${open}>${content}</${tag}>`];
    return [`${open}>`, ...(content === "" ? [] : [`${indent}  ${content}`]), ...children, `${indent}</${tag}>`];
  };

  const addMembers = (inside: Inside, value: json.Json, shape: XmlShape | undefined, indent: string): void => {
    for (const [key, child] of Object.entries(value as json.JsonObject)) {
      const property = shape?.property(key);
      add(inside, xmlName(property?.xml, key), child, property, indent);
    }
  };

  /** @param name of the list; items without a name of their own have it too. */
  const addItems = (
    inside: Inside,
    name: string,
    items: readonly json.Json[],
    shape: XmlShape | undefined,
    indent: string,
  ): void => {
    const item = shape?.item();
    for (const entry of items) add(inside, xmlName(item?.xml, name), entry, item, indent);
  };

  /** Adds a value to the element around it, as the node that its schema asks for. */
  const add = (inside: Inside, name: string, value: json.Json, shape: XmlShape | undefined, indent: string): void => {
    const xml = shape?.xml;
    if (xml?.kind === "attribute")
      inside.attributes.push(` ${qualified(name, xml)}="${inAttribute(text(value, xml))}"`);
    else if (isContent(xml)) inside.content += text(value, xml);
    else if (Array.isArray(value) && !isWrapped(xml)) addItems(inside, name, value, shape, indent);
    else if (xml?.kind !== "none" || Array.isArray(value)) inside.children.push(...element(name, value, shape, indent));
    else if (json.isObject(value)) addMembers(inside, value, shape, indent);
    else inside.content += text(value, xml);
  };

  const text = (value: json.Json, xml: XmlKeywords | undefined): string => {
    const written = value === null ? "" : typeof value === "object" ? json.stringify(value) : String(value);
    left -= written.length;
    if (left < 0) return "…";
    return xml?.kind === "cdata" ? `<![CDATA[${written.replaceAll("]]>", "]]]]><![CDATA[>")}]]>` : escaped(written);
  };

  const name = xmlName(shape.xml, root);
  const whole: Inside = { attributes: [], children: [], content: "" };
  if (Array.isArray(value) && !isWrapped(shape.xml)) addItems(whole, name, value, shape, "");
  else whole.children.push(...element(name, value, shape, ""));
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...whole.children].join("\n");
}

/** Whether a list has an element of its own around its items. */
export const isWrapped = (xml: XmlKeywords | undefined): boolean => xml?.wrapped === true || xml?.kind === "element";

/** Whether a property is the text of its object's element. */
export const isContent = (xml: XmlKeywords | undefined): boolean => xml?.kind === "text" || xml?.kind === "cdata";

/** The name of an element or attribute, without characters that no name of XML has. */
export const xmlName = (xml: XmlKeywords | undefined, name: string): string => {
  const clean = (xml?.name ?? name).replace(/[^\p{L}\p{N}_.:-]/gu, "_").slice(0, 200);
  return /^[\p{L}_]/u.test(clean) ? clean : `_${clean}`;
};

const qualified = (name: string, { prefix }: XmlKeywords = {}): string =>
  prefix === undefined ? name : `${xmlName(undefined, prefix)}:${name}`;

function namespace({ namespace: uri, prefix }: XmlKeywords = {}): string {
  if (uri === undefined) return "";
  return ` xmlns${prefix === undefined ? "" : `:${xmlName(undefined, prefix)}`}="${escaped(uri)}"`;
}

const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no other control characters
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** XML parsers turn line breaks in attributes into blanks. */
const inAttribute = (text: string): string => text.replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Limit of options of unions, nested ones included, that are searched for a property. */
const maxOptions = 100;

/** The root has the name that the schema gives it, else that of its component. */
export const rootName = (flat: FlatSchema): string => xmlName(xmlKeywords(flat), flat.refName ?? "root");

export function xmlKeywords(flat: FlatSchema): XmlKeywords | undefined {
  const xml = flat.parts.map((part) => json.member(part, "xml")).find(json.isObject);
  if (xml === undefined) return undefined;
  const kind = json.textAt(xml, "nodeType") ?? (json.isTrueAt(xml, "attribute") ? "attribute" : undefined);
  const [name, prefix, namespace] = ["name", "prefix", "namespace"].map((key) => json.textAt(xml, key));
  const wrapped = json.isTrueAt(xml, "wrapped") || undefined;
  const keywords = withoutUndefined({ name, prefix, namespace, kind, wrapped });
  return Object.keys(keywords).length > 0 ? keywords : undefined;
}

export function xmlShape(flat: FlatSchema, reader: SchemaReader): XmlShape {
  const below = (schemas: readonly json.Json[] | undefined): XmlShape | undefined =>
    schemas === undefined || schemas.length === 0 ? undefined : xmlShape(reader.flatten(...schemas), reader);
  return {
    xml: xmlKeywords(flat),
    property: (name) => below(propertyOf(flat, name, reader)),
    item: () => below(flat.items),
  };
}

/** Finds a property in the schema itself, else in an option. */
function propertyOf(flat: FlatSchema, name: string, reader: SchemaReader): readonly json.Json[] | undefined {
  const all = new Set([flat]);
  for (const candidate of all) {
    const property = candidate.properties.get(name);
    if (property !== undefined) return property;
    for (const { schema } of candidate.unions.flatMap(({ options }) => options))
      if (all.size < maxOptions) all.add(reader.flatten(schema));
  }
  return undefined;
}
