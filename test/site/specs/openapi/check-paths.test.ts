import { expect, test } from "vitest";
import { openapi, readJson, readText } from "../read-text.js";

const inPath = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const ok = { responses: { 200: { description: "Done" } } };
const faultsOf = (parts: Readonly<Record<string, unknown>>): (string | undefined)[][] =>
  readJson(openapi(parts)).diagnostics.map(({ code, what, fix }) => {
    expect(code).toBe("SPEC_ENTRY_INVALID");
    return [what, fix];
  });

test("a path without a leading slash is reported with the path to write", () => {
  expect(
    faultsOf({ paths: { trees: { get: ok }, "https://api.example.com/pears": { get: ok }, "/plums": {} } }),
  ).toEqual([
    [
      'The path "trees" does not begin with a slash, so other tools refuse it or join it to the host.',
      'write "/trees".',
    ],
    [
      'The path "https://api.example.com/pears" does not begin with a slash, so other tools refuse it or join it to the host.',
      'write "/pears" and { "url": "https://api.example.com" } in its "servers".',
    ],
  ]);
});

test("a query string in a path is reported with the path and the parameter to write", () => {
  expect(faultsOf({ paths: { "/trees?kind={kind}": { get: ok }, "/trees{?limit}": { get: ok } } })).toEqual([
    [
      'The path "/trees?kind={kind}" contains a query string, which other tools refuse.',
      'write "/trees", and describe kind as a parameter with "in": "query".',
    ],
  ]);
});

test("names in braces and path parameters that do not match are reported, once for a path", () => {
  const faults = faultsOf({
    paths: {
      "/trees/{treeId}": { get: { ...ok, parameters: [inPath("treeID")] } },
      "/pears/{id}": { get: { ...ok, parameters: [inPath("pearNumber")] } },
      "/plums/{id}": { get: ok, put: ok, delete: ok },
      "/figs/{id}": { get: { ...ok, parameters: [{ ...inPath("id"), in: "query" }] } },
      "/nuts": { get: { ...ok, parameters: [{ $ref: "#/components/parameters/id" }] } },
      "/vines/:id/grapes/:grape": { parameters: [inPath("id"), inPath("grape")], get: ok, put: ok },
    },
    components: { parameters: { id: inPath("id") } },
  });
  expect(faults).toEqual([
    [
      'The path parameter "treeID" of GET /trees/{treeId} is called {treeId} in the path, so nobody can fill it in.',
      'write "name": "treeId".',
    ],
    [
      'The path parameter "pearNumber" of GET /pears/{id} is called {id} in the path, so nobody can fill it in.',
      'write "name": "id", or {pearNumber} in the path.',
    ],
    [
      'The path parameter "id" of the 3 operations of /plums/{id} is not described, so nobody can fill it in.',
      'write "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }] in the path.',
    ],
    ['The path parameter "id" of GET /figs/{id} is not described, so nobody can fill it in.', 'write "in": "path".'],
    [
      'The path parameter "id" of GET /nuts is not in the path, so requests do not send it.',
      'write {id} in the path, or "in": "query".',
    ],
    [
      'The path "/vines/:id/grapes/:grape" has parameters without braces, so requests do not send them.',
      'write "/vines/{id}/grapes/{grape}".',
    ],
  ]);
});

test("a misspelt path parameter is located at its name", () => {
  const text = `openapi: 3.1.0
info: { title: Orchard, version: "1" }
paths:
  /trees/{treeId}:
    get:
      parameters:
        - name: tree_id
          in: path
          required: true
          schema: { type: string }
      responses: {}
`;
  const { diagnostics } = readText(text, "openapi.yaml");
  expect(diagnostics.map(({ location, fix }) => [location?.line, location?.column, fix])).toEqual([
    [7, 17, 'write "name": "treeId".'],
  ]);
});

test("paths with the same address are reported if a method is the same, and otherwise once for a specification", () => {
  const of = (name: string, method: string) => ({ parameters: [inPath(name)], [method]: ok });
  expect(
    faultsOf({
      paths: {
        "/trees/{id}": of("id", "get"),
        "/trees/{name}": of("name", "get"),
        "/pears/{id}": of("id", "get"),
        "/pears/{pear}": of("pear", "put"),
        "/plums/{id}": of("id", "get"),
        "/plums/{plum}": of("plum", "put"),
      },
    }),
  ).toEqual([
    [
      'The paths "/trees/{id}" and "/trees/{name}" differ only in the names of their parameters, so GET requests to both have the same address.',
      "remove one, or change a fixed part of its path.",
    ],
    [
      'The paths "/pears/{id}" and "/pears/{pear}" differ only in the names of their parameters, so for OpenAPI they are one path. There are 2 such pairs.',
      'move its operations to "/pears/{id}".',
    ],
  ]);
});

