/** Converts between the form and XML text. Loaded with the playground on pages whose requests may have an XML body. */
import type { FormMedia, FormSchema } from "../../../reference/forms/playground-form.js";
import { isContent, isWrapped, printXml, type XmlShape, xmlName } from "../../../reference/samples/xml.js";
import type { Value, XmlTools } from "../form/control.js";
import { parseXml, type XmlElement } from "./parse-xml.js";

const maxLength = 5_000_000;

export type CreateXml = typeof createXml;

window.offprintXml = createXml;

let tools: XmlTools;

/** Prints the value of a body as XML, in the same way as samples, and parses such XML. */
function createXml(playgroundTools: XmlTools, schemas: readonly FormSchema[], { schema, root = "root" }: FormMedia) {
  tools = playgroundTools;
  const bodySchema = schemas[schema]!;
  const print = (value: Value): string => printXml(tools.toJson(value), root, shapeOf(bodySchema, schemas), maxLength);
  return {
    print,
    /** Why the text is not XML. */
    faultOf(text: string): string | undefined {
      const read = parse(text);
      return "fault" in read ? read.fault : undefined;
    },
    /** The value, or why the form cannot show it: the form must not lose any content of the XML. */
    read(text: string): { readonly value: Value } | { readonly fault: string } {
      const read = parse(text);
      if ("fault" in read) return read;
      const value = elementValue(read, bodySchema, schemas);
      const isSame = essence(parseXml(print(value))) === essence(read);
      return isSame ? { value } : { fault: tools.say("xmlNotForm") };
    },
  };
}

function shapeOf(schema: FormSchema, schemas: readonly FormSchema[]): XmlShape {
  const nested = (inner: FormSchema | undefined): XmlShape | undefined => inner && shapeOf(inner, schemas);
  return {
    xml: schema.xml,
    property: (name) => nested(propertiesOf(schema, schemas).get(name)),
    item: () => (schema.items === undefined ? undefined : nested(schemas[schema.items])),
  };
}

/** The properties of the schema, and those of its options that it lacks. */
function propertiesOf(schema: FormSchema, schemas: readonly FormSchema[]): Map<string, FormSchema> {
  const allProperties = new Map<string, FormSchema>();
  const visited = new Set([schema]);
  for (const { properties = [], unions = [] } of visited) {
    for (const [name, index] of properties) if (!allProperties.has(name)) allProperties.set(name, schemas[index]!);
    for (const option of unions.flatMap(({ options }) => options)) visited.add(schemas[option.schema]!);
  }
  return allProperties;
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
    const named = children.filter((child) => child.name === name && !taken.has(child));
    for (const child of named) taken.add(child);
    return named;
  };
  const value = members(element, properties, schemas, take);
  const other = schemas[schema.additional ?? 0] ?? {};
  for (const { name } of children) {
    const values = take(name).map((child) => elementValue(child, other, schemas));
    if (values.length > 0) value.push([name, values.length === 1 ? values[0]! : values]);
  }
  return Object.fromEntries(value);
}

/** The properties present in an element. @param take returns the children of a name, each child once. */
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
      const attribute = element.attributes.find(([, attributeName]) => attributeName === name);
      if (attribute) value.push([key, scalar(attribute[2], property)]);
    } else if (inner && inner.size > 0) {
      const innerMembers = members(element, inner, schemas, take);
      if (innerMembers.length > 0) value.push([key, Object.fromEntries(innerMembers)]);
    } else if (isContent(xml) || (inner && items === undefined)) {
      const text = element.text.trim();
      if (text !== "") value.push([key, scalar(text, property)]);
    } else if (items !== undefined && !isWrapped(xml)) {
      const item = schemas[items]!;
      const rows = take(xmlName(item.xml, name));
      if (rows.length > 0) value.push([key, rows.map((row) => elementValue(row, item, schemas))]);
    } else {
      const [child] = take(name);
      if (child) value.push([key, elementValue(child, property, schemas)]);
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

/** The content of an element as text, without prefixes and the order of differently named children. */
function essence({ namespace, name, attributes, children, text }: XmlElement): string {
  const sorted = [...children].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(essence);
  const named = attributes.map((attribute) => JSON.stringify(attribute)).sort();
  return JSON.stringify([namespace, name, named, text.trim(), sorted]);
}
