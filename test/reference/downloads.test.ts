import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { type Json, type JsonObject, listAt, member } from "../../src/lib/json/index.js";
import { publishedDocument } from "../../src/reference/index.js";
import { postmanCollection } from "../../src/reference/openapi/postman-collection.js";
import type { ApiTarget } from "../../src/site/specs/api-target.js";
import { apiDefaults, documentOf, specOf, targetsOf } from "./spec-of.js";

const orchard = documentOf(`
openapi: 3.1.0
info: {title: Orchard, version: "1", description: All trees.}
servers: [{url: "https://{region}.example.com/v1/", variables: {region: {default: eu}}}]
security: [{bearer: []}]
tags: [{name: trees, x-displayName: All trees}, {name: inner, parent: trees}, {name: staff}]
paths:
  /trees/{id}/leaves:
    parameters: [{name: id, in: path, required: true, description: The tree., schema: {type: string, example: "a/b"}}]
    get:
      summary: List leaves
      tags: [inner]
      parameters:
        - {name: color, in: query, required: true, schema: {type: string, example: dark green}}
        - {name: page, in: query, schema: {type: integer, example: 2}}
        - {name: sort, in: query, schema: {type: string}}
        - {name: X-Trace, in: header, schema: {type: string, example: t}}
        - {name: debug, in: query, x-internal: true, schema: {type: string}}
      responses: {"200": {description: Fine., content: {application/json: {schema: {$ref: "#/components/schemas/Leaf"}}}}}
    put:
      tags: [trees]
      security: [{key: []}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Leaf"}, example: {name: l, size: 12345678901234567890}}}}
      responses: {}
  /login:
    post:
      security: []
      servers: [{url: https://login.example.com}]
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {user: {type: string, example: ann}}}}}}
      responses: {}
  /files/{name}.json:
    post:
      security: [{basic: []}]
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}, note: {type: string, example: n}}}}}}
      responses: {}
  /staff: {get: {tags: [staff], responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Staff"}}}}}}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    key: {type: apiKey, in: header, name: X-Key, x-default: secret-of-the-site}
  schemas:
    Leaf: {type: object, properties: {name: {type: string}, twig: {$ref: "#/components/schemas/Twig"}, cost: {type: number, x-internal: true}}}
    Twig: {oneOf: [{type: object}], discriminator: {propertyName: kind, mapping: {big: Branch}}}
    Branch: {type: object, properties: {leaf: {$ref: "#/components/schemas/Leaf"}}}
    Staff: {type: object}
`);
const sampled = { examples: { ...apiDefaults.examples, defaults: "examples" } } as const;
const spec = specOf(orchard);
const shown = targetsOf(spec).filter((each) => each.kind === "operation" && each.path !== "/staff");

test("a published Arazzo document has the workflows with pages, the components they use, and the addresses of its sources", () => {
  const flows = specOf(
    documentOf(`
arazzo: 1.0.1
info: {title: Flows, version: "1"}
sourceDescriptions: [{name: shop, url: ./shop.yaml}, {name: other, url: other.yaml}]
workflows:
  - workflowId: secret
    steps: [{stepId: one, operationId: a, onFailure: [{reference: $components.failureActions.late}]}]
  - workflowId: order
    x-mint: {href: /order}
    inputs: {$ref: "#/components/inputs/account"}
    steps: [{stepId: one, operationId: a, onFailure: [{reference: $components.failureActions.busy}]}]
components:
  inputs: {account: {type: object}, other: {type: object}}
  failureActions: {busy: {name: busy, type: end}, late: {name: late, type: end}}
`),
  );
  const target: ApiTarget = { kind: "workflow", spec: "", name: "order", pointer: "#/workflows/1" };
  expect(publishedDocument(flows, [target], { shop: "openapi.json" })).toEqual(
    documentOf(`
arazzo: 1.0.1
info: {title: Flows, version: "1"}
sourceDescriptions: [{name: shop, url: openapi.json}, {name: other, url: other.yaml}]
workflows:
  - workflowId: order
    inputs: {$ref: "#/components/inputs/account"}
    steps: [{stepId: one, operationId: a, onFailure: [{reference: $components.failureActions.busy}]}]
components:
  inputs: {account: {type: object}}
  failureActions: {busy: {name: busy, type: end}}
`),
  );
});

