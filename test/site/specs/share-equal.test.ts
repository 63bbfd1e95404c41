import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/lib/json/index.js";
import { parseJson } from "../../../src/lib/json/index.js";
import { shareEqual } from "../../../src/site/specs/open-specs.js";

const schema = (name: string): JsonObject => ({ type: "object", properties: { [name]: { type: "string" } } });
const at = (value: Json, ...names: string[]): Json =>
  names.reduce<Json>((inner, name) => (inner as JsonObject)[name]!, value);

test("equal schemas become one object, and the document says the same", () => {
  const document = { a: schema("id"), b: { inner: schema("id") }, c: schema("name") };
  const before = JSON.stringify(document);
  shareEqual(document);
  expect(at(document, "b", "inner")).toBe(document.a);
  expect(at(document, "c", "properties", "name")).toBe(at(document, "a", "properties", "id"));
  expect(document.c).not.toBe(document.a);
  expect(JSON.stringify(document)).toBe(before);
});

test("equal components stay apart, and copies of them become the first one", () => {
  const document = {
    paths: { a: schema("id") },
    components: { schemas: { User: schema("id"), Admin: schema("id"), Guest: schema("id") }, headers: null },
    webhooks: { b: schema("id") },
  };
  shareEqual(document);
  const { User, Admin, Guest } = document.components.schemas;
  expect(new Set([User, Admin, Guest]).size).toBe(3);
  expect([document.paths.a, document.webhooks.b]).toEqual([User, User]);
  expect(document.paths.a).toBe(User);
  expect(document.webhooks.b).toBe(User);
  expect(at(Admin, "properties", "id")).toBe(at(User, "properties", "id"));
});

test("schemas that differ in the order or the type of a member stay apart", () => {
  const document: { [name: string]: Json } = {
    a: { minimum: 1, maximum: 2 },
    b: { maximum: 2, minimum: 1 },
    c: { minimum: "1", maximum: 2 },
    d: ["x"],
    e: { 0: "x" },
  };
  shareEqual(document);
  expect(new Set(Object.values(document)).size).toBe(5);
});

test("numbers that a double cannot represent, and structures of any depth, stay unchanged", () => {
  const numbers = parseJson('{"a":{"n":12345678901234567890},"b":{"n":12345678901234567890}}') as JsonObject;
  const before = JSON.stringify(numbers);
  shareEqual(numbers);
  expect(JSON.stringify(numbers)).toBe(before);
  let deep: JsonObject = {};
  for (let depth = 0; depth < 100_000; depth++) deep = { deep };
  expect(() => shareEqual(deep)).not.toThrow();
});
