import { entriesAt, isObject, type Json, type JsonObject, listAt, member, textAt } from "../../lib/json/index.js";
import { clip } from "./nodes.js";
import type { PageContext } from "./page-context.js";
import { nameOfRef, refOf } from "./references.js";

/** What goes one way over a channel. */
export interface ChannelOperation {
  readonly id: string;
  /** Undefined where no operation says which way. */
  readonly action?: "send" | "receive";
  readonly title?: string;
  readonly description?: string;
  readonly messages: readonly Message[];
  /** What comes back for them. */
  readonly reply: readonly Message[];
}
export interface Message {
  readonly title: string;
  readonly description?: string;
  readonly contentType?: string;
  readonly payload?: Json;
  readonly headers?: Json;
  readonly examples: readonly JsonObject[];
}

const maxOperations = 40;
export const maxMessages = 60;

/** Operations that name this channel, in the order written. */
export function operationsOf(context: PageContext, channel: JsonObject): ChannelOperation[] {
  const { spec, references } = context;
  return entriesAt(spec.document, "operations")
    .flatMap(([id, each]): ChannelOperation[] => {
      const operation = references.followObject(each);
      const action = textAt(operation, "action");
      if (operation === undefined || (action !== "send" && action !== "receive")) return [];
      if (references.follow(operation["channel"]) !== channel) return [];
      const named = listAt(operation, "messages");
      const messages =
        named.length > 0 ? named.map((message) => ["", message] as const) : entriesAt(channel, "messages");
      const reply = references.followObject(operation["reply"]);
      return [
        {
          id,
          action,
          title: textAt(operation, "title") ?? textAt(operation, "summary"),
          description: textAt(operation, "description"),
          messages: readMessages(context, messages),
          reply: readMessages(context, replyMessages(context, reply)),
        },
      ];
    })
    .slice(0, maxOperations);
}

/** A channel that no operation speaks of shows what may pass on it. */
export function allMessages(context: PageContext, channel: JsonObject): ChannelOperation {
  const messages = readMessages(context, entriesAt(channel, "messages"));
  return { id: "messages", title: context.messages.payload, messages, reply: [] };
}

/** What a reader may send: where nothing is said to be sent, anything that passes on the channel. */
export function messagesToSend(context: PageContext, operations: readonly ChannelOperation[], channel: JsonObject) {
  const sent = operations.filter(({ action }) => action === "send");
  const from = sent.length > 0 ? sent : [allMessages(context, channel)];
  return from
    .flatMap(({ messages }) => messages)
    .slice(0, maxMessages)
    .map(({ title, payload, examples }) => ({
      title: clip(title, 200),
      ...(payload === undefined ? {} : { payload }),
      example: examples.map((example) => member(example, "payload")).find((value) => value !== undefined),
    }));
}

/** Those that the reply names, else all of the channel that it comes on. */
function replyMessages({ references }: PageContext, reply: JsonObject | undefined): (readonly [string, Json])[] {
  const named = listAt(reply, "messages");
  if (named.length > 0) return named.map((message) => ["", message] as const);
  return entriesAt(references.followObject(member(reply, "channel")), "messages");
}

const readMessages = (context: PageContext, written: readonly (readonly [key: string, message: Json])[]): Message[] =>
  written.slice(0, maxMessages).flatMap(([key, message]) => readMessage(context, message, key));

/** @param key by which the channel knows it. */
function readMessage({ references }: PageContext, written: Json, key: string): Message[] {
  const message = references.followObject(written);
  if (message === undefined) return [];
  const ref = refOf(written);
  const traits = listAt(message, "traits").flatMap((trait) => references.followObject(trait) ?? []);
  const whole: JsonObject = Object.assign({}, ...traits, message);
  const payload = schemaOf(references.follow(whole["payload"]), whole["payload"]);
  const headers = schemaOf(references.follow(whole["headers"]), whole["headers"]);
  return [
    {
      title: textAt(whole, "title") ?? textAt(whole, "name") ?? (ref === undefined ? key : nameOfRef(ref)),
      description: textAt(whole, "description") ?? textAt(whole, "summary"),
      contentType: textAt(whole, "contentType"),
      ...(payload === undefined ? {} : { payload }),
      ...(headers === undefined ? {} : { headers }),
      examples: listAt(whole, "examples").filter(isObject).slice(0, 12),
    },
  ];
}

/** A schema in another format names it beside. */
function schemaOf(followed: Json | undefined, written: Json | undefined): Json | undefined {
  const inner = member(followed, "schema");
  return inner !== undefined && textAt(followed, "schemaFormat") !== undefined ? inner : written;
}
