import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/lib/json/index.js";
import { codesOf, readJson } from "../read-text.js";

/** The OpenAPI document that a Swagger document is read as. */
const converted = (parts: JsonObject): JsonObject =>
  readJson({ swagger: "2.0", info: { title: "T", version: "1" }, ...parts }).spec!.document;

const operation = (written: JsonObject, beside: JsonObject = {}): Json =>
  (converted({ paths: { "/a": { post: written } }, ...beside }) as { paths: { "/a": { post: Json } } }).paths["/a"]
    .post;

test("a Swagger document has the servers of its schemes, host and path", () => {
  expect(converted({ host: "e.com", basePath: "/v1", schemes: ["https", "http"] })["servers"]).toEqual([
    { url: "https://e.com/v1" },
    { url: "http://e.com/v1" },
  ]);
  expect(converted({ host: "e.com" })["servers"]).toEqual([{ url: "https://e.com/" }]);
  expect(converted({})["servers"]).toEqual([{ url: "/" }]);
  for (const host of ["localhost:8080", "127.0.0.1", "[::1]:80"])
    expect(converted({ host })["servers"]).toEqual([{ url: `http://${host}/` }]);
  expect(converted({ host: "localhost", schemes: ["https"] })["servers"]).toEqual([{ url: "https://localhost/" }]);
  expect(converted({ host: "localhost.example" })["servers"]).toEqual([{ url: "https://localhost.example/" }]);
});

test("an operation of Swagger has the servers of its own schemes", () => {
  expect(operation({ schemes: ["wss"], responses: {} }, { host: "e.com", schemes: ["https"] })).toMatchObject({
    servers: [{ url: "wss://e.com/" }],
  });
});

test("a host with variables is a server with them", () => {
  const account = { name: "account", in: "path", required: true, type: "string", description: "A" };
  const parameters: JsonObject[] = [
    { $ref: "#/parameters/Account" },
    { name: "port", in: "path", default: 8443, type: "integer" },
  ];
  const extension = { hostTemplate: "{account}.e.com:{port}", parameters };
  const of = (useSchemePrefix: boolean) =>
    converted({ "x-ms-parameterized-host": { ...extension, useSchemePrefix }, parameters: { Account: account } });
  expect(of(true)["servers"]).toMatchObject([
    {
      url: "https://{account}.e.com:{port}",
      variables: { account: { description: "A" }, port: { default: 8443 } },
    },
  ]);
  expect(of(false)["servers"]).toMatchObject([{ url: "{account}.e.com:{port}" }]);
});

test("paths that an extension keeps apart are paths, and faults in them are reported where they are written", () => {
  const added = { "/a?comp=tags": { get: { tags: 5, responses: {} } } };
  const spec = readJson({ swagger: "2.0", info: { title: "T", version: "1" }, paths: {}, "x-ms-paths": added }).spec!;
  expect(spec.document["paths"]).toHaveProperty(["/a?comp=tags", "get"]);
  const place = spec.locationOf("#/paths/~1a?comp=tags/get/tags");
  expect(place).toEqual(spec.locationOf("#/x-ms-paths/~1a?comp=tags/get/tags"));
});

