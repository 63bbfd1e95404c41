import {
  childOf,
  entriesAt,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  pathOf,
  pointerTo,
  textAt,
} from "../../../lib/json/index.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import { descriptionOf, type EntryReader, type SpecEntry, titleText, trimmedText } from "../entry-reader.js";
import { checkKeywords } from "../openapi/check-keywords.js";
import type { SpecKind } from "../spec-kind.js";

export const asyncapi: SpecKind = {
  key: "asyncapi",
  format: "asyncapi",
  name: "AsyncAPI",
  accepted: /^[23](?:\.|$)/,
  fix: "convert it to AsyncAPI 3.0, for example with: npx @asyncapi/cli convert --target-version=3.0.0",
  convert: (document, version) => (version.startsWith("2") ? convertAsyncApi(document) : document),
  listEntries: listChannels,
  check: checkKeywords,
};

function listChannels({ spec, key, members, facts, follow }: EntryReader): SpecEntry[] {
  return members("channels", "channel").map(([name, pointer, channel]) => ({
    ...facts(channel, undefined, pointer),
    kind: "channel",
    target: { kind: "channel", spec: key, name },
    name,
    pointer,
    address: trimmedText(channel["address"]),
    protocol: protocolOfChannel(spec.document, channel, follow),
    title: titleText(channel["title"]),
    description: descriptionOf(channel),
  }));
}

/**
 * Converts AsyncAPI 2 to AsyncAPI 3, where operations are listed next to channels. `publish`, which is from the view of
 * clients, becomes `send`, and `subscribe` becomes `receive`. Pointers to channels, servers and components stay the same.
 */
export function convertAsyncApi(document: JsonObject): JsonObject {
  const { channels: _, servers: __, tags, externalDocs, info, components, ...rest } = document;
  const operations: [string, Json][] = [];
  const channels = entriesAt(document, "channels").map(([name, channel]): [string, Json] => {
    if (!isObject(channel)) return [name, channel];
    const { publish, subscribe, ...members } = channel;
    const messages = new Map<string, Json>();
    for (const [action, written] of [
      ["send", publish],
      ["receive", subscribe],
    ] as const)
      if (isObject(written)) operations.push(operationOf(name, action, written, messages));
    return [name, { ...channelOf(name, members), messages: Object.fromEntries(messages) }];
  });
  return {
    ...rest,
    asyncapi: "3.0.0",
    info: { ...(isObject(info) ? info : {}), ...(tags && { tags }), ...(externalDocs && { externalDocs }) },
    servers: Object.fromEntries(entriesAt(document, "servers").map(([name, server]) => [name, serverOf(server)])),
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
    ...(isObject(components) && {
      components: {
        ...components,
        ...parametersOf(components),
        ...(isObject(components["messages"]) && {
          messages: Object.fromEntries(
            entriesAt(components, "messages").map(([name, message]) => [name, messageOf(message)]),
          ),
        }),
      },
    }),
  };
}

/** Examples are free in version 2.0. Those of one or several names, each with headers and a payload, become a list. */
function messageOf(message: Json): Json {
  const isExample = (value: Json): value is JsonObject => isObject(value) && ("payload" in value || "headers" in value);
  const examples = listAt(message, "examples");
  const areNamed = examples.some(
    (example) => !isExample(example) && isObject(example) && Object.values(example).some(isExample),
  );
  if (!isObject(message) || !areNamed) return message;
  const list = examples.flatMap((example): Json[] =>
    isExample(example) || !isObject(example)
      ? [example]
      : Object.entries(example).map(([name, value]) => (isExample(value) ? { name, ...value } : { [name]: value })),
  );
  return { ...message, examples: list };
}

function channelOf(address: string, { servers, parameters, ...rest }: JsonObject): JsonObject {
  const names = (Array.isArray(servers) ? servers : []).filter((name) => typeof name === "string");
  return {
    ...rest,
    address,
    ...(names.length > 0 ? { servers: names.map((name) => reference("servers", name)) } : {}),
    ...parametersOf({ parameters }),
  };
}

const parametersOf = ({ parameters }: { readonly parameters?: Json | undefined }): JsonObject =>
  isObject(parameters)
    ? { parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, parameterOf(value)])) }
    : {};

