import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/lib/json/index.js";
import { readJson } from "../read-text.js";

const server = (protocol: Json): JsonObject => ({ host: "x.example", protocol });
const protocolOf = (channel: JsonObject, servers: JsonObject): string | undefined =>
  readJson({ asyncapi: "3.0.0", servers, channels: { c: channel } }).entries[0]!.protocol;

const cases: readonly (readonly [rule: string, channel: JsonObject, servers: JsonObject, protocol?: string])[] = [
  ["comes from its server", {}, { a: server("wss") }, "WSS"],
  [
    "comes from the server that it names",
    { servers: [{ $ref: "#/servers/b" }] },
    { a: server("wss"), b: server("amqp") },
    "AMQP",
  ],
  ["comes from the first of several", {}, { a: server("mqtt"), b: server("ws") }, "MQTT"],
  ["is the same where it is secured", {}, { a: server("kafka-secure") }, "KAFKA"],
  ["is the same where it is secured, said first", {}, { a: server("secure-mqtt") }, "MQTT"],
  ["comes from its bindings if there is no server", { bindings: { kafka: { topic: "x" } } }, {}, "KAFKA"],
  ["is WSS where its bindings are those of WebSockets", { bindings: { "x-a": 1, ws: {} } }, {}, "WSS"],
  ["is unknown where nothing says it", {}, {}],
  ["is unknown where the name is none", {}, { a: server("<b>not a protocol</b>") }],
  ["is unknown where the name is too long for one", {}, { a: server("x".repeat(13)) }],
  ["is unknown if it is not text", {}, { a: server(5), b: { $ref: "#/servers/b" } }],
];
for (const [rule, channel, servers, protocol] of cases)
  test(`the protocol of a channel ${rule}`, () => expect(protocolOf(channel, servers)).toBe(protocol));