test("a parameter of Swagger has a schema and a style", () => {
  const parameters: JsonObject[] = [
    { name: "a", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi", description: "A" },
    { name: "b", in: "query", type: "array", items: { type: "integer" }, collectionFormat: "pipes", required: true },
    { name: "c", in: "header", type: "string", enum: ["x"], "x-own": 1 },
    { $ref: "#/parameters/Limit" },
  ];
  const limit = { name: "limit", in: "query", type: "integer", maximum: 5 };
  expect(operation({ parameters, responses: {} }, { parameters: { Limit: limit } })).toEqual({
    parameters: [
      {
        name: "a",
        in: "query",
        description: "A",
        style: "form",
        explode: true,
        schema: { type: "array", items: { type: "string" } },
      },
      {
        name: "b",
        in: "query",
        required: true,
        style: "pipeDelimited",
        explode: false,
        schema: { type: "array", items: { type: "integer" } },
      },
      { name: "c", in: "header", "x-own": 1, schema: { type: "string", enum: ["x"] } },
      { $ref: "#/components/parameters/Limit" },
    ],
    responses: {},
  });
});

test("a reference beside the name and place of a Swagger parameter refers to its schema", () => {
  const definitions = { Size: { type: "string", enum: ["s", "m"] }, Tree: { type: "object" } };
  const size = { name: "size", in: "query", required: true, $ref: "#/definitions/Size" };
  const tree = { name: "tree", in: "body", $ref: "#/definitions/Tree" };
  expect(operation({ parameters: [size, tree], responses: {} }, { definitions })).toMatchObject({
    parameters: [{ name: "size", in: "query", required: true, schema: { $ref: "#/components/schemas/Size" } }],
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
  });
});

test("the body of a Swagger operation has each media type that it consumes", () => {
  const body = { name: "b", in: "body", required: true, description: "B", schema: { $ref: "#/definitions/Pet" } };
  const media = { schema: { $ref: "#/components/schemas/Pet" } };
  const shared = { parameters: { Body: body } };
  expect(operation({ consumes: ["application/json", "application/xml"], parameters: [body] })).toMatchObject({
    requestBody: { required: true, description: "B", content: { "application/json": media, "application/xml": media } },
  });
  expect(operation({ parameters: [{ $ref: "#/parameters/Body" }] }, shared)).toMatchObject({
    parameters: [],
    requestBody: { content: { "application/json": media } },
  });
});

test("examples that Swagger documents give beside a parameter are examples of OpenAPI", () => {
  const ask = (examples: JsonObject): Json =>
    (
      operation({
        consumes: ["application/json", "text/csv"],
        parameters: [{ name: "body", in: "body", schema: { type: "object" }, ...examples }],
        responses: {},
      }) as { requestBody: { content: Json } }
    ).requestBody.content;
  const schema = { type: "object" };
  expect(ask({ "x-examples": { "application/json": { id: 1 } } })).toEqual({
    "application/json": { schema, example: { id: 1 } },
    "text/csv": { schema },
  });
  expect(ask({ "x-example": { id: 2 } })).toMatchObject({ "text/csv": { schema, example: { id: 2 } } });
  const parameters = [{ name: "a", in: "query", type: "string", "x-example": "one" }];
  expect(operation({ parameters, responses: {} })).toMatchObject({
    parameters: [{ name: "a", schema: { type: "string", example: "one" } }],
  });
});

test("a shared response of Swagger has the media types of the operation that refers to it", () => {
  const responses = { "404": { $ref: "#/responses/Missing" } };
  const shared = { responses: { Missing: { description: "No", schema: { type: "string" } } } };
  expect(operation({ produces: ["text/plain"], responses }, shared)).toEqual({
    responses: { "404": { description: "No", content: { "text/plain": { schema: { type: "string" } } } } },
  });
  expect(operation({ responses }, shared)).toEqual({
    responses: { "404": { $ref: "#/components/responses/Missing" } },
  });
});

test("form fields of Swagger are a body", () => {
  const fields = [
    { name: "f", in: "formData", type: "file", required: true, description: "F" },
    { name: "n", in: "formData", type: "integer" },
    JSON.parse('{"name": "p", "in": "formData", "type": "string", "__proto__": {"polluted": true}}') as JsonObject,
  ];
  expect(operation({ parameters: fields })).toMatchObject({
    requestBody: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            required: ["f"],
            properties: { f: { type: "string", format: "binary", description: "F" }, n: { type: "integer" } },
          },
        },
      },
    },
  });
  expect(operation({ parameters: [fields[1]!] })).toMatchObject({
    requestBody: { content: { "application/x-www-form-urlencoded": {} } },
  });
  expect({}).not.toHaveProperty("polluted");
  const both = ["application/x-www-form-urlencoded", "multipart/form-data"];
  const { requestBody } = operation({ consumes: both, parameters: [fields[1]!] }) as { requestBody: JsonObject };
  expect(Object.keys(requestBody["content"] as JsonObject)).toEqual(both);
});

