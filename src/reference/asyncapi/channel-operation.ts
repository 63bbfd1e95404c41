import {
  entriesAt,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  textAt,
} from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { descriptionOf, maxSummaryTitle, titleText } from "../../site/specs/index.js";
import { jsonIn } from "../operations/media-type.js";
import { clip } from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import { nameOfRef, refOf } from "../schema/references.js";

/** The messages in one direction of a channel. */
export interface ChannelOperation {
  readonly id: string;
  /** Absent for messages that no operation lists. */
  readonly action?: "send" | "receive";
  readonly title?: string;
  readonly description?: string;
  readonly docs?: Json;
  readonly bindings?: Json;
  readonly messages: readonly Message[];
  /** The replies to them. */
  readonly reply: readonly Message[];
  /** Where a message has the address for replies, if that is known only at run time. */
  readonly replyAddress?: JsonObject | undefined;
  readonly tags: readonly (JsonObject | undefined)[];
  /** Numbers of messages and replies that the page leaves out. */
  readonly moreMessages: number;
  readonly moreReplies: number;
}
export interface Message {
  /** The object in the document. Operations that share a message have the same object. */
  readonly source: JsonObject;
  readonly title: string;
  /** Whether the document gives a title for readers; if not, `title` is a name for programs. */
  readonly hasTitle: boolean;
  /** `messageId` of AsyncAPI 2, unless it is the title. */
  readonly id?: string;
  /** Its name for programs, if it also has a title. */
  readonly name?: string;
  readonly description?: string;
  readonly docs?: Json;
  readonly contentType?: string;
  /** As JSON Schema. */
  readonly payload?: Json;
  readonly headers?: Json;
  /** Schema formats of payload and headers, unless they are the default. */
  readonly formats: readonly string[];
  /** Schemas in other formats, which are shown as written. */
  readonly written: readonly NonNullable<PayloadSchema["written"]>[];
  /** Where a message has its correlation id. */
  readonly correlation?: JsonObject | undefined;
  readonly tags: readonly (JsonObject | undefined)[];
  readonly bindings?: Json;
  readonly examples: readonly JsonObject[];
}

/** Further operations have pages of their own. */
export const operationsOnPage = 40;
const maxMessages = 60;

/** An operation that another page shows. */
interface OtherOperation {
  readonly id: string;
  readonly title: string;
}

/**
 * The operations of a channel in source order: those that this page shows, and those that later pages show. The first
 * page also shows the messages that no operation lists.
 *
 * @param skip number of operations that earlier pages show.
 */
export function operationsOf(
  context: PageContext,
  channel: JsonObject,
  skip: number,
): { readonly operations: readonly ChannelOperation[]; readonly later: readonly OtherOperation[] } {
  const { spec, references } = context;
  const all = entriesAt(spec.document, "operations").flatMap(([id, reference]) => {
    const operation = withTraits(context, reference);
    const action = textAt(operation, "action");
    if (operation === undefined || (action !== "send" && action !== "receive")) return [];
    const title = textAt(operation, "title") ?? textAt(operation, "summary") ?? nameOf(id, action);
    return references.follow(operation["channel"]) === channel ? [{ id, action, title, operation } as const] : [];
  });
  const end = skip + operationsOnPage;
  const operations = all.slice(skip, end).map(({ id, action, title, operation }): ChannelOperation => {
    const messages = messagesOf(operation, channel);
    const reply = references.followObject(operation["reply"]);
    const replies = replyMessages(context, reply);
    return {
      id,
      action,
      title,
      // Without a title, the summary is the title.
      description: textAt(operation, "title") ? descriptionOf(operation) : textAt(operation, "description"),
      docs: references.follow(operation["externalDocs"]),
      bindings: operation["bindings"],
      messages: readMessages(context, messages),
      reply: readMessages(context, replies),
      replyAddress: references.followObject(member(reply, "address")),
      tags: listAt(operation, "tags").map(references.followObject),
      moreMessages: moreThanShown(messages),
      moreReplies: moreThanShown(replies),
    };
  });
  const messageOf = ([, message]: KeyedMessage) => references.followObject(message);
  const named = all.flatMap(({ operation }) => [
    ...messagesOf(operation, channel),
    ...replyMessages(context, references.followObject(operation["reply"])),
  ]);
  const used = new Set(named.map(messageOf));
  const others = skip > 0 ? [] : entriesAt(channel, "messages").filter((message) => !used.has(messageOf(message)));
  return {
    operations: [...operations, ...(others.length === 0 ? [] : [onlyMessages(context, others)])],
    later: all.slice(end).map(({ id, title = id }) => ({ id, title })),
  };
}

