import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/lib/json/index.js";
import { addressNamesOf, listEntries, listObjects } from "../../../src/site/specs/index.js";
import { object, ref, specOf } from "../../reference/spec-of.js";

const text = { type: "string" };
const operation = (tag: string, schema: JsonObject, request?: JsonObject): JsonObject => ({
  tags: [tag],
  ...(request && { requestBody: { content: { "application/json": { schema: request } } } }),
  responses: { default: { description: "d", content: { "application/json": { schema } } } },
});

const objectsOf = (paths: JsonObject, schemas: JsonObject) => {
  const spec = specOf({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths, components: { schemas } });
  return listObjects(spec, listEntries(spec, "k").entries);
};

const paths = {
  "/boats": {
    get: operation("Boats", { type: "array", items: ref("Boat") }),
    post: operation("Boats", ref("Boat"), ref("Boat")),
  },
  "/crews": { get: operation("Crews", ref("Crew")) },
  "/fleet": { get: operation("Boats", ref("Boats")) },
};
const schemas = {
  Boat: { title: "A boat", ...object({ example: ref("Size"), captain: ref("Person") }) },
  Boats: { type: "array", items: ref("Boat") },
  Crew: object({ members: { type: "array", items: ref("Person") }, state: ref("State") }),
  Person: object({ name: text, friend: ref("Person") }),
  Size: object({ metres: text }),
  State: { type: "string", enum: ["ashore"] },
  Unused: object({ id: text }),
};

test("lists schemas with fields, through lists and other names, with their users, holders and tag", () => {
  const found = objectsOf(paths, schemas).map(({ title, users, holders, tag }) => [
    title,
    users.map(({ method, name }) => `${method} ${name}`),
    holders.map((pointer) => pointer.replace(/.*\//, "")),
    tag,
  ]);
  expect(found).toEqual([
    ["A boat", ["get /boats", "post /boats", "get /fleet"], [], "Boats"],
    ["Crew", ["get /crews"], [], "Crews"],
    // Boats and crews have people.
    ["Person", [], ["Boat", "Crew"], undefined],
    ["Size", [], ["Boat"], "Boats"],
  ]);
});

test("components that no entry uses are listed, too, without those of hidden entries and restricted ones", () => {
  const spec = specOf({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: {
      "/boats": { get: operation("Boats", ref("Boat")) },
      "/secret": { get: { ...operation("Secret", ref("Secret")), "x-hidden": true } },
    },
    components: {
      schemas: {
        Boat: object({ id: text }),
        Secret: object({ inner: ref("Inner") }),
        Inner: object({ id: text }),
        Sunk: object({ boat: ref("Boat"), wreck: ref("Wreck") }),
        Wreck: object({ depth: text }),
        Draft: { ...object({ id: text }), "x-internal": true },
        Crew: { ...object({ id: text }), "x-mint": { groups: ["staff"] } },
      },
    },
  });
  const { entries } = listEntries(spec, "k");
  const found = listObjects(
    spec,
    entries.filter(({ hidden }) => !hidden),
    entries,
  );
  expect(found.map(({ title, isListed }) => [title, isListed])).toEqual([
    ["Boat", true],
    ["Sunk", true],
    ["Wreck", true],
  ]);
});

test("schemas with names in other files, files that are schemas, and definitions in schemas are objects with titles that differ", () => {
  const inFile = (pointer: string): JsonObject => ({ $ref: `#/x-offprint-files/${pointer}` });
  const error = object({ code: text, more: inFile("shared~1Link") });
  const spec = specOf({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: {
      "/a": { get: operation("A", ref("Error")) },
      "/b": { get: operation("A", inFile("a/components/schemas/Error")) },
      "/c": { get: operation("A", inFile("b/definitions/Error"), inFile("c/definitions/Error")) },
      "/d": { get: { responses: { default: inFile("fault") } } },
    },
    components: {
      schemas: { Error: { ...object({ own: ref("Error/$defs/Part") }), $defs: { Part: object({ a: text }) } } },
    },
    "x-offprint-files": {
      a: { components: { schemas: { Error: object({ a: text }) } } },
      // Equal schemas of equal names are one object.
      b: { definitions: { Error: error } },
      c: { definitions: { Error: error } },
      "shared/Link": { title: "A link", ...object({ href: text, other: inFile("old~1Link") }) },
      "old/Link": object({ href: text }),
      fault: operation("A", inFile("kinds/Fault/properties/kind"))["responses"]!["default" as never],
      kinds: { Fault: object({ kind: object({ a: text }) }) },
    },
  });
  const found = listObjects(spec, listEntries(spec, "k").entries);
  expect(found.map(({ title, pointer, users }) => [title, pointer, users.map(({ name }) => name)])).toEqual([
    ["A link", "#/x-offprint-files/shared~1Link", []],
    ["Error", "#/components/schemas/Error", ["/a"]],
    ["Error (a)", "#/x-offprint-files/a/components/schemas/Error", ["/b"]],
    ["Error (b)", "#/x-offprint-files/b/definitions/Error", ["/c"]],
    ["Link", "#/x-offprint-files/old~1Link", []],
    ["Part", "#/components/schemas/Error/$defs/Part", []],
  ]);
  expect(found.map(({ pointer }) => addressNamesOf(pointer))).toEqual([
    ["Link", "shared Link"],
    ["Error"],
    ["a Error"],
    ["b Error"],
    ["Link", "old Link"],
    ["Error Part"],
  ]);
});

test("a property with the name of a keyword is a property, and an example or a reference to the document is not a schema", () => {
  const found = objectsOf(
    {
      "/a": { get: operation("A", { ...object({ default: ref("One") }), example: ref("Two"), items: { $ref: "#" } }) },
    },
    { One: object({ id: text }), Two: object({ id: text }) },
  );
  expect(found.map(({ name }) => name)).toEqual(["One"]);
});

test("parts for some readers, and what only they refer to, are left out", () => {
  const secret = { "x-mint": { groups: ["staff"] }, ...object({ id: text }) };
  const found = objectsOf(
    { "/a": { get: operation("A", ref("Open")) } },
    {
      Open: object({ a: ref("Secret"), b: { "x-mint": { groups: ["staff"] }, ...ref("Own") } }),
      Secret: secret,
      Own: object({ id: text }),
    },
  );
  expect(found.map(({ name }) => name)).toEqual(["Open"]);
});

test("a large API lists objects that are used in several places, and parts that would fill the page of another", () => {
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_, i) => [`/p${i}`, { get: operation("A", ref(`O${i % 60}`)) }]),
  );
  const fields = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, text]));
  const names = (count: number, of: (i: number) => [string, JsonObject]): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)));
  const found = objectsOf(many, {
    ...names(60, (i) => [`O${i}`, object({ id: text })]),
    O0: object({ ...fields(150), own: ref("Large"), small: ref("Small") }),
    Large: object(fields(90)),
    Small: object(fields(9)),
    // Its parts are small, but each has the fields of what they extend.
    O1: object(names(9, (i) => [`part${i}`, ref(`Part${i}`)])),
    ...names(9, (i) => [`Part${i}`, { allOf: [ref("Base"), object({ own: text })] }]),
    Base: object(fields(25)),
  });
  const listed = found.filter(({ isListed }) => isListed).map(({ name }) => name);
  expect(listed.filter((name) => /^(?:Part|Base)/.test(name))).toEqual(["Base", "Part7", "Part8"]);
  expect(listed).toHaveLength(45);
  expect(listed).toEqual(expect.arrayContaining(["O0", "O40", "Large"]));
  expect(listed).not.toContain("Small");
  expect(listed).not.toContain("O59");
});

