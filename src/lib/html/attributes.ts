import type { Properties } from "hast";
import { find, html, type Schema, svg } from "property-information";
import { escapeAttribute } from "./escape.js";

type Value = Properties[string];
/** Writes one attribute with a blank before it, or nothing if the value means that the attribute is absent. */
type Writer = (value: Value, out: string[]) => void;

/** Separators in a tag: an attribute name that contains one would become several. */
const notInName = /[\s"'<>/=\p{Cc}]/u;

const ofHtml = new Map<string, Writer>();
const ofSvg = new Map<string, Writer>();

/**
 * Writes all attributes of an element to `out`. Each property's name is looked up once, not once an element.
 */
export function writeAttributes(properties: Properties, inSvg: boolean, out: string[]): void {
  const known = inSvg ? ofSvg : ofHtml;
  for (const property in properties) {
    const value = properties[property];
    if (value === null || value === undefined || value === false) continue;
    let write = known.get(property);
    if (!write) {
      write = createWriter(inSvg ? svg : html, property);
      // A site may use any number of names.
      if (known.size < 2000) known.set(property, write);
    }
    write(value, out);
  }
}

function createWriter(schema: Schema, property: string): Writer {
  const info = find(schema, property);
  const { attribute } = info;
  if (attribute === "" || notInName.test(attribute)) return () => {};
  const bare = ` ${attribute}`;
  const opened = `${bare}="`;
  const separator = info.commaSeparated ? ", " : " ";
  return (value, out) => {
    if (value === true || (info.overloadedBoolean && value === "")) out.push(bare);
    else if (
      (info.boolean || info.overloadedBoolean) &&
      (typeof value !== "string" || value === attribute || value === "")
    ) {
      if (value) out.push(bare);
    } else if (typeof value !== "number" || !Number.isNaN(value))
      out.push(opened, escapeAttribute(Array.isArray(value) ? value.join(separator) : String(value)), '"');
  };
}
