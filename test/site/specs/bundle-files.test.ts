import { expect, test } from "vitest";
import { createSpecReader, type SpecReading } from "../../../src/site/specs/index.js";
import { memoryFiles } from "../discover/build-site.js";
import { codesOf } from "./read-text.js";

const read = (files: Readonly<Record<string, string>>): SpecReading =>
  createSpecReader(memoryFiles(files)).read("api/openapi.yaml", []);

const start = 'openapi: "3.1.0"\ninfo: { title: T, version: "1" }\n';

test("files of the site that a specification refers to are parts of it", () => {
  const { spec, entries, diagnostics, plan } = read({
    "api/openapi.yaml": `${start}paths:
  /pets: { $ref: "./paths/pets.yaml" }
  /own: { get: { responses: { "200": { $ref: "../common.json#/Ok" } } } }
components: { schemas: { Local: { type: string } } }
`,
    "api/paths/pets.yaml": `get:
  summary: List
  responses:
    "200": { description: ok, content: { application/json: { schema: { $ref: "../schemas/Pet.yaml" } } } }
`,
    "api/schemas/Pet.yaml": `properties:
  parent: { $ref: "#" }
  local: { $ref: "../openapi.yaml#/components/schemas/Local" }
  size: { $ref: "Pet%20Size.json" }
example: { $ref: "./none.yaml" }
`,
    "api/schemas/Pet Size.json": '{ "type": "integer" }',
    "common.json": '{ "Ok": { "description": "fine" } }',
  });
  expect(diagnostics).toEqual([]);
  expect(entries.map(({ title, pointer }) => `${title} ${pointer}`)).toEqual([
    "List #/paths/~1pets/get",
    "undefined #/paths/~1own/get",
  ]);
  expect(spec!.resolve("#/x-offprint-files/Pet")).toEqual({
    properties: {
      parent: { $ref: "#/x-offprint-files/Pet" },
      local: { $ref: "#/components/schemas/Local" },
      size: { $ref: "#/x-offprint-files/Pet Size" },
    },
    example: { $ref: "./none.yaml" },
  });
  expect(spec!.resolve("#/x-offprint-files/common/Ok")).toEqual({ description: "fine" });
  expect(plan()!.json).toBe(JSON.stringify(spec!.document));
});

test("files of one name stay apart", () => {
  const { spec } = read({
    "api/openapi.yaml": `${start}components: { schemas: { A: { $ref: a/Pet.json }, B: { $ref: b/Pet.json } } }\n`,
    "api/a/Pet.json": '{ "type": "string" }',
    "api/b/Pet.json": '{ "type": "integer" }',
  });
  expect(spec!.document["x-offprint-files"]).toEqual({ Pet: { type: "string" }, "Pet-2": { type: "integer" } });
});

test("a fault in another file is reported at its place there", () => {
  const { diagnostics } = read({
    "api/openapi.yaml": `${start}components: { schemas: { A: { $ref: pet.yaml }, B: { $ref: bad.json } } }\n`,
    "api/pet.yaml": 'properties:\n  a: { $ref: "#/none" }\n  b: { $ref: "../../../etc/passwd" }\n',
    "api/bad.json": '{ "type": ',
  });
  expect(codesOf(diagnostics)).toEqual([
    "SPEC_SYNTAX api/bad.json:1:11",
    "SPEC_REF_EXTERNAL api/openapi.yaml:3:60",
    "SPEC_REF_BROKEN api/pet.yaml:2:14",
    "SPEC_REF_EXTERNAL api/pet.yaml:3:14",
  ]);
});
