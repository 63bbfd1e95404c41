import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/lib/json/index.js";
import { readJson } from "../read-text.js";

/** The AsyncAPI 3 document that one of version 2 is read as. */
const converted = (parts: JsonObject): JsonObject =>
  readJson({ asyncapi: "2.6.0", info: { title: "T", version: "1" }, ...parts }).spec!.document;

test("an operation of AsyncAPI 2 is listed with its channel and has the messages of the channel", () => {
  const said = { $ref: "#/components/messages/Said" };
  const document = converted({
    channels: {
      "rooms/{id}": {
        description: "Talk",
        servers: ["main"],
        parameters: { id: { schema: { type: "string", enum: ["a"], description: "Which" }, location: "$message" } },
        bindings: { ws: {} },
        publish: { operationId: "say", summary: "Say", message: said, security: [{ key: [] }] },
        subscribe: {
          description: "Hear",
          message: { oneOf: [said, { name: "joined", payload: {} }, { payload: {} }] },
        },
      },
    },
    components: { messages: { Said: { payload: { type: "string" } } } },
  });
  const channel = { $ref: "#/channels/rooms~1{id}" };
  expect(document["channels"]).toEqual({
    "rooms/{id}": {
      address: "rooms/{id}",
      description: "Talk",
      servers: [{ $ref: "#/servers/main" }],
      parameters: { id: { description: "Which", enum: ["a"], location: "$message" } },
      bindings: { ws: {} },
      messages: { Said: said, joined: { name: "joined", payload: {} }, message: { payload: {} } },
    },
  });
  expect(document["operations"]).toEqual({
    say: {
      action: "send",
      channel,
      summary: "Say",
      messages: [{ $ref: "#/channels/rooms~1{id}/messages/Said" }],
      security: [{ $ref: "#/components/securitySchemes/key" }],
    },
    "receive rooms/{id}": {
      action: "receive",
      channel,
      description: "Hear",
      messages: ["Said", "joined", "message"].map((name) => ({ $ref: `#/channels/rooms~1{id}/messages/${name}` })),
    },
  });
});

test("a server of AsyncAPI 2 has its host and its path apart", () => {
  const servers = {
    a: { url: "wss://{region}.e.com/v1/x", protocol: "wss", security: [{ key: [] }], variables: { region: {} } },
    b: { url: "broker.e.com:9092", protocol: "kafka" },
    c: { protocol: "mqtt" },
  };
  expect(converted({ servers, channels: {} })["servers"]).toEqual({
    a: {
      protocol: "wss",
      variables: { region: {} },
      host: "{region}.e.com",
      pathname: "/v1/x",
      security: [{ $ref: "#/components/securitySchemes/key" }],
    },
    b: { protocol: "kafka", host: "broker.e.com:9092" },
    c: { protocol: "mqtt" },
  });
});

test("channels of AsyncAPI 2 have pages under their tags", () => {
  const { entries, diagnostics } = readJson({
    asyncapi: "2.0.0",
    info: { title: "T", version: "1" },
    tags: [{ name: "chat", "x-group": "Chat" }],
    servers: { a: { url: "wss://e.com", protocol: "wss" } },
    channels: { room: { publish: { message: { $ref: "#/components/messages/M" } } }, odd: 1 },
    components: { messages: { M: { payload: { type: "object" } } } },
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(["SPEC_ENTRY_INVALID"]);
  expect(entries).toMatchObject([{ kind: "channel", name: "room", address: "room", protocol: "WSS" }]);
});
