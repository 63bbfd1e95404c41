import { expect, test } from "vitest";
import { bundleFiles } from "../../../src/site/specs/bundle-files.js";
import type { SpecReading } from "../../../src/site/specs/index.js";
import { codesOf, readFiles } from "./read-text.js";

const read = (files: Readonly<Record<string, string>>): SpecReading => readFiles(files, "api/openapi.yaml");

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
  expect(spec!.resolve("#/x-offprint-files/schemas~1Pet")).toEqual({
    properties: {
      parent: { $ref: "#/x-offprint-files/schemas~1Pet" },
      local: { $ref: "#/components/schemas/Local" },
      size: { $ref: "#/x-offprint-files/schemas~1Pet Size" },
    },
    example: { $ref: "./none.yaml" },
  });
  expect(spec!.resolve("#/x-offprint-files/common/Ok")).toEqual({ description: "fine" });
  expect(plan()!.json).toBe(JSON.stringify(spec!.document));
});

test("a part of an extension of another file keeps what it refers to in that file", () => {
  const { spec, diagnostics } = read({
    "api/openapi.yaml": `${start}components: { schemas: { A: { $ref: "hooks.yaml#/x-hooks/made/schema" } } }\n`,
    "api/hooks.yaml": `x-hooks: { made: { schema: { allOf: [{ $ref: "#/components/schemas/Event" }] } } }
components: { schemas: { Event: { type: object } } }
`,
  });
  expect(diagnostics).toEqual([]);
  expect(spec!.resolve("#/x-offprint-files/hooks/x-hooks/made/schema")).toEqual({
    allOf: [{ $ref: "#/x-offprint-files/hooks/components/schemas/Event" }],
  });
});

test("names that an author chose are not extensions or data, not even x-request-id and default", () => {
  const { spec, diagnostics } = read({
    "api/openapi.yaml": `${start}components: { responses: { A: { $ref: "parts.yaml#/Denied" } } }\n`,
    "api/parts.yaml": `Denied:
  description: no
  headers: { x-request-id: { $ref: "#/Id" }, x-lost: { $ref: "#/None" } }
  content:
    x-words/plain: { schema: { dependentSchemas: { default: { $ref: "#/Id" } } } }
Id: { schema: { type: string } }
`,
  });
  expect(codesOf(diagnostics)).toEqual(["SPEC_REF_BROKEN api/parts.yaml:3:62"]);
  const id = { $ref: "#/x-offprint-files/parts/Id" };
  expect(spec!.resolve("#/x-offprint-files/parts/Denied")).toMatchObject({
    headers: { "x-request-id": id },
    content: { "x-words/plain": { schema: { dependentSchemas: { default: id } } } },
  });
});

test("files of one name stay apart", () => {
  const { spec } = read({
    "api/openapi.yaml": `${start}components: { schemas: { A: { $ref: a/Pet.json }, B: { $ref: b/Pet.json } } }\n`,
    "api/a/Pet.json": '{ "type": "string" }',
    "api/b/Pet.json": '{ "type": "integer" }',
  });
  expect(spec!.document["x-offprint-files"]).toEqual({ "a/Pet": { type: "string" }, "b/Pet": { type: "integer" } });
});

test("a fault in another file is reported at its place there", () => {
  const { diagnostics } = read({
    "api/openapi.yaml": `${start}components: { schemas: { A: { $ref: pet.yaml }, B: { $ref: bad.json } } }\n`,
    "api/pet.yaml": 'properties:\n  a: { $ref: "#/none" }\n  b: { $ref: "../../../etc/passwd" }\n',
    "api/bad.json": '{ "type": ',
  });
  expect(codesOf(diagnostics)).toEqual([
    // The bracket that is not closed, not the end of the file; the reference to the file has no message of its own.
    "SPEC_SYNTAX api/bad.json:1:1",
    "SPEC_REF_BROKEN api/pet.yaml:2:14",
    "SPEC_REF_EXTERNAL api/pet.yaml:3:14",
  ]);
});

