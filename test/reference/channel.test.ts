/** A page about a channel with more operations and messages than it shows. */
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json/index.js";
import { messagesFor } from "../../src/lib/language/index.js";
import { referenceOf, specOf } from "./spec-of.js";

const many = (count: number, name: string, value: JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]));

const notesOn = (document: JsonObject): string[] => treeOf(document).match(/… \d+/g) ?? [];

/** The page of the channel "c", as JSON. */
function treeOf(document: JsonObject): string {
  const spec = specOf({ asyncapi: "3.0.0", info: { title: "T", version: "1" }, ...document });
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

test("a channel page counts the operations that it leaves out and does not read their messages", () => {
  const messages = { m: { payload: { type: "string" } } };
  const operation = { action: "send", channel: { $ref: "#/channels/c" } };
  expect(notesOn({ channels: { c: { address: "c", messages } }, operations: many(45, "o", operation) })).toEqual([
    "… 5",
  ]);
});

test("a message shows its name beside its title", () => {
  const messages = { m: { name: "orderPlaced", title: "Order placed", contentType: "application/json" } };
  const tree = treeOf({ channels: { c: { address: "c", messages } } });
  expect(tree).toContain('"orderPlaced"');
  expect(tree).toContain('"application/json"');
  expect(treeOf({ channels: { c: { address: "c", messages: { m: { name: "only" } } } } }).match(/"only"/g)).toBeNull();
});

test("a channel whose address is known only at run time has no address to copy", () => {
  const servers = { s: { host: "broker.example.com", protocol: "kafka" } };
  const has = (channel: JsonObject): boolean => treeOf({ servers, channels: { c: channel } }).includes("ApiHeader");
  expect([has({ address: null }), has({ address: "orders" })]).toEqual([false, true]);
});
