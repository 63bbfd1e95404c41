import type { Code } from "mdast";
import type { Json } from "../../lib/json/index.js";
import { isObject, member } from "../../lib/json/index.js";
import { isJson, isLines, isXml, type MediaType } from "../operations/media-type.js";
import { fence } from "../pages/nodes.js";
import type { SchemaReader } from "../schema/flat-schema.js";
import type { Sampler } from "./sample-value.js";
import { printXml, rootName, xmlShape } from "./xml.js";

const maxTextLength = 20_000;

/** A body as it is sent: JSON, XML, lines of JSON, events, or the text of an example. */
export function bodyText(media: MediaType, value: Json, { reader, sampler }: BodyWriters): string {
  const { type, schema } = media;
  if (typeof value === "string" && (isLines(type) || !isJson(type))) return value.slice(0, maxTextLength);
  if (isXml(type)) {
    const flat = reader.flatten(schema ?? {});
    return printXml(value, rootName(flat), xmlShape(flat, reader));
  }
  if (isLines(type)) return itemsOf(value).map(oneLine).join("\n").slice(0, maxTextLength);
  if (media.isStream && isEvents(type)) return itemsOf(value).map(eventText).join("\n\n").slice(0, maxTextLength);
  return sampler.text(value);
}

/** The body as a block of code. */
export function bodyFence(media: MediaType, value: Json, title: string, writers: BodyWriters): Code {
  const { type, isStream } = media;
  const isJsonText = typeof value !== "string" && !isXml(type) && !(isStream && isEvents(type));
  return fence(isJsonText ? "json" : grammarOf(type), bodyText(media, value, writers), title);
}

export interface BodyWriters {
  readonly reader: SchemaReader;
  readonly sampler: Sampler;
}

const isEvents = (type: string): boolean => /^text\/event-stream/i.test(type);

const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
const oneLine = (value: Json): string => JSON.stringify(value);

/** The fields of an event that readers of a stream know. */
const eventFields = ["id", "event", "retry", "data"];

/** An item without any field of an event is the data of an event. */
function eventText(item: Json): string {
  const known = eventFields.filter((name) => member(item, name) !== undefined);
  const fields =
    isObject(item) && known.length > 0 ? known.map((name) => [name, item[name]!] as const) : [["data", item] as const];
  return fields
    .flatMap(([name, value]) =>
      textOf(value)
        .split("\n")
        .map((line) => `${name}: ${line}`),
    )
    .join("\n");
}

const textOf = (value: Json): string => (typeof value === "object" ? oneLine(value) : String(value));

/** The code language of a media type. */
function grammarOf(type: string): string {
  if (isJson(type)) return "json";
  return ["xml", "html", "yaml", "javascript", "csv", "graphql"].find((name) => type.includes(name)) ?? "text";
}