test("in a large API, large parts of what one operation alone returns are listed", () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`/p${i}`, { get: operation("A", text) }]));
  const fields = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, text]));
  const found = objectsOf(
    { ...many, "/template": { get: operation("B", ref("Template")) }, "/tag": { get: operation("B", ref("Tag")) } },
    {
      Template: object({ body: ref("Body"), author: ref("Author") }),
      Body: object({ section: ref("Section") }),
      Section: object({ ...fields(120), button: ref("Button"), table: ref("Table") }),
      Button: object(fields(60)),
      Table: object(fields(90)),
      Author: object(fields(40)),
      Tag: object(fields(190)),
    },
  );
  const listed = found.filter(({ isListed }) => isListed).map(({ name }) => name);
  expect(listed).toEqual(["Body", "Section", "Table", "Template"]);
});

test("in a large API, lists schemas that descriptions link to, whatever they are", () => {
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, i) => [
      `/a/${i}`,
      { get: { responses: {}, description: "See [state](#/components/schemas/State)." } },
    ]),
  );
  const linked = {
    ...schemas,
    Note: { type: "string", description: "<a href='#/definitions/Unused'>u</a>, [n](#/components/schemas/None)" },
  };
  const paths = { ...many, "/b": { get: operation("B", object({ note: ref("Note") })) } };
  const listed = objectsOf(paths, linked).filter(({ isListed }) => isListed);
  expect(listed.map(({ name }) => name)).toEqual(["State", "Unused"]);
});

test("a chain of thousands of objects that extend each other is listed", () => {
  const last = 10_000;
  const chain = Array.from({ length: last }, (_, i) => [`L${i}`, { allOf: [ref(`L${i + 1}`), object({ x: text })] }]);
  const all = { ...Object.fromEntries(chain), [`L${last}`]: object({ x: text }) };
  const paths = { "/chain": { get: operation("Chain", ref("L0")) } };
  expect(objectsOf(paths, all)).toHaveLength(last + 1);
  const others = Array.from({ length: 100 }, (_, i) => [`/${i}`, { get: operation("Other", text) }]);
  expect(objectsOf({ ...paths, ...Object.fromEntries(others) }, all)).toHaveLength(last + 1);
});
