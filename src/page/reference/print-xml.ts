import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject, isTrueAt, member, textAt } from "../../lib/json/index.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";

/** Limits of a sample: UTF-16 code units of all texts, and levels. */
const maxLength = 20_000;
const maxDepth = 40;

/**
 * A value as an XML document with two blanks a level, as the `xml` keywords of its schema say: names, attributes,
 * wrapped lists, namespaces. The root is named by the schema, else by its component.
 */
export function printXml(value: Json, schema: Json, reader: SchemaReader): string {
  let left = maxLength;

  const element = (name: string, each: Json, flat: FlatSchema | undefined, indent: string): string[] => {
    left -= name.length;
    if (left < 0 || indent.length / 2 > maxDepth) return [];
    if (Array.isArray(each)) return list(name, each, flat, indent);
    const xml = xmlOf(flat);
    const tag = qualified(name, xml);
    if (!isObject(each)) return [`${indent}<${tag}${namespace(xml)}>${text(each, flat)}</${tag}>`];
    const attributes: string[] = [];
    const children: string[] = [];
    let content = "";
    for (const [key, child] of Object.entries(each)) {
      const property = schemaOf(flat?.properties.get(key));
      const own = xmlOf(property);
      const kind = kindOf(own);
      if (kind === "attribute") attributes.push(` ${qualified(nameOf(own, key), own)}="${text(child!, property)}"`);
      else if (kind === "text" || kind === "cdata") content += text(child!, property);
      else children.push(...element(nameOf(own, key), child!, property, `${indent}  `));
    }
    const open = `${indent}<${tag}${namespace(xml)}${attributes.join("")}`;
    if (children.length === 0) return [content === "" ? `${open} />` : `${open}>${content}</${tag}>`];
    return [`${open}>`, ...(content === "" ? [] : [`${indent}  ${content}`]), ...children, `${indent}</${tag}>`];
  };

  /** @param name of the list; items without a name of their own have it too. */
  const list = (name: string, items: readonly Json[], flat: FlatSchema | undefined, indent: string): string[] => {
    const xml = xmlOf(flat);
    const item = schemaOf(flat?.items);
    const isWrapped = isTrueAt(xml, "wrapped") || kindOf(xml) === "element";
    const write = (inner: string) => items.flatMap((each) => element(nameOf(xmlOf(item), name), each, item, inner));
    if (!isWrapped) return write(indent);
    const tag = qualified(name, xml);
    return [`${indent}<${tag}${namespace(xml)}>`, ...write(`${indent}  `), `${indent}</${tag}>`];
  };

  const text = (value: Json, flat: FlatSchema | undefined): string => {
    const written = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    left -= written.length;
    if (left < 0) return "…";
    return kindOf(xmlOf(flat)) === "cdata"
      ? `<![CDATA[${written.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`
      : escaped(written);
  };

  const schemaOf = (schemas: readonly Json[] | undefined): FlatSchema | undefined =>
    schemas === undefined || schemas.length === 0 ? undefined : reader.flatten(...schemas);

  const flat = reader.flatten(schema);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...element(nameOf(xmlOf(flat), flat.refName ?? "root"), value, flat, ""),
  ].join("\n");
}

const xmlOf = (flat: FlatSchema | undefined): JsonObject | undefined =>
  flat?.parts.map((part) => member(part, "xml")).find(isObject);

/** `nodeType` of OpenAPI 3.2, or the older `attribute`. */
const kindOf = (xml: JsonObject | undefined): string | undefined =>
  textAt(xml, "nodeType") ?? (isTrueAt(xml, "attribute") ? "attribute" : undefined);

/** Without characters that no name of XML has. */
const nameOf = (xml: JsonObject | undefined, name: string): string => {
  const clean = (textAt(xml, "name") ?? name).replace(/[^\p{L}\p{N}_.:-]/gu, "_").slice(0, 200);
  return /^[\p{L}_]/u.test(clean) ? clean : `_${clean}`;
};

const qualified = (name: string, xml: JsonObject | undefined): string => {
  const prefix = textAt(xml, "prefix");
  return prefix === undefined ? name : `${nameOf(undefined, prefix)}:${name}`;
};

function namespace(xml: JsonObject | undefined): string {
  const uri = textAt(xml, "namespace");
  if (uri === undefined) return "";
  const prefix = textAt(xml, "prefix");
  return ` xmlns${prefix === undefined ? "" : `:${nameOf(undefined, prefix)}`}="${escaped(uri)}"`;
}

const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no other control characters
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
