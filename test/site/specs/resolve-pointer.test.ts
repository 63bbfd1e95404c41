import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/lib/json/index.js";
import { pointerTo } from "../../../src/lib/json/json-pointer.js";
import { resolvePointer } from "../../../src/site/specs/resolve-pointer.js";

const document = {
  paths: { "/users/{id}": { get: { summary: "One" } }, "/a~b%20c": { get: { summary: "Odd" } }, "/50%": 1 },
  list: [{ name: "first" }, { name: "second" }],
  components: {
    schemas: {
      User: { properties: { name: { type: "string" } } },
      Alias: { $ref: "#/components/schemas/User" },
      Twice: { $ref: "#/components/schemas/Alias" },
      Self: { $ref: "#/components/schemas/Self" },
      Ping: { $ref: "#/components/schemas/Pong" },
      Pong: { $ref: "#/components/schemas/Ping" },
      Away: { $ref: "other.json#/x" },
      "": { type: "null" },
    },
  },
} as unknown as JsonObject;

describe("resolvePointer", () => {
  const cases: readonly (readonly [rule: string, pointer: string, value: unknown])[] = [
    ["gives the document for #", "#", document],
    ["gives the document for nothing", "", document],
    ["follows names", "#/components/schemas/User/properties/name/type", "string"],
    ["takes a pointer without #", "/list/1/name", "second"],
    ["knows ~1 and percent-encoding", "#/paths/~1users~1%7Bid%7D/get/summary", "One"],
    ["takes braces as they are", "#/paths/~1users~1{id}/get/summary", "One"],
    ["knows ~0", "#/paths/~1a~0b%2520c/get/summary", "Odd"],
    ["accepts a % that is not encoded", "#/paths/~1a~0b%20c/get/summary", "Odd"],
    ["takes a % that encodes nothing", "#/paths/~150%", 1],
    ["accepts slashes of the last name that are not escaped", "#/paths//users/{id}", { get: { summary: "One" } }],
    ["takes no name with slashes in place of several", "#/paths//users/{id}/get", undefined],
    ["counts in lists from 0", "#/list/0", { name: "first" }],
    ["knows an empty name", "#/components/schemas/", { type: "null" }],
    ["leaves a reference at the end", "#/components/schemas/Alias", { $ref: "#/components/schemas/User" }],
    ["follows a reference on the way", "#/components/schemas/Alias/properties/name/type", "string"],
    ["follows two", "#/components/schemas/Twice/properties/name/type", "string"],
    ["gives a name that references itself", "#/components/schemas/Self", { $ref: "#/components/schemas/Self" }],
    ["gives up in a circle of one", "#/components/schemas/Self/x", undefined],
    ["gives up in a circle of two", "#/components/schemas/Ping/x", undefined],
    ["follows nothing to another file", "#/components/schemas/Away/x", undefined],
    ["gives nothing for another file", "other.json#/components", undefined],
    ["gives nothing for an address", "https://x.y/api.json#/components", undefined],
    ["gives nothing for an anchor", "#User", undefined],
    ["gives nothing behind a text", "#/components/schemas/User/properties/name/type/length", undefined],
    ["gives nothing beyond a list", "#/list/2", undefined],
    ["gives nothing for -", "#/list/-", undefined],
    ["gives nothing for 01", "#/list/01", undefined],
    ["reaches no prototype of an object", "#/components/constructor", undefined],
    ["reaches no __proto__", "#/components/__proto__", undefined],
    ["reaches no prototype of a list", "#/list/length", undefined],
    ["gives nothing for a thousand steps and more", `#${"/a".repeat(5000)}`, undefined],
  ];
  for (const [rule, pointer, value] of cases)
    test(rule, () => expect(resolvePointer(document, pointer)).toEqual(value));

  test("finds what pointerTo names", () => {
    for (const path of Object.keys(document["paths"] as JsonObject))
      expect(resolvePointer(document, pointerTo("paths", path)), path).toBe((document["paths"] as JsonObject)[path]);
  });
});
