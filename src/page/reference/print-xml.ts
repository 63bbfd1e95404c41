import { isObject, type Json, stringify } from "../../lib/json/index.js";

/** The `xml` keywords of a schema. */
export interface XmlKeywords {
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  /** `nodeType` of OpenAPI 3.2, or the older `attribute`. */
  readonly kind?: string;
  readonly wrapped?: true;
}

/** A schema as XML needs it. What is below it is made on demand, since a schema may refer to itself. */
export interface XmlShape {
  readonly xml: XmlKeywords | undefined;
  property(name: string): XmlShape | undefined;
  item(): XmlShape | undefined;
}

/** Limits of a sample: UTF-16 code units of all texts, and levels. */
const maxLength = 20_000;
const maxDepth = 40;

/**
 * A value as an XML document with two blanks a level, as the `xml` keywords of its schema say: names, attributes,
 * wrapped lists, namespaces.
 *
 * @param root name of the element, unless the schema has one.
 */
export function printXml(value: Json, root: string, shape: XmlShape, limit: number = maxLength): string {
  let left = limit;

  const element = (name: string, each: Json, shape: XmlShape | undefined, indent: string): string[] => {
    left -= name.length;
    if (left < 0 || indent.length / 2 > maxDepth) return [];
    if (Array.isArray(each)) return list(name, each, shape, indent);
    const xml = shape?.xml;
    const tag = qualified(name, xml);
    if (!isObject(each)) return [`${indent}<${tag}${namespace(xml)}>${text(each, xml)}</${tag}>`];
    const attributes: string[] = [];
    const children: string[] = [];
    let content = "";
    for (const [key, child] of Object.entries(each)) {
      const property = shape?.property(key);
      const own = property?.xml;
      if (own?.kind === "attribute")
        attributes.push(` ${qualified(xmlName(own, key), own)}="${inAttribute(text(child!, own))}"`);
      else if (isContent(own)) content += text(child!, own);
      else children.push(...element(xmlName(own, key), child!, property, `${indent}  `));
    }
    const open = `${indent}<${tag}${namespace(xml)}${attributes.join("")}`;
    if (children.length === 0) return [content === "" ? `${open} />` : `${open}>${content}</${tag}>`];
    return [`${open}>`, ...(content === "" ? [] : [`${indent}  ${content}`]), ...children, `${indent}</${tag}>`];
  };

  /** @param name of the list; items without a name of their own have it too. */
  const list = (name: string, items: readonly Json[], shape: XmlShape | undefined, indent: string): string[] => {
    const xml = shape?.xml;
    const item = shape?.item();
    const write = (inner: string) => items.flatMap((each) => element(xmlName(item?.xml, name), each, item, inner));
    if (!isWrapped(xml)) return write(indent);
    const tag = qualified(name, xml);
    return [`${indent}<${tag}${namespace(xml)}>`, ...write(`${indent}  `), `${indent}</${tag}>`];
  };

  const text = (value: Json, xml: XmlKeywords | undefined): string => {
    const written = value === null ? "" : typeof value === "object" ? stringify(value) : String(value);
    left -= written.length;
    if (left < 0) return "…";
    return xml?.kind === "cdata" ? `<![CDATA[${written.replaceAll("]]>", "]]]]><![CDATA[>")}]]>` : escaped(written);
  };

  return ['<?xml version="1.0" encoding="UTF-8"?>', ...element(xmlName(shape.xml, root), value, shape, "")].join("\n");
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

/** Readers of XML replace line breaks in attributes by blanks. */
const inAttribute = (text: string): string => text.replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