test("a reference may stand for an operation, a map, a list or a text, as bundlers allow", () => {
  const { spec, entries, diagnostics, tags } = read({
    "api/openapi.yaml": `openapi: 3.0.0
info: { title: T, version: "1", description: { $ref: intro.md } }
tags: [{ $ref: "tags/users.yaml" }]
servers: { $ref: "servers.yaml" }
paths:
  /users:
    get: { $ref: "users/list.yaml" }
    post: { $ref: "#/components/x-operations/create" }
  /users/{id}: { $ref: "users/one.yaml" }
x-webhooks: { joined: { post: { $ref: "users/list.yaml" } } }
components:
  schemas: { $ref: "schemas.yaml" }
  x-operations: { create: { summary: Create, responses: { $ref: "users/responses.yaml" } } }
`,
    "api/intro.md": "# Hello\n\nHow to *begin*.\n",
    "api/tags/users.yaml": "name: users\ndescription: { $ref: ../intro.md }\n",
    "api/servers.yaml": "- { url: https://a.example.org }\n",
    "api/users/list.yaml": `summary: List
tags: [users]
x-samples: [{ source: { $ref: "list.sh" } }]
responses:
  "200":
    description: ok
    content:
      application/json:
        schema: { $ref: "../openapi.yaml#/components/schemas/User" }
        example: { $ref: "list.json" }
        examples: { two: { value: { $ref: "list.json#/0" } }, three: { $ref: "examples.yaml#/three" } }
`,
    "api/users/list.sh": "curl it\n",
    "api/users/list.json": '[{ "name": "Ada" }]',
    "api/users/examples.yaml": "three: { value: 3 }\n",
    "api/users/one.yaml":
      "parameters: [{ name: id, in: path, required: true, schema: {} }]\ndelete: { $ref: list.yaml }\n",
    "api/users/responses.yaml": '"201": { description: made }\n',
    "api/schemas.yaml": `User: { properties: { $ref: "properties.yaml" } }
Pet:
  oneOf: [{ $ref: "#/User" }]
  discriminator: { propertyName: kind, mapping: { user: "schemas.yaml#/User", other: Other } }
`,
    "api/properties.yaml": "name: { type: string, description: { $ref: name.md } }\n",
    "api/name.md": "Of a *person*.",
  });
  expect(diagnostics).toEqual([]);
  expect(entries.map(({ method, name, title, tag }) => [method, name, title, tag])).toEqual([
    ["get", "/users", "List", "users"],
    ["post", "/users", "Create", undefined],
    ["delete", "/users/{id}", "List", "users"],
    ["post", "joined", "List", "users"],
  ]);
  const { document } = spec!;
  expect(document["info"]).toMatchObject({ description: "# Hello\n\nHow to *begin*.\n" });
  expect(tags).toMatchObject([{ name: "users", description: "# Hello\n\nHow to *begin*.\n" }]);
  expect(document["servers"]).toEqual([{ url: "https://a.example.org" }]);
  expect(spec!.resolve("#/paths/~1users/get")).toMatchObject({
    "x-samples": [{ source: "curl it\n" }],
    responses: {
      200: {
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/User" },
            example: [{ name: "Ada" }],
            examples: { two: { value: { name: "Ada" } }, three: { $ref: "#/x-offprint-files/users~1examples/three" } },
          },
        },
      },
    },
  });
  expect(spec!.resolve("#/paths/~1users/post/responses")).toEqual({ 201: { description: "made" } });
  expect(spec!.resolve("#/components/schemas")).toMatchObject({
    User: { properties: { name: { type: "string", description: "Of a *person*." } } },
    Pet: { discriminator: { mapping: { user: "#/x-offprint-files/schemas/User", other: "Other" } } },
  });
  expect(
    ["#/paths/~1users/get/summary", "#/webhooks/joined", "#/info/description"].map((pointer) =>
      spec!.locationOf(pointer),
    ),
  ).toMatchObject([
    { sourcePath: "api/users/list.yaml", line: 1, column: 10 },
    { sourcePath: "api/openapi.yaml", line: 10, column: 15 },
    { sourcePath: "api/intro.md" },
  ]);
});

test("operations that refer to each other end, and are reported to show nothing", () => {
  const { diagnostics } = read({
    "api/openapi.yaml": `${start}paths: { /a: { get: { $ref: a.yaml } } }\n`,
    "api/a.yaml": "$ref: b.yaml\n",
    "api/b.yaml": "$ref: a.yaml\n",
  });
  expect(codesOf(diagnostics)).toEqual([
    "SPEC_REF_BROKEN api/openapi.yaml:3:29",
    "SPEC_REF_BROKEN api/a.yaml:1:7",
    "SPEC_EMPTY api/openapi.yaml:3:16",
  ]);
});

test("a reference to another host is an error that names it", () => {
  const { diagnostics } = read({
    "api/openapi.yaml": `${start}components: { schemas: { A: { $ref: "https://b.example.org/a.yaml#/A" }, B: { $ref: "/b.yaml" } } }\n`,
    "b.yaml": "type: string\n",
  });
  expect(diagnostics).toMatchObject([
    {
      code: "SPEC_REF_EXTERNAL",
      severity: "error",
      what: '"https://b.example.org/a.yaml#/A" is a URL. Only references to files of the site are resolved, so pages do not show what it describes.',
    },
  ]);
});

test("the limit of files is an error that names the first file left out, and nothing else about the others", () => {
  const document = { openapi: "3.1.0", components: { schemas: { A: { $ref: "a.json" }, B: { $ref: "b.json" } } } };
  const file = { value: { type: "string" }, diagnostics: [], length: 20 };
  const {
    document: bundled,
    diagnostics,
    leftOut,
  } = bundleFiles("o.json", document, () => file, { files: 1, bytes: 99 });
  expect(diagnostics).toMatchObject([
    { code: "SPEC_TOO_LARGE", severity: "error", what: expect.stringContaining("more than 1 files") },
  ]);
  expect([...leftOut]).toEqual(["b.json"]);
  expect(bundled).toMatchObject({ "x-offprint-files": { a: { type: "string" } } });
});

test("a specification has thousands of files", () => {
  const count = 3_000;
  const names = Array.from({ length: count }, (_, i) => `op-${i}.json`);
  const { entries, diagnostics } = read({
    "api/openapi.yaml": `${start}paths:\n${names.map((name, i) => `  /p${i}: { get: { $ref: ${name} } }\n`).join("")}`,
    ...Object.fromEntries(names.map((name, i) => [`api/${name}`, `{ "summary": "Op ${i}", "responses": {} }`])),
  });
  expect(diagnostics).toEqual([]);
  expect(new Set(entries.map(({ title }) => title)).size).toBe(count);
});
