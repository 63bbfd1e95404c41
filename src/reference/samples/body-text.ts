import type { Code } from "mdast";
import { isObject, type Json, type JsonObject, member, stringify } from "../../lib/json/index.js";
import { isForm, isJson, isLines, isXml, type MediaType } from "../operations/media-type.js";
import { writeFields } from "../operations/write-request.js";
import { type Cuts, clip, fence } from "../pages/nodes.js";
import type { SchemaReader } from "../schema/flat-schema.js";
import { formEncoded } from "./languages/text.js";
import { printJson } from "./print-json.js";
import type { Sampler } from "./sample-value.js";
import { printXml, rootName, xmlShape } from "./xml.js";

/** Longer samples are not highlighted: the markup would be most of the page. */
export const maxColoredLength = 8_000;

/** Longest body that a page shows, in UTF-16 code units. */
const maxBodyLength = 150_000;

/** A body as it is sent: JSON, XML, lines of JSON, events, or the text of an example. */
export function bodyText(media: MediaType, value: Json, { reader, sampler, cuts }: BodyWriters): string {
  const { type, schema } = media;
  if (typeof value === "string" && (isLines(type) || !isJson(type))) return clipped(value, cuts);
  if (isXml(type)) {
    const flat = reader.flatten(schema ?? {});
    return printXml(value, rootName(flat), xmlShape(flat, reader));
  }
  if (isLines(type)) return clipped(itemsOf(value).map(oneLine).join("\n"), cuts);
  if (media.isStream && isEvents(type)) return clipped(itemsOf(value).map(eventText).join("\n\n"), cuts);
  if (isForm(type) && isObject(value))
    return clipped(formEncoded(writeFields(Object.entries(value), media.encoding)), cuts);
  if (sampler.isWhole(value)) return sampler.text(value);
  const text = printJson(value, maxBodyLength);
  if (text.includes("…") && !stringify(value).includes("…")) reportCut(cuts);
  return text;
}

function clipped(text: string, cuts: Cuts | undefined): string {
  if (text.length > maxBodyLength) reportCut(cuts);
  return clip(text, maxBodyLength);
}

function reportCut(cuts: Cuts | undefined): void {
  cuts?.add(`an example has more than ${maxBodyLength} characters (maxBodyLength)`);
}

export function bodyFence(media: MediaType, value: Json, title: string, writers: BodyWriters): Code {
  const { type, isStream } = media;
  const isJsonText = typeof value !== "string" && !isXml(type) && !isForm(type) && !(isStream && isEvents(type));
  // Readers want the values of a form, not its escapes.
  const isFields = isForm(type) && isObject(value);
  const text = isFields ? fieldLines(media, value, writers.cuts) : bodyText(media, value, writers);
  const isColored = text.length <= maxColoredLength;
  return fence(isColored ? (isJsonText ? "json" : grammarOf(type)) : "text", text, title);
}

const fieldLines = ({ encoding }: MediaType, value: JsonObject, cuts: Cuts | undefined): string => {
  const fields = writeFields(Object.entries(value), encoding);
  const text = fields.map(([name, text]) => `${name}=${text.includes("\n") ? JSON.stringify(text) : text}`).join("\n");
  return clipped(text, cuts);
};

export interface BodyWriters {
  readonly reader: SchemaReader;
  readonly sampler: Sampler;
  readonly cuts?: Cuts;
}

const isEvents = (type: string): boolean => /^text\/event-stream/i.test(type);

const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
const oneLine = (value: Json): string => JSON.stringify(value);

/** The fields of a server-sent event. */
const eventFields = ["id", "event", "retry", "data"];

/** An item that has none of these fields is the data of an event. */
function eventText(item: Json): string {
  const names = eventFields.filter((name) => member(item, name) !== undefined);
  const fields =
    isObject(item) && names.length > 0 ? names.map((name) => [name, item[name]!] as const) : [["data", item] as const];
  return fields
    .flatMap(([name, value]) =>
      textOf(value)
        .split("\n")
        .map((line) => `${name}: ${line}`),
    )
    .join("\n");
}

const textOf = (value: Json): string => (typeof value === "object" ? oneLine(value) : String(value));

function grammarOf(type: string): string {
  if (isJson(type)) return "json";
  return ["xml", "html", "yaml", "javascript", "csv", "graphql"].find((name) => type.includes(name)) ?? "text";
}