describe("the specification that readers download", () => {
  const made = publishedDocument(spec, shown);
  test("the published document has the operations with pages, and the components that they use", () => {
    expect(Object.keys(made["paths"] as JsonObject)).toEqual(["/trees/{id}/leaves", "/login", "/files/{name}.json"]);
    expect(Object.keys(member(made["components"], "schemas") as JsonObject)).toEqual(["Leaf", "Twig", "Branch"]);
    expect(listAt(made, "tags")).toEqual([{ name: "trees" }, { name: "inner", parent: "trees" }]);
    const one = publishedDocument(spec, [{ kind: "schema", spec: "", name: "Staff" }]);
    expect(Object.keys(member(one["components"], "schemas") as JsonObject)).toEqual(["Staff"]);
  });
  test("the published document has no internal parts, and no presets of the playground", () => {
    expect(JSON.stringify(made)).not.toMatch(/x-internal|debug|cost|secret-of-the-site|Staff/);
  });
  test("the published document has the channels with pages, and their operations", () => {
    const channels = specOf({
      asyncapi: "3.0.0",
      channels: { a: { messages: { m: { $ref: "#/components/messages/M" } } }, b: {} },
      operations: { sendA: { channel: { $ref: "#/channels/a" } }, sendB: { channel: { $ref: "#/channels/b" } } },
      components: { messages: { M: { payload: {} }, N: {} } },
    });
    expect(publishedDocument(channels, [{ kind: "channel", spec: "", name: "a" }])).toEqual({
      asyncapi: "3.0.0",
      channels: { a: { messages: { m: { $ref: "#/components/messages/M" } } } },
      operations: { sendA: { channel: { $ref: "#/channels/a" } } },
      components: { messages: { M: { payload: {} } } },
    });
  });
});

describe("the Postman collection", () => {
  const made = collectionOf(orchard, shown);
  const requests = requestsOf(made);
  test("the Postman collection is valid in format 2.1", () => {
    expect(formatFaults(made)).toEqual([]);
    expect(formatFaults({ info: {}, item: [{ request: { url: {} } }] })).not.toEqual([]);
  });
  test("the Postman collection has nested folders by tag", () => {
    expect(listAt(made, "item").map((each) => member(each, "name"))).toEqual([
      "All trees",
      "POST /login",
      "POST /files/{name}.json",
    ]);
    expect(Object.keys(requests)).toContain("All trees / inner / List leaves");
  });
  test("parameters of the Postman collection have their examples; optional ones without an example are disabled", () => {
    expect(member(requests["All trees / inner / List leaves"], "url")).toEqual({
      raw: "{{baseUrl}}/trees/:id/leaves?color=dark green&page=2",
      host: ["{{baseUrl}}"],
      path: ["trees", ":id", "leaves"],
      query: [
        { key: "color", value: "dark green" },
        { key: "page", value: "2" },
        { key: "sort", value: "string", disabled: true },
      ],
      variable: [{ key: "id", value: "a%2Fb", description: "The tree." }],
    });
    expect(member(requests["POST /files/{name}.json"], "url")).toMatchObject({ path: ["files", "{{name}}.json"] });
  });
  test("a query that consists of one text is written as in the samples", () => {
    const schema = { type: "object", properties: { a: { type: "array", items: { const: "b c" } } } };
    const content = { "application/json": { schema } };
    const search = (required: boolean) => ({
      openapi: "3.2.0",
      info: { title: "t" },
      paths: { "/s": { get: { parameters: [{ name: "q", in: "querystring", required, content }], responses: {} } } },
    });
    const urlOf = (document: JsonObject) => {
      const collection = collectionOf(document, targetsOf(specOf(document)));
      expect(formatFaults(collection)).toEqual([]);
      return member(requestsOf(collection)["GET /s"], "url");
    };
    const text = "%7B%22a%22%3A%5B%22b%20c%22%5D%7D";
    expect(urlOf(search(true))).toMatchObject({ raw: `{{baseUrl}}/s?${text}`, query: [{ key: text, value: null }] });
    expect(urlOf(search(false))).toMatchObject({
      raw: "{{baseUrl}}/s",
      query: [{ key: text, value: null, disabled: true }],
    });
  });
  test("parts without names are joined into one text", () => {
    const binary = { type: "string", format: "binary" };
    const media = {
      schema: { type: "array", prefixItems: [{ type: "object" }, { type: "string" }], items: binary },
      example: [{ a: 1 }, "b", ""],
      prefixEncoding: [{}, { contentType: "text/html" }] as JsonObject[],
      itemEncoding: { contentType: "image/png" },
    };
    const document = {
      openapi: "3.2.0",
      info: { title: "t" },
      paths: { "/p": { post: { requestBody: { content: { "multipart/mixed": media } }, responses: {} } } },
    };
    const request = requestsOf(collectionOf(document, targetsOf(specOf(document))))["POST /p"];
    expect(member(request, "header")).toEqual([{ key: "Content-Type", value: "multipart/mixed; boundary=next-part" }]);
    const parts = [
      'Content-Type: application/json\r\n\r\n{"a":1}',
      "Content-Type: text/html\r\n\r\nb",
      "Content-Type: image/png\r\n\r\n<example-file>",
    ];
    const raw = `${parts.map((part) => `--next-part\r\n${part}\r\n`).join("")}--next-part--\r\n`;
    expect(member(request, "body")).toEqual({ mode: "raw", raw });
  });
  test("bodies of the Postman collection are the examples of the specification", () => {
    const body = (name: string): Json | undefined => member(requests[name], "body");
    expect(body("All trees / PUT /trees/{id}/leaves")).toMatchObject({ mode: "raw" });
    expect(body("POST /login")).toEqual({ mode: "urlencoded", urlencoded: [{ key: "user", value: "ann" }] });
    expect(body("POST /files/{name}.json")).toMatchObject({
      mode: "formdata",
      formdata: [
        { key: "file", type: "file" },
        { key: "note", type: "text", value: "n" },
      ],
    });
  });
  test("servers and credentials of the Postman collection are variables without secrets", () => {
    expect(made["variable"]).toEqual([
      { key: "bearerToken", value: "" },
      { key: "baseUrl", value: "https://{{region}}.example.com/v1" },
      { key: "region", value: "eu" },
      { key: "apiKey", value: "" },
      { key: "baseUrl2", value: "https://login.example.com" },
      { key: "username", value: "" },
      { key: "password", value: "" },
      { key: "name", value: "" },
    ]);
    expect(made["auth"]).toMatchObject({ type: "bearer", bearer: [{ key: "token", value: "{{bearerToken}}" }] });
    const auth = (name: string): Json | undefined => member(member(requests[name], "auth"), "type");
    expect(auth("All trees / inner / List leaves")).toBeUndefined();
    expect(auth("All trees / PUT /trees/{id}/leaves")).toBe("apikey");
    expect(auth("POST /login")).toBe("noauth");
    expect(JSON.stringify(made)).not.toContain("secret-of-the-site");
  });
  test("any names are valid in a Postman collection", () => {
    const names = ["__proto__", "</script>", "{{$guid}}", "a".repeat(5_000), "%zz", "../..", "\u0000\ud800"];
    const paths = Object.fromEntries(
      names.map((name) => [
        `/${name}/{${name}}`,
        { get: { tags: [name], summary: name, parameters: [{ name, in: "query", example: name }], responses: {} } },
      ]),
    );
    const hostile = { openapi: "3.1.0", info: { title: "__proto__" }, tags: names.map((name) => ({ name })), paths };
    const collection = collectionOf(hostile, targetsOf(specOf(hostile)));
    expect(formatFaults(collection)).toEqual([]);
    expect(Object.keys(requestsOf(collection))).toHaveLength(names.length);
  });
  test("a specification without operations has no Postman collection", () => {
    expect(postmanCollection(spec, [{ kind: "schema", spec: "", name: "Leaf" }], apiDefaults)).toBeUndefined();
  });
});

