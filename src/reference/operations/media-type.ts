import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, isObject, isTrueAt, listAt, member, parseJson, textAt } from "../../lib/json/index.js";

export interface MediaType {
  /** `application/json`, as written. */
  readonly type: string;
  readonly schema?: Json;
  readonly examples: readonly NamedExample[];
  /** A sequence of items, such as events or lines of JSON. Its schema describes the list of them. */
  readonly isStream: boolean;
  /** How fields of a form are encoded. */
  readonly encoding: JsonObject;
  /** Encodings of list items (OpenAPI 3.2): `[0]` for the first item, `[…]` for all items without an entry. */
  readonly itemEncoding: ReadonlyMap<string, Json>;
}

export interface NamedExample {
  /** Summary, else its name in the document; undefined for a single example. */
  readonly title?: string;
  readonly summary?: string;
  readonly description?: string;
  /** Undefined if it is an external file. */
  readonly value?: Json;
  /** URL of an example in another file. */
  readonly address?: string;
}

/** The part of `References` that is needed here. The reader's scripts share this file, so it does not import the rest. */
interface ObjectReader {
  followObject(value: Json | undefined): JsonObject | undefined;
}

export function readContent(holder: JsonObject, references: ObjectReader): MediaType[] {
  return entriesAt(holder, "content").map(([type, reference]) => {
    const media = references.followObject(reference);
    const item = member(media, "itemSchema");
    const schema = member(media, "schema") ?? (item === undefined ? undefined : { type: "array", items: item });
    const encoding = member(media, "encoding");
    return {
      type,
      ...(schema === undefined ? {} : { schema }),
      examples: readExamples(media, references, isJson(type)).flatMap((example) => {
        const { value } = example;
        // Some generators write null or an empty string where they have no example.
        if (value === null && !acceptsNull(schema, references)) return [];
        if (typeof value !== "string") return [example];
        const isData = isDataSchema(schema, references);
        if (isData && value.trim() === "") return [];
        const isText = !isJson(type) || isLines(type);
        if (isText || !(isData || (schema === undefined ? /^\s*[[{"]/ : /^".*"$/s).test(value))) return [example];
        return [dataExample(example, value)];
      }),
      isStream: item !== undefined || isLines(type),
      encoding: isObject(encoding) ? encoding : {},
      itemEncoding: new Map(itemEncodings(media)),
    };
  });
}

/** An example of data that is written as a text: JSON, or the address of a file that has it, which is never sent. */
const dataExample = ({ value: _, ...example }: NamedExample, text: string): NamedExample => {
  const value = jsonIn(text);
  return value === text && /^[^\s[{"]{1,300}$/.test(text) ? { ...example, address: text } : { ...example, value };
};

/** @param holder a media type, or an encoding of parts that have parts. */
export const itemEncodings = (holder: Json | undefined): [string, Json][] => [
  ...listAt(holder, "prefixEncoding").map((encoding, i): [string, Json] => [`[${i}]`, encoding]),
  ...[member(holder, "itemEncoding")]
    .filter((encoding) => encoding !== undefined)
    .map((encoding): [string, Json] => ["[…]", encoding]),
];

/** The keys under which an item finds its encoding: its own, then the one for all items without an entry. */
export const itemKeys = (index: number): [string, string] => [`[${index}]`, "[…]"];

/** Reads `example`, or `examples` of either form. @param isData whether `serializedValue` is JSON. */
export function readExamples(holder: JsonObject | undefined, references: ObjectReader, isData = false): NamedExample[] {
  const named = entriesAt(holder, "examples").flatMap(([name, reference]): NamedExample[] => {
    const example = references.followObject(reference);
    // Some documents have the value itself in place of an example object.
    if (example === undefined) return reference === undefined ? [] : [{ title: name, value: reference }];
    const value = "value" in example ? example["value"] : sentValue(example, isData);
    const address = textAt(example, "externalValue");
    if (value === undefined && address === undefined)
      return "$ref" in example || "summary" in example ? [] : [{ title: name, value: example }];
    return [
      {
        title: textAt(example, "summary") ?? name,
        summary: textAt(example, "summary"),
        description: textAt(example, "description"),
        ...(value === undefined ? {} : { value }),
        ...(address === undefined ? {} : { address }),
      },
    ];
  });
  if (named.length > 0) return named;
  const example = member(holder, "example");
  // Some documents have `example` in place of `examples`, or refer to one of them.
  const isMap =
    textAt(member(holder, "schema"), "type") === "string" &&
    Object.values(example ?? {}).every((each) => isObject(each) && "value" in each);
  const target = textAt(example, "$ref")?.startsWith("#/") && references.followObject(example);
  if (isObject(example) && (isMap || target))
    return readExamples({ examples: isMap ? example : { example } }, references, isData);
  if (example !== undefined) return [{ value: example }];
  return listAt(holder, "examples").map((value) => ({ value }));
}

/** The value of an example of OpenAPI 3.2, which has it as data or as the text that is sent. */
function sentValue(example: JsonObject, isData: boolean): Json | undefined {
  const data = member(example, "dataValue");
  const sent = member(example, "serializedValue");
  return typeof sent !== "string" || (isData && data !== undefined) ? data : isData ? jsonIn(sent) : sent;
}

/** Parses JSON; any other text is returned as it is. */
export function jsonIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Whether the schema permits no strings, so that an example written as a string must be JSON. */
function isDataSchema(written: Json | undefined, references: ObjectReader): boolean {
  const schema = references.followObject(written);
  const type = member(schema, "type");
  if (type !== undefined) return type !== "string" && !(Array.isArray(type) && type.includes("string"));
  return ["properties", "items", "allOf", "oneOf", "anyOf", "required"].some(
    (name) => member(schema, name) !== undefined,
  );
}

/** Whether the schema, or one that it combines, says that null is a value. */
export function acceptsNull(written: Json | undefined, references: ObjectReader): boolean {
  const schema = references.followObject(written);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((name) => listAt(schema, name));
  return [schema, ...parts.map((part) => references.followObject(part))].some(
    (each) => [member(each, "type")].flat().includes("null") || isTrueAt(each, "nullable"),
  );
}

/** The first example with a value in the document. */
export const firstValue = (examples: readonly NamedExample[]): Json | undefined =>
  examples.find(({ value }) => value !== undefined)?.value;

/** The media type of samples: JSON if there is a choice. */
export const preferredMedia = (content: readonly MediaType[]): MediaType | undefined =>
  content.find(({ type }) => isJson(type)) ?? content[0];

/** JSON, or a sequence of JSON values. */
export const isJson = (type: string): boolean => /^[^;]*\b(?:json|ndjson|jsonl)\b/i.test(type) || type === "*/*";
/** A sequence of JSON values, one on each line. */
export const isLines = (type: string): boolean =>
  /^[^;]*\b(?:ndjson|jsonl|json-lines|jsonlines|json-seq)\b/i.test(type);
export const isXml = (type: string): boolean => /^[^;]*[/+]xml\b/i.test(type);
export const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded/i.test(type);
export const isMultipart = (type: string): boolean => /^multipart\//i.test(type);

/** Media types whose bodies are text. */
const textTypes =
  /^(?:text\/|multipart\/|application\/(?:\w*[.-])?(?:json|jsonl?|ndjson|xml|yaml|yml|toml|csv|html|javascript|ecmascript|graphql|sql|jwt|jose|edn|rtf|ldif|pem-file|pem-certificate-chain|sh|sparql-(?:query|update)|x-www-form-urlencoded|n-triples|n-quads|trig)$)|\+(?:json|jsonl|json-seq|xml|yaml|jwt|text)$/;

/** Whether a body of this type is bytes: an image, an archive, `application/octet-stream`. */
export const isBinary = (type: string): boolean => {
  const [essence = ""] = type.toLowerCase().split(";");
  return !isJson(essence) && !textTypes.test(essence.trim());
};
