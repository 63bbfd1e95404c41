/** XML as the text of a form, loaded with the playground by pages whose requests may have such a body. */
import type { FormMedia, FormSchema } from "../../../reference/forms/playground-form.js";
import { isContent, isWrapped, printXml, type XmlShape, xmlName } from "../../../reference/samples/xml.js";
import type { Value, XmlTools } from "../form/value.js";
import { parseXml, type XmlElement } from "./parse-xml.js";

const maxLength = 5_000_000;

export type CreateXml = typeof createXml;

window.offprintXml = createXml;

let tools: XmlTools;

/** The XML of a body's value, written by what writes the samples; and the value of such XML. */
function createXml(given: XmlTools, schemas: readonly FormSchema[], { schema, root = "root" }: FormMedia) {
  tools = given;
  const whole = schemas[schema]!;
  const print = (value: Value): string => printXml(tools.toJson(value), root, shapeOf(whole, schemas), maxLength);
  return {
    print,
    /** Says why the text is not XML. */
    faultOf(text: string): string | undefined {
      const read = parse(text);
      return "fault" in read ? read.fault : undefined;
    },
    /** The value, or why a form cannot hold it: nothing that the XML says may get lost. */
    read(text: string): { readonly value: Value } | { readonly fault: string } {
      const read = parse(text);
      if ("fault" in read) return read;
      const value = elementValue(read, whole, schemas);
      const isSame = essence(parseXml(print(value))) === essence(read);
      return isSame ? { value } : { fault: tools.say("xmlNotForm") };
    },
  };
}

function shapeOf(schema: FormSchema, schemas: readonly FormSchema[]): XmlShape {
  const below = (each: FormSchema | undefined): XmlShape | undefined => each && shapeOf(each, schemas);
  return {
    xml: schema.xml,
    property: (name) => below(propertiesOf(schema, schemas).get(name)),
    item: () => (schema.items === undefined ? undefined : below(schemas[schema.items])),
  };
}

/** Those of the schema itself, and those of its options that it does not have. */
function propertiesOf(schema: FormSchema, schemas: readonly FormSchema[]): Map<string, FormSchema> {
  const found = new Map<string, FormSchema>();
  const all = new Set([schema]);
  for (const { properties = [], unions = [] } of all) {
    for (const [name, index] of properties) if (!found.has(name)) found.set(name, schemas[index]!);
    for (const option of unions.flatMap(({ options }) => options)) all.add(schemas[option.schema]!);
  }
  return found;
}

function parse(text: string): XmlElement | { readonly fault: string } {
  try {
    return parseXml(text);
  } catch (error) {
    return { fault: tools.sayWith("badXml", tools.errorMessage(error)) };
  }
}

function elementValue(element: XmlElement, schema: FormSchema, schemas: readonly FormSchema[]): Value {
  const { children } = element;
  if (schema.items !== undefined) return children.map((child) => elementValue(child, schemas[schema.items!]!, schemas));
  const properties = propertiesOf(schema, schemas);
  const isObject = properties.size > 0 || schema.types?.includes("object") || children.length > 0;
  if (!isObject) return scalar(element.text, schema);
  const taken = new Set<XmlElement>();
  const take = (name: string): XmlElement[] => {
    const all = children.filter((child) => child.name === name && !taken.has(child));
    for (const each of all) taken.add(each);
    return all;
  };
  const value = members(element, properties, schemas, take);
  const other = schemas[schema.additional ?? 0] ?? {};
  for (const { name } of children) {
    const all = take(name).map((each) => elementValue(each, other, schemas));
    if (all.length > 0) value.push([name, all.length === 1 ? all[0]! : all]);
  }
  return Object.fromEntries(value);
}

/** The properties that an element has. @param take the children of a name, each once. */
function members(
  element: XmlElement,
  properties: ReadonlyMap<string, FormSchema>,
  schemas: readonly FormSchema[],
  take: (name: string) => XmlElement[],
): [string, Value][] {
  const value: [string, Value][] = [];
  for (const [key, property] of properties) {
    const { xml, items } = property;
    const inner = xml?.kind === "none" ? propertiesOf(property, schemas) : undefined;
    const name = xmlName(xml, key);
    if (xml?.kind === "attribute") {
      const attribute = element.attributes.find(([, each]) => each === name);
      if (attribute) value.push([key, scalar(attribute[2], property)]);
    } else if (inner && inner.size > 0) {
      const own = members(element, inner, schemas, take);
      if (own.length > 0) value.push([key, Object.fromEntries(own)]);
    } else if (isContent(xml) || (inner && items === undefined)) {
      const text = element.text.trim();
      if (text !== "") value.push([key, scalar(text, property)]);
    } else if (items !== undefined && !isWrapped(xml)) {
      const item = schemas[items]!;
      const all = take(xmlName(item.xml, name));
      if (all.length > 0) value.push([key, all.map((each) => elementValue(each, item, schemas))]);
    } else {
      const [own] = take(name);
      if (own) value.push([key, elementValue(own, property, schemas)]);
    }
  }
  return value;
}

function scalar(text: string, { types = [] }: FormSchema): Value {
  const is = (...names: string[]): boolean => names.some((name) => types.includes(name));
  if (is("integer", "number") && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return tools.numberOf(text);
  if (is("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  return text;
}

/** All that an element says but its prefixes and the order of elements of different names. */
function essence({ namespace, name, attributes, children, text }: XmlElement): string {
  const sorted = [...children].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(essence);
  const named = attributes.map((each) => JSON.stringify(each)).sort();
  return JSON.stringify([namespace, name, named, text.trim(), sorted]);
}
