/** A page about a channel with more operations and messages than it shows. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json/index.js";
import { messagesFor } from "../../src/lib/language/index.js";
import { convertAsyncApi } from "../../src/site/specs/asyncapi/kind.js";
import { contentOf, htmlOf, markdownOf, referenceOf, sectionOf, specOf } from "./spec-of.js";

const many = (count: number, name: string, value: JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]));

const notesOn = (document: JsonObject): string[] => treeOf(document).match(/… \d+/g) ?? [];

const channelSpec = (document: JsonObject) =>
  specOf({ asyncapi: "3.0.0", info: { title: "T", version: "1" }, ...document });

/** The page of the channel "c", as JSON. */
function treeOf(document: JsonObject): string {
  const spec = channelSpec(document);
  const target = { kind: "channel", spec: spec.source, name: "c" } as const;
  const { tree } = referenceOf(spec).content(target, { messages: messagesFor("en") });
  return JSON.stringify(tree);
}

const channel = { address: "c", messages: many(75, "m", { payload: { type: "string" } }) };

test("a channel page counts the messages that it leaves out", () => {
  expect(notesOn({ channels: { c: channel } })).toEqual(["… 15"]);
});

test("a channel page counts the replies that it leaves out", () => {
  const operation = { action: "send", channel: { $ref: "#/channels/c" }, reply: { channel: { $ref: "#/channels/c" } } };
  expect(notesOn({ channels: { c: channel }, operations: { o: operation } })).toEqual(["… 15", "… 15"]);
});