test("a response of Swagger has its schema and examples under the media types that are produced", () => {
  const response = {
    description: "ok",
    schema: {
      type: "object",
      discriminator: "kind",
      "x-nullable": true,
      properties: { example: { $ref: "#/definitions/Pet" } },
    },
    examples: { "text/csv": "a,b" },
    headers: { "X-Left": { type: "integer", description: "Left" } },
  };
  expect(
    operation({ responses: { 200: response, 404: { $ref: "#/responses/None" } } }, { produces: ["application/json"] }),
  ).toEqual({
    responses: {
      200: {
        description: "ok",
        headers: { "X-Left": { description: "Left", schema: { type: "integer" } } },
        content: {
          "application/json": {
            schema: {
              type: "object",
              discriminator: { propertyName: "kind" },
              nullable: true,
              properties: { example: { $ref: "#/components/schemas/Pet" } },
            },
          },
          "text/csv": { example: "a,b" },
        },
      },
      404: { $ref: "#/components/responses/None" },
    },
  });
});

test("an example of a Swagger response that no media type names is one of each type", () => {
  const responses = { 404: { description: "No", schema: { type: "object" }, examples: { code: 404, text: "No" } } };
  expect(operation({ produces: ["application/json", "text/json"], responses })).toMatchObject({
    responses: {
      404: { content: { "application/json": { example: { code: 404 } }, "text/json": { example: { text: "No" } } } },
    },
  });
});

test("the security of Swagger is that of OpenAPI", () => {
  const securityDefinitions = {
    b: { type: "basic" },
    k: { type: "apiKey", in: "header", name: "X" },
    o: { type: "oauth2", flow: "accessCode", authorizationUrl: "https://a", tokenUrl: "https://t", scopes: { r: "R" } },
  };
  expect(converted({ securityDefinitions })["components"]).toMatchObject({
    securitySchemes: {
      b: { type: "http", scheme: "basic" },
      k: { type: "apiKey", in: "header", name: "X" },
      o: {
        type: "oauth2",
        flows: { authorizationCode: { authorizationUrl: "https://a", tokenUrl: "https://t", scopes: { r: "R" } } },
      },
    },
  });
});

test("a fault is located in the Swagger document, and pages keep their pointers", () => {
  const { entries, diagnostics } = readJson({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { summary: "List", responses: {} } } },
    definitions: { Pet: { properties: { owner: { $ref: "#/definitions/Owner" } } } },
  });
  expect(entries.map(({ pointer, title }) => `${pointer} ${title}`)).toEqual(["#/paths/~1a/get List"]);
  expect(codesOf(diagnostics)).toEqual(["SPEC_REF_BROKEN openapi.json:19:19"]);
  expect(diagnostics[0]?.what).toBe('"#/definitions/Owner" does not exist in openapi.json.');
});

test("misplaced parts of a Swagger document are reported", () => {
  const { diagnostics } = readJson({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    consume: ["text/plain"],
    paths: { "/a": { get: { summary: "List", response: {}, responses: { 404: { $ref: "#/definitions/No" } } } } },
    parameters: { Body: { name: "b", in: "body", schema: { type: "string" } } },
    definitions: { No: { type: "array", collectionFormat: "csv" } },
  });
  expect(diagnostics.map(({ what }) => what)).toEqual([
    'OpenAPI does not define "consume" in the document, so pages do not show it.',
    'OpenAPI does not define "response" in an operation, so pages do not show it.',
    '"#/definitions/No" is a schema, but a response is needed here, so pages do not show what it describes.',
  ]);
});

test("the schema of a Swagger parameter of a query may be written as that of a body", () => {
  const parameters = [{ name: "a", in: "query", schema: { type: "integer" }, description: "A" }];
  expect(operation({ parameters })).toMatchObject({
    parameters: [{ name: "a", description: "A", schema: { type: "integer" } }],
  });
});

test("an unknown collection format is not turned into a style", () => {
  const parameters = [{ name: "a", in: "query", type: "array", collectionFormat: "constructor" }];
  expect(operation({ parameters })).toMatchObject({ parameters: [{ style: "form", explode: false }] });
});