test("an operationId of two operations is reported with a free one", () => {
  expect(
    faultsOf({
      paths: {
        "/trees": { get: { ...ok, operationId: "trees" }, put: { ...ok, operationId: "trees" } },
        "/pears": { get: { ...ok, operationId: "trees" }, put: { ...ok, operationId: "treesGet" } },
      },
    }),
  ).toEqual([
    [
      'The operationId "trees" belongs to GET /trees and to PUT /trees, so links and workflows that name it lead to only one of them.',
      'write "treesPut".',
    ],
    [
      'The operationId "trees" belongs to GET /trees and to GET /pears, so links and workflows that name it lead to only one of them.',
      'write "trees2".',
    ],
  ]);
});

test("a default outside its enum is reported with the value to write", () => {
  const schemas = {
    size: { enum: ["SMALL", "LARGE"], default: "small" },
    rate: { type: "string", enum: ["8000", "16000"], default: 8000 },
    quoted: { enum: ["and", "AND"], default: "'and'" },
    other: { $ref: "#/components/schemas/size", default: "medium-rare" },
    part: { allOf: [{ $ref: "#/components/schemas/rate" }], default: "9" },
    fine: { enum: [1, 2], default: 1 },
    none: { enum: ["a", "b"], nullable: true, default: null },
    list: { type: "array", enum: ["a", "b"], default: ["a"] },
    free: { default: "x" },
  };
  expect(faultsOf({ components: { schemas } })).toEqual([
    ['The default "small" is not a value of its "enum".', 'write "SMALL".'],
    ['The default 8000 is not a value of its "enum".', 'write "8000".'],
    [`The default "'and'" is not a value of its "enum".`, 'write "and".'],
    ['The default "medium-rare" is not a value of its "enum".', 'write one of its values: "SMALL", "LARGE".'],
    ['The default "9" is not a value of its "enum".', 'write one of its values: "8000", "16000".'],
  ]);
});

test("a misspelt name in `required` is reported, but not one that another schema may define", () => {
  const properties = { userId: {}, name: {} };
  const schemas = {
    user: { properties, required: ["user_id", "name"] },
    near: { properties: { orders: {} }, required: ["order"] },
    closed: { properties, required: ["height"], additionalProperties: false },
    open: { properties, required: ["height"] },
    base: { properties, required: ["userID"] },
    whole: { allOf: [{ $ref: "#/components/schemas/base" }, { properties: { a: {} }, required: ["b"] }] },
    option: { properties, required: ["names"] },
    choice: { properties: { names: {} }, oneOf: [{ $ref: "#/components/schemas/option" }] },
    pattern: { properties, patternProperties: { "^n": {} }, required: ["names"] },
  };
  const gone = "but the schema has no property of this name.";
  expect(faultsOf({ components: { schemas } })).toEqual([
    [`"required" contains "user_id", ${gone}`, 'write "userId".'],
    [`"required" contains "order", ${gone}`, 'write "orders", or describe "order" in "properties".'],
    [`"required" contains "height", ${gone}`, 'describe "height" in "properties".'],
  ]);
});

test("names that frameworks and templates write differently are not faults", () => {
  const shared = { get: { ...ok, operationId: "one" } };
  expect(
    faultsOf({
      paths: {
        "/files/{path*}": { parameters: [inPath("path")], get: ok },
        "/v1/{+name}:cancel": { parameters: [inPath("name")], get: ok },
        "/trees/{id:[0-9]{3}}": { parameters: [inPath("id")], get: ok },
        "/pears{?limit}": { get: { ...ok, parameters: [{ ...inPath("limit"), in: "query" }] } },
        "/plums?sort={sort}#Action=List": { get: { ...ok, parameters: [{ ...inPath("sort"), in: "query" }] } },
        "/figs(id='{id}')": { parameters: [inPath("id")], get: ok },
        "/nuts/{id}": { get: { ...ok, parameters: [{ $ref: "#/components/parameters/id" }] } },
        "/a": { $ref: "#/components/pathItems/shared" },
        "/b": { $ref: "#/components/pathItems/shared" },
      },
      components: { parameters: { id: inPath("id") }, pathItems: { shared } },
    }),
  ).toEqual([]);
});