describe("a channel with 205 operations", () => {
  const messages = { m: { title: "Made", payload: { type: "string" } } };
  const operation = { action: "send", channel: { $ref: "#/channels/c" } };
  const document = { channels: { c: { address: "c", messages } }, operations: many(205, "o", operation) };

  test("has 40 on its page, and links to each of the others on further pages", () => {
    const reference = referenceOf(channelSpec(document));
    const target = { kind: "channel", spec: "openapi.json", name: "c" } as const;
    const models = { from: "c.html", folder: () => "models/" };
    const page = reference.content(target, { messages: messagesFor("en"), models });
    const links = JSON.stringify(page.tree).match(/models[^"]*#o\d+/g)!;
    expect(links).toHaveLength(165);
    expect(page.models!.map((model) => model.target.skip)).toEqual([40, 80, 120, 160, 200]);
    expect(links.at(-1)).toBe(`${page.models!.at(-1)!.outputPath}#o204`);
    const last = reference.content(page.models!.at(-1)!.target, { messages: messagesFor("en"), models });
    expect(JSON.stringify(last.tree).match(/"id":"o\d+"/g)).toEqual(
      [200, 201, 202, 203, 204].map((i) => `"id":"o${i}"`),
    );
    expect([page.diagnostics, last.diagnostics]).toEqual([[], []]);
  });

  test("counts the others where there are no further pages", () => {
    expect(notesOn(document)).toEqual(["… 165"]);
  });

  test("shows a message that all of them use once, and links to it from the others", () => {
    const tree = treeOf(document);
    expect(tree.match(/"url":"#o0"/g)).toHaveLength(39);
    expect(tree.match(/"title=\\"Made\\""/g)).toHaveLength(1);
  });
});

test("of two replies, the one that an earlier operation shows is a link to that place", () => {
  const messages = { ok: { title: "Fine" }, made: { title: "Made" }, error: { title: "Failed" } };
  const ref = (name: string): JsonObject => ({ $ref: `#/channels/c/messages/${name}` });
  const operation = (reply: string): JsonObject => ({
    action: "send",
    channel: { $ref: "#/channels/c" },
    messages: [ref("ok")],
    reply: { messages: [ref(reply), ref("error")] },
  });
  const operations = { first: operation("made"), second: operation("ok") };
  const tree = treeOf({ channels: { c: { address: "c", messages } }, operations });
  expect(tree).toContain('"id":"first:failed"');
  expect(tree).toMatch(/"url":"#first".*"Fine".*"url":"#first:failed".*"Failed"/);
});

test("a message shows its name beside its title", () => {
  const messages = { m: { name: "orderPlaced", title: "Order placed", contentType: "application/json" } };
  const tree = treeOf({ channels: { c: { address: "c", messages } } });
  expect(tree).toContain('"orderPlaced"');
  expect(tree).toContain('"application/json"');
  expect(treeOf({ channels: { c: { address: "c", messages: { m: { name: "only" } } } } }).match(/"only"/g)).toBeNull();
});

test("a title of a message has no marks of Markdown, and a longer one than a title is its description", () => {
  const about = `The watering failed, ${"and the garden stays dry, ".repeat(4)}so \`try\` again.`;
  const messages = {
    ok: { title: "Sent as `ok`", payload: { type: "object" } },
    bad: { name: "failure", title: about, payload: { type: "object" } },
  };
  const spec = channelSpec({ channels: { c: { address: "c", messages } } });
  const text = markdownOf(contentOf(spec, { kind: "channel", spec: spec.source, name: "c" }).tree);
  expect(text).toContain("Sent as ok");
  expect(text).toContain(`**failure**\n\n${about}`);
});

test("a long name of a single message is the title of its example", async () => {
  const name = "BoatsOfTheHarbourWithAllTheirMoorings";
  const spec = channelSpec({
    channels: { c: { address: "c", messages: { m: { name, payload: { type: "string" } } } } },
  });
  const { panel } = await htmlOf(contentOf(spec, { kind: "channel", spec: spec.source, name: "c" }).tree);
  expect(panel).toMatch(new RegExp(`code-group-title">[^<]*${name}`));
});

test("the title of a single message is above it, unless its operation has the same", () => {
  const messages = { m: { title: "Order placed" } };
  const titlesWith = (title: string) =>
    treeOf({
      channels: { c: { address: "c", messages } },
      operations: { o: { action: "send", title, channel: { $ref: "#/channels/c" } } },
    }).match(/"type":"strong","children":\[\{"type":"text","value":"Order placed"/g);
  expect([titlesWith("Order placed"), titlesWith("Place an order")]).toEqual([null, expect.any(Array)]);
});

test("a channel whose address is known only at run time has no address to copy", () => {
  const servers = { s: { host: "broker.example.com", protocol: "kafka" } };
  const has = (channel: JsonObject): boolean => treeOf({ servers, channels: { c: channel } }).includes("ApiHeader");
  expect([has({ address: null }), has({ address: "orders" })]).toEqual([false, true]);
});

test("messages that no operation names follow those of the operations", () => {
  const messages = { made: { title: "Made" }, lost: { title: "Lost" } };
  const operation = (named: JsonObject[]): JsonObject => ({
    action: "send",
    title: "Report an order",
    channel: { $ref: "#/channels/c" },
    messages: named,
  });
  const made = [{ $ref: "#/channels/c/messages/made" }];
  const treeWith = (named: JsonObject[]) =>
    treeOf({ channels: { c: { address: "c", messages } }, operations: { report: operation(named) } });
  expect(treeWith(made)).toMatch(/"report".*"Payload"/);
  expect(treeWith([])).not.toContain('"Payload"');
});

test("a channel shows its tags, the scopes of its schemes, the version of its protocol and further documents", () => {
  const scheme: JsonObject = {
    type: "oauth2",
    scopes: ["orders:write"],
    flows: { clientCredentials: { tokenUrl: "https://example.com/t", availableScopes: { "orders:write": "Send." } } },
  };
  const servers = {
    s: {
      host: "{part}.example.com",
      protocol: "kafka",
      protocolVersion: "3.5.1",
      externalDocs: { url: "https://example.com/broker" },
      variables: { part: { default: "eu", examples: ["us-1"] } },
    },
  };
  const operations = { o: { action: "send", title: "Send it", channel: { $ref: "#/channels/c" }, security: [scheme] } };
  const parameters = { id: { location: "$message.payload#/id" } };
  const tags = [{ name: "Orders", description: "All of a day.", externalDocs: { url: "https://example.com/day" } }];
  const messages = { m: { payload: { type: "string" } } };
  const channels = { c: { address: "c/{id}", parameters, tags, messages } };
  const tree = treeOf({ servers, operations, channels, defaultContentType: "application/cbor" });
  const words = [
    "example.com/day",
    "application/cbor",
    "orders:write",
    ": Send.",
    "3.5.1",
    "example.com/broker",
    "us-1",
    "$message.payload#/id",
  ];
  for (const word of [...words, "All of a day.", '"operationId"']) expect(tree).toContain(word);
});

test("of AsyncAPI 2, the scopes of an operation, the schema of a parameter and the key of a message are shown", () => {
  const tree = treeOf(
    convertAsyncApi({
      asyncapi: "2.6.0",
      channels: {
        c: {
          parameters: {
            id: { $ref: "#/components/parameters/id" },
            part: { schema: { type: "integer", maximum: 63 } },
          },
          publish: {
            security: [{ login: ["orders:write"] }],
            message: { messageId: "orderMade", title: "Made", payload: { type: "string" } },
          },
        },
      },
      components: {
        parameters: { id: { schema: { type: "string", pattern: "^ord-" } } },
        securitySchemes: { login: { type: "oauth2", flows: {} } },
      },
    }),
  );
  for (const word of ["orders:write", "^ord-", "x <= 63", "orderMade"]) expect(tree).toContain(word);
});

test("of AsyncAPI 2.0, examples with a name around their payload are shown, also if they are JSON in a text", () => {
  const document = convertAsyncApi({
    asyncapi: "2.0.0",
    channels: { c: { subscribe: { message: { $ref: "#/components/messages/made" } } } },
    components: {
      messages: {
        made: {
          payload: { type: "object", properties: { size: { type: "integer" } } },
          examples: [
            { small: { payload: '{"size": 3}' }, large: { payload: { size: 700 } } },
            { payload: { size: 41 } },
          ],
        },
      },
    },
  });
  const spec = channelSpec(document);
  const markdown = markdownOf(contentOf(spec, { kind: "channel", spec: spec.source, name: "c" }).tree);
  for (const example of ['"size": 3', '"size": 700', '"size": 41', "made · small", "made · large"])
    expect(markdown).toContain(example);
});

describe("a message whose schema is not JSON Schema", () => {
  const payloadOf = (payload: JsonObject): string => {
    const messages = { m: { title: "Order", payload } };
    return treeOf({ channels: { c: { address: "c", messages } } });
  };
  const order: JsonObject = {
    type: "record",
    name: "Order",
    doc: "One order.",
    fields: [
      { name: "id", type: { type: "string", logicalType: "uuid" }, doc: "Its number." },
      { name: "size", type: ["null", "int"], default: null },
      { name: "price", type: { type: "bytes", logicalType: "decimal", precision: 9, scale: 2 }, example: "12.50" },
      { name: "kind", type: { type: "enum", name: "Kind", symbols: ["LARGE", "SMALL"] } },
      { name: "earlier", type: ["null", "Order"], default: null },
      { name: "notes", type: { type: "map", values: "string" } },
      { name: "other", type: "Kind" },
    ],
  };

  for (const schema of [order, JSON.stringify(order)])
    test(`shows the fields of Avro, written as ${typeof schema}`, () => {
      const tree = payloadOf({ schemaFormat: "application/vnd.apache.avro;version=1.9.0", schema });
      for (const words of [
        "One order.",
        "Its number.",
        "string<uuid>",
        "integer<int32> | null",
        "LARGE",
        "decimal(9,2)",
        "12.50",
      ])
        expect(tree).toContain(words);
      expect(tree.match(/"name":"(?:id|size|price|kind|earlier|notes|other)"/g)).toHaveLength(7);
      expect(tree).toContain('\\"kind\\": \\"LARGE\\"');
    });

  test("shows any other format as written, with its name and without an example", () => {
    const schema = 'syntax = "proto3";\nmessage Order { string id = 1; }';
    const format = "application/vnd.google.protobuf;version=3";
    const tree = payloadOf({ schemaFormat: format, schema });
    expect(tree).toContain(JSON.stringify(schema));
    expect(tree).toContain(format);
    expect(tree).not.toContain("RequestExample");
    expect(tree).not.toContain("ResponseExample");
  });
});

test("the location of an id or a reply at run time is shown with its description and its tags", () => {
  const at = (description: string): JsonObject => ({ location: "$message.header#/id", description });
  const messages = { m: { payload: { type: "string" }, correlationId: at("Pairs."), tags: [{ name: "slow" }] } };
  const operations = {
    o: {
      action: "send",
      channel: { $ref: "#/channels/c" },
      tags: [{ name: "paid", description: "Costs." }],
      reply: { address: at("Answers."), channel: { $ref: "#/channels/c" } },
    },
  };
  const tree = treeOf({ channels: { c: { address: "c", messages } }, operations });
  for (const words of ["$message.header#/id", "correlationId", "Pairs.", "slow", "paid", "Costs.", "Answers."])
    expect(tree).toContain(words);
});

describe("servers whose security schemes are written in place", () => {
  const scheme = (host: string, availableScopes: JsonObject, scopes: string[]): JsonObject => ({
    type: "oauth2",
    flows: { clientCredentials: { tokenUrl: `https://${host}/token`, availableScopes } },
    scopes,
  });
  const server = (host: string, security: JsonObject): JsonObject => ({
    host,
    protocol: "kafka",
    security: [security],
  });
  const scopes = { "orders:read": "See orders.", "orders:write": "Change orders." };
  const spec = channelSpec({
    servers: {
      live: server("live.example", scheme("live.example", scopes, ["orders:read"])),
      spare: server("spare.example", scheme("live.example", scopes, ["orders:write"])),
      trial: server("trial.example", scheme("trial.example", { try: "Try all." }, ["try"])),
    },
    channels: { c: { address: "c", messages: {} } },
  });
  const authorizationOf = (target: Parameters<typeof contentOf>[1]): string =>
    sectionOf(markdownOf(contentOf(spec, target).tree), "Authorizations");

  test("are ways of their own on the page of a channel, each with the scopes that it needs", () => {
    const shown = authorizationOf({ kind: "channel", spec: spec.source, name: "c" });
    expect(shown.match(/\*\*oauth2.*?\*\*/g)).toEqual(["**oauth2**", "**oauth2 2**"]);
    for (const words of ["`orders:read`: See orders.", "`orders:write`: Change orders.", "`try`: Try all."])
      expect(shown).toContain(words);
    for (const host of ["live", "trial"]) expect(shown).toContain(`https://${host}.example/token`);
  });

  test("are on the overview with all their scopes", () => {
    const shown = authorizationOf({ kind: "overview", spec: spec.source });
    for (const words of ["`orders:read`: See orders.", "`orders:write`: Change orders.", "`try`: Try all."])
      expect(shown).toContain(words);
  });
});
