import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, isObject, listAt, member, parseJson, textAt } from "../../lib/json/index.js";
import type { References } from "../schema/references.js";

/** One media type of a body. */
export interface MediaType {
  /** `application/json`, as written. */
  readonly type: string;
  readonly schema?: Json;
  readonly examples: readonly NamedExample[];
  /** A sequence of items, such as events or lines of JSON; the schema is that of a list of them. */
  readonly isStream: boolean;
  /** How fields of a form are encoded. */
  readonly encoding: JsonObject;
  /** How items of a list are encoded, since OpenAPI 3.2: `[0]` for the first item, `[…]` for all items without an entry. */
  readonly itemEncoding: ReadonlyMap<string, Json>;
}

export interface NamedExample {
  /** Summary, else its name in the document; undefined for a single example. */
  readonly title?: string;
  readonly description?: string;
  /** Undefined if it is an external file. */
  readonly value?: Json;
  /** URL of an external example. */
  readonly address?: string;
}

const maxTypes = 20;
const maxPrefixes = 100;
const maxExamples = 30;

export function readContent(holder: JsonObject, references: References): MediaType[] {
  return entriesAt(holder, "content")
    .slice(0, maxTypes)
    .map(([type, each]) => {
      const media = references.followObject(each);
      const item = member(media, "itemSchema");
      const schema = member(media, "schema") ?? (item === undefined ? undefined : { type: "array", items: item });
      const encoding = member(media, "encoding");
      return {
        type,
        ...(schema === undefined ? {} : { schema }),
        examples: readExamples(media, references, isJson(type)),
        isStream: item !== undefined || isLines(type),
        encoding: isObject(encoding) ? encoding : {},
        itemEncoding: new Map(itemEncodings(media)),
      };
    });
}

/** @param holder a media type, or an encoding of parts that have parts. */
export const itemEncodings = (holder: Json | undefined): [string, Json][] => [
  ...listAt(holder, "prefixEncoding")
    .slice(0, maxPrefixes)
    .map((each, i): [string, Json] => [`[${i}]`, each]),
  ...[member(holder, "itemEncoding")].flatMap((each): [string, Json][] => (each === undefined ? [] : [["[…]", each]])),
];

/** The keys of an item in the encodings of a list: its own, and that of all items without one. */
export const itemKeys = (index: number): [string, string] => [`[${index}]`, "[…]"];

/**
 * Reads `example` or `examples`, which is a map in OpenAPI and a list in JSON Schema.
 *
 * @param isData whether text that is sent, as OpenAPI 3.2 can give it, is JSON.
 */
export function readExamples(holder: JsonObject | undefined, references: References, isData = false): NamedExample[] {
  const named = entriesAt(holder, "examples")
    .slice(0, maxExamples)
    .flatMap(([name, each]): NamedExample[] => {
      const example = references.followObject(each);
      // Some documents have the value itself in place of an example object.
      if (example === undefined) return each === undefined ? [] : [{ title: name, value: each }];
      const value = member(example, "value") ?? sentValue(example, isData);
      const address = textAt(example, "externalValue");
      if (value === undefined && address === undefined)
        return "$ref" in example || "summary" in example ? [] : [{ title: name, value: example }];
      return [
        {
          title: textAt(example, "summary") ?? name,
          description: textAt(example, "description"),
          ...(value === undefined ? {} : { value }),
          ...(address === undefined ? {} : { address }),
        },
      ];
    });
  if (named.length > 0) return named;
  const one = member(holder, "example");
  if (one !== undefined) return [{ value: one }];
  return listAt(holder, "examples")
    .slice(0, maxExamples)
    .map((value) => ({ value }));
}

/** The value of an example of OpenAPI 3.2, as data or as it is sent. */
function sentValue(example: JsonObject, isData: boolean): Json | undefined {
  const data = member(example, "dataValue");
  const sent = member(example, "serializedValue");
  if (typeof sent !== "string" || (isData && data !== undefined)) return data;
  if (!isData) return sent;
  try {
    return parseJson(sent);
  } catch {
    return sent;
  }
}

/** The first example with a value in the document. */
export const firstValue = (examples: readonly NamedExample[]): Json | undefined =>
  examples.find(({ value }) => value !== undefined)?.value;

/** JSON, or a sequence of JSON values. */
export const isJson = (type: string): boolean => /^[^;]*\b(?:json|ndjson|jsonl)\b/i.test(type) || type === "*/*";
/** A sequence of JSON values, one on each line. */
export const isLines = (type: string): boolean =>
  /^[^;]*\b(?:ndjson|jsonl|json-lines|jsonlines|json-seq)\b/i.test(type);
export const isXml = (type: string): boolean => /^[^;]*[/+]xml\b/i.test(type);
export const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded/i.test(type);
export const isMultipart = (type: string): boolean => /^multipart\//i.test(type);