/** In version 3, a parameter has some keywords of its schema. Pages show the other keywords, too. */
function parameterOf(parameter: Json): Json {
  if (!isObject(parameter)) return parameter;
  const { schema, ...rest } = parameter;
  const { description, enum: options, default: usual, examples, type, ...others } = isObject(schema) ? schema : {};
  const hasMore = (type ?? "string") !== "string" || Object.keys(others).length > 0;
  return withoutUndefined({
    description,
    enum: options,
    default: usual,
    examples,
    ...rest,
    "x-schema": hasMore ? schema : undefined,
  }) as JsonObject;
}

/** @param messages the messages of the channel, to which those of the operation are added. */
function operationOf(
  channel: string,
  action: "send" | "receive",
  { operationId, message, security, ...rest }: JsonObject,
  messages: Map<string, Json>,
): [id: string, operation: Json] {
  const alternatives = listAt(message, "oneOf");
  const all = alternatives.length > 0 ? alternatives : isObject(message) ? [message] : [];
  const references = all.map((written) => {
    const key = messageKey(written, messages);
    if (!messages.has(key)) messages.set(key, messageOf(written));
    return reference("channels", channel, "messages", key);
  });
  const id = typeof operationId === "string" ? operationId : `${action} ${channel}`;
  return [
    id,
    {
      ...rest,
      action,
      channel: reference("channels", channel),
      messages: references,
      ...schemesOf(security),
    },
  ];
}

/** The name of a message in its channel. A message of both directions has one name. */
function messageKey(message: Json, messages: ReadonlyMap<string, Json>): string {
  const ref = textAt(message, "$ref");
  const name = ref === undefined ? textAt(message, "messageId") : pathOf(ref).at(-1);
  const preferred = name ?? textAt(message, "name") ?? "message";
  let key = preferred;
  for (let count = 2; messages.has(key) && !isSame(messages.get(key), message); count++) key = `${preferred}-${count}`;
  return key;
}

const isSame = (a: Json | undefined, b: Json): boolean =>
  a === b || (textAt(a, "$ref") !== undefined && textAt(a, "$ref") === textAt(b, "$ref"));

/** Splits the URL of a server: `wss://{host}/v1` has the host `{host}` and the path `/v1`. */
function serverOf(server: Json): Json {
  if (!isObject(server)) return server;
  const { url, security, ...rest } = server;
  const [, host, pathname] = /^(?:[a-z][\w+.-]*:\/\/)?([^/]*)(.*)$/is.exec(typeof url === "string" ? url.trim() : "")!;
  return {
    ...rest,
    ...(host ? { host } : {}),
    ...(pathname ? { pathname } : {}),
    ...schemesOf(security),
  };
}

/** Converts security requirements to the references of version 3, which has the scopes in the schemes. */
function schemesOf(needs: Json | undefined): JsonObject {
  const named = (Array.isArray(needs) ? needs : []).flatMap((need) => (isObject(need) ? Object.entries(need) : []));
  const security = named.map(([name, scopes]) => ({
    ...reference("components", "securitySchemes", name),
    ...(isList(scopes) && scopes.length > 0 && { scopes }),
  }));
  return security.length === 0 ? {} : { security };
}

const reference = (...path: readonly string[]): JsonObject => ({ $ref: pointerTo(...path) });

/**
 * The protocol of a channel, in capitals and short enough for a pill: the protocol of its first server, else of its bindings;
 * undefined if it has neither.
 *
 * @param follow resolves a value that may be a reference.
 */
export function protocolOfChannel(
  document: JsonObject,
  channel: JsonObject,
  follow: (value: Json | undefined) => Json | undefined,
): string | undefined {
  const named = childOf(channel, "servers");
  const all = childOf(document, "servers");
  const servers = isList(named) && named.length > 0 ? named : isObject(all) ? Object.values(all) : [];
  const protocol = childOf(follow(servers[0]), "protocol");
  if (typeof protocol === "string" && protocol.trim() !== "") return protocolLabel(protocol);
  const bindings = follow(childOf(channel, "bindings"));
  const [bound] = isObject(bindings) ? Object.keys(bindings).filter((name) => !/^(?:\$ref$|x-)/.test(name)) : [];
  return bound === undefined ? undefined : bound === "ws" ? "WSS" : protocolLabel(bound);
}

/** A protocol in capitals, without `secure`, which the address shows. Undefined if the text is not a protocol name. */
function protocolLabel(protocol: string): string | undefined {
  const name = protocol
    .trim()
    .replace(/^secure-|-secure$/i, "")
    .toUpperCase();
  return /^[A-Z][A-Z0-9+.-]{0,11}$/.test(name) ? name : undefined;
}