/** A message with its key in the channel. */
type KeyedMessage = readonly [key: string, message: Json];

/** The messages that an operation names, else all of its channel. */
function messagesOf(operation: JsonObject, channel: JsonObject): KeyedMessage[] {
  const named = listAt(operation, "messages");
  return named.length > 0 ? named.map((message) => ["", message]) : entriesAt(channel, "messages");
}

const moreThanShown = (messages: readonly unknown[]): number => Math.max(0, messages.length - maxMessages);

/** The operation's id, unless it was generated for a version 2 operation without one. */
const nameOf = (id: string, action: string): string | undefined => (id.startsWith(`${action} `) ? undefined : id);

/** Merges an operation or a message with its traits. Its own members override those of the traits. */
export function withTraits({ references }: PageContext, written: Json): JsonObject | undefined {
  const operation = references.followObject(written);
  return listAt(operation, "traits").reduceRight<JsonObject | undefined>((whole, traitReference) => {
    const trait = references.followObject(traitReference);
    return whole && trait ? merged(trait, whole) : whole;
  }, operation);
}

/** Objects below this level are not merged. */
const maxLevels = 8;

/** Merges two objects. Members of the second override those of the first. */
function merged(under: JsonObject, over: JsonObject, level = 1): JsonObject {
  const both = Object.entries(over).map(([name, value]): [string, Json] => {
    const below = member(under, name);
    const canMerge = isObject(value) && isObject(below) && !refOf(value) && !refOf(below) && level < maxLevels;
    return [name, canMerge ? merged(below, value, level + 1) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

/** Wraps messages that no operation lists. */
function onlyMessages(context: PageContext, written: readonly KeyedMessage[]): ChannelOperation {
  const messages = readMessages(context, written);
  const moreMessages = moreThanShown(written);
  return {
    id: "messages",
    title: context.messages.payload,
    messages,
    reply: [],
    tags: [],
    moreMessages,
    moreReplies: 0,
  };
}

/** The messages that a reader can send; all messages of the channel if the document does not say. */
export function messagesToSend(context: PageContext, operations: readonly ChannelOperation[], channel: JsonObject) {
  const sent = operations.filter(({ action }) => action === "send");
  const from = sent.length > 0 ? sent : [onlyMessages(context, entriesAt(channel, "messages"))];
  return from
    .flatMap(({ messages }) => messages)
    .slice(0, maxMessages)
    .map(({ title, payload, examples }) => ({
      title: clip(title, 200),
      ...(payload === undefined ? {} : { payload }),
      example: examples.map((example) => member(example, "payload")).find((value) => value !== undefined),
    }));
}

/** The messages that the reply lists, else all messages of its channel. */
const replyMessages = ({ references }: PageContext, reply: JsonObject | undefined): KeyedMessage[] =>
  messagesOf(reply ?? {}, references.followObject(member(reply, "channel")) ?? {});

const readMessages = (context: PageContext, written: readonly KeyedMessage[]): Message[] =>
  written.slice(0, maxMessages).flatMap(([key, message]) => readMessage(context, message, key));

/** @param key the message's key in the channel. */
function readMessage(context: PageContext, written: Json, key: string): Message[] {
  const { references } = context;
  const whole = withTraits(context, written);
  if (whole === undefined) return [];
  const source = references.followObject(written)!;
  const ref = refOf(written);
  const { payload: body, headers: head } = whole;
  const payload = readPayload(body, references.follow(body), textAt(whole, "schemaFormat"));
  const headers = readPayload(head, references.follow(head));
  const named = textAt(whole, "title");
  // Some generators write the description in place of the title.
  const text = named !== undefined && named.length > maxSummaryTitle ? named : undefined;
  const own = text === undefined ? titleText(named) : undefined;
  const title = own ?? textAt(whole, "name") ?? (ref === undefined ? key : nameOfRef(ref));
  const id = textAt(whole, "messageId");
  return [
    {
      source,
      ...(id === undefined || id === title ? {} : { id }),
      name: own === undefined ? undefined : textAt(whole, "name"),
      title,
      hasTitle: own !== undefined,
      description: [text, descriptionOf(whole)].filter(Boolean).join("\n\n") || undefined,
      docs: references.follow(whole["externalDocs"]),
      contentType: textAt(whole, "contentType") ?? textAt(context.spec.document, "defaultContentType"),
      ...(payload.schema === undefined ? {} : { payload: payload.schema }),
      ...(headers.schema === undefined ? {} : { headers: headers.schema }),
      formats: [payload.format, headers.format].filter((format) => format !== undefined),
      written: [headers.written, payload.written].filter((schema) => schema !== undefined),
      correlation: references.followObject(whole["correlationId"]),
      tags: listAt(whole, "tags").map(references.followObject),
      bindings: whole["bindings"],
      examples: listAt(whole, "examples").filter(isObject),
    },
  ];
}

/** The structure of a payload or of headers. */
interface PayloadSchema {
  /** As JSON Schema. Absent for a format that cannot be shown as fields. */
  readonly schema?: Json;
  /** Absent for the default format. */
  readonly format?: string;
  /** The schema in a format that is shown as written, with the name of its language. */
  readonly written?: { readonly value: Json; readonly lang: string | undefined };
}

/**
 * Reads a schema, which may have a format other than JSON Schema.
 *
 * @param written the schema, or a reference to it.
 * @param followed the target of the reference: a schema, or an object with a schema and its format.
 * @param usual the format if `followed` has none.
 */
function readPayload(written: Json | undefined, followed: Json | undefined, usual?: string): PayloadSchema {
  const ownFormat = textAt(followed, "schemaFormat");
  // Some authors leave the format out.
  const isWrapped = ownFormat !== undefined || (isObject(followed) && Object.keys(followed).join() === "schema");
  const inner = isWrapped ? member(followed, "schema") : undefined;
  const format = inner === undefined ? usual : ownFormat;
  const schema = inner ?? written;
  if (schema === undefined) return {};
  if (format === undefined || /schema\+(?:json|yaml)|asyncapi|openapi/i.test(format)) return { schema };
  const value = inner ?? followed ?? schema;
  if (/\bavro\b/i.test(format)) return { schema: schemaOfAvro(value), format };
  return { format, written: { value, lang: languages.find(([name]) => name.test(format))?.[1] } };
}

const languages = [
  [/protobuf/i, "proto"],
  [/raml/i, "yaml"],
  [/xml|xsd/i, "xml"],
] as const;

/** Avro's types, as JSON Schema. */
const primitives: JsonObject = {
  null: { type: "null" },
  boolean: { type: "boolean" },
  int: { type: "integer", format: "int32" },
  long: { type: "integer", format: "int64" },
  float: { type: "number", format: "float" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "bytes" },
  string: { type: "string" },
};

/** Converts Avro to JSON Schema. A type inside itself is only named. An unknown type allows any value. */
function schemaOfAvro(avro: Json): Json {
  const named = new Map<string, Json>();

  function schemaOf(written: Json | undefined): Json {
    if (isList(written)) return written.length === 1 ? schemaOf(written[0]) : { anyOf: written.map(schemaOf) };
    if (typeof written === "string") return named.get(written) ?? member(primitives, written) ?? {};
    if (!isObject(written)) return {};
    const { type, symbols, size, items, values, default: fallback } = written;
    const name = textAt(written, "name");
    const about = withoutUndefined<object>({ title: name, description: textAt(written, "doc"), default: fallback });
    const register = (schema: Json): Json => {
      const whole = `${textAt(written, "namespace")}.${name}`;
      if (name !== undefined) for (const key of [name, whole]) named.set(key, schema);
      return schema;
    };
    if (type === "enum") return register({ type: "string", enum: symbols ?? [], ...about });
    if (type === "fixed") return register({ type: "string", format: `fixed(${String(size)})`, ...about });
    if (type === "array") return { type, items: schemaOf(items), ...about };
    if (type === "map") return { type: "object", additionalProperties: schemaOf(values), ...about };
    if (type !== "record" && type !== "error") {
      const { precision, scale = 0 } = written;
      const logical = textAt(written, "logicalType");
      const format = logical && precision !== undefined ? `${logical}(${String(precision)},${String(scale)})` : logical;
      return { ...(schemaOf(type) as JsonObject), ...about, ...(format && { format }) };
    }
    register({ type: "object", ...about });
    const fields = listAt(written, "fields").filter(isObject);
    const required = fields.filter((field) => !Object.hasOwn(field, "default")).map((field) => field["name"] ?? "");
    const properties = Object.fromEntries(fields.map((field) => [textAt(field, "name") ?? "", propertyOf(field)]));
    return register({ type: "object", ...about, properties, required });
  }

  const propertyOf = (field: JsonObject): Json => {
    const { default: usual, example } = field;
    const annotations = withoutUndefined<object>({ description: textAt(field, "doc"), default: usual, example });
    return { ...(schemaOf(field["type"]) as JsonObject), ...annotations };
  };

  // In YAML, an Avro schema may be a string of JSON.
  return schemaOf(typeof avro === "string" ? jsonIn(avro) : avro);
}