function collectionOf(document: JsonObject, targets: readonly ApiTarget[]): JsonObject {
  return JSON.parse(JSON.stringify(postmanCollection(specOf(document), targets, sampled))) as JsonObject;
}

/** Requests by the names of their folders and their own. */
function requestsOf(folder: Json, path = ""): Record<string, Json> {
  return Object.assign(
    {},
    ...listAt(folder, "item").map((each) => {
      const name = `${path}${member(each, "name")}`;
      const request = member(each, "request");
      return request === undefined ? requestsOf(each, `${name} / `) : { [name]: request };
    }),
  );
}

/** The requirements of the format's documentation for the parts that our collections have. */
function formatFaults(collection: Json): unknown[] {
  const text = { type: "string" };
  const list = (items: object) => ({ type: "array", items });
  const object = (required: readonly string[], properties: object, others = false) => ({
    type: "object",
    required,
    properties,
    additionalProperties: others,
  });
  const pair = object(["key", "value"], {
    key: text,
    value: text,
    description: text,
    disabled: { type: "boolean" },
    type: text,
  });
  const authTypes = ["apikey", "basic", "bearer", "noauth", "oauth2"];
  const auth = object(["type"], {
    type: { enum: authTypes },
    ...Object.fromEntries(authTypes.map((type) => [type, list(pair)])),
  });
  const part = object(["key"], {
    key: text,
    value: text,
    type: { enum: ["text", "file"] },
    src: list(text),
    contentType: text,
  });
  const body = object(["mode"], {
    mode: { enum: ["raw", "urlencoded", "formdata", "file"] },
    raw: text,
    urlencoded: list(pair),
    formdata: list(part),
    file: { type: "object" },
    options: { type: "object" },
  });
  const url = object(["raw", "host", "path"], {
    raw: text,
    host: list(text),
    path: list(text),
    query: list({ ...pair, properties: { ...pair.properties, value: { type: ["string", "null"] } } }),
    variable: list(pair),
  });
  const request = object(["method", "url", "header"], {
    method: text,
    url,
    header: list(pair),
    body,
    auth,
    description: text,
  });
  const schema = {
    ...object(["info", "item"], {
      info: object(["name", "schema"], {
        name: text,
        description: text,
        schema: { const: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      }),
      item: { $ref: "#/definitions/items" },
      auth,
      variable: list(pair),
    }),
    definitions: {
      items: list({
        oneOf: [
          object(["name", "item"], { name: text, item: { $ref: "#/definitions/items" } }),
          object(["name", "request", "response"], { name: text, request, response: { type: "array" } }),
        ],
      }),
    },
  };
  const validate = new Ajv().compile(schema);
  return validate(collection) ? [] : (validate.errors ?? []);
}
