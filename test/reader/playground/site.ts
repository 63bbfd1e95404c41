import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { numberOf } from "../../../src/lib/json/index.js";

/** Addresses for the specifications of the site. */
export interface SiteTargets {
  /** An API with CORS. */
  readonly api: string;
  /** An API without CORS. */
  readonly closed: string;
  /** `ws://…` */
  readonly socket: string;
}

/** Written into specifications unchanged. */
const manyDigits = numberOf("12345678901234567890");
const text = { type: "string" };
/** Sets a variable if it is inserted as markup. */
export const markup = '"><img src=x onerror="window.hacked=1">${window.hacked=1}';
const list = { type: "array", items: text };
const place = { type: "object", properties: { lat: { type: "number" }, tag: text } };

const parameter = (name: string, at: string, schema: object, more: object = {}) => ({
  name,
  in: at,
  schema,
  ...(at === "path" ? { required: true } : {}),
  ...more,
});
const operation = (summary: string, more: object = {}) => ({
  summary,
  responses: { 200: { description: "What arrived.", content: { "application/json": { schema: { type: "object" } } } } },
  security: [],
  ...more,
});
const body = (content: object, required = true) => ({ requestBody: { required, content } });
const styles = [
  ["simple", false],
  ["simple", true],
  ["label", false],
  ["label", true],
  ["matrix", false],
  ["matrix", true],
] as const;

export const pathCases = styles.map(([style, explode]) => `${style}${explode ? "-explode" : ""}`);

function paths({ api, closed }: SiteTargets) {
  const inPath = Object.fromEntries(
    styles.map(([style, explode], i) => [
      `/in-path/${pathCases[i]}/{one}/{many}/{deep}`,
      {
        get: operation(`Path ${pathCases[i]}`, {
          parameters: [
            parameter("one", "path", text, { style, explode }),
            parameter("many", "path", list, { style, explode }),
            parameter("deep", "path", place, { style, explode }),
          ],
        }),
      },
    ]),
  );
  return {
    ...inPath,
    "/in-query": {
      get: operation("Query styles", {
        description: "Finds things. Every way to write a value into a query stands here.",
        parameters: [
          parameter("plain", "query", text, { description: "A text that is *sent* as it is." }),
          parameter("count", "query", { type: "integer", minimum: 0, maximum: 100, default: 20 }),
          parameter("flag", "query", { type: "boolean" }),
          parameter("spread", "query", list),
          parameter("joined", "query", list, { style: "form", explode: false }),
          parameter("spaced", "query", list, { style: "spaceDelimited", explode: false }),
          parameter("piped", "query", list, { style: "pipeDelimited", explode: false }),
          parameter("at", "query", place, { style: "form", explode: false }),
          parameter("loose", "query", { type: "object", properties: { x: text, y: text } }),
          parameter(
            "filter",
            "query",
            { type: "object", properties: { name: text, in: place } },
            { style: "deepObject" },
          ),
          parameter("free", "query", text, { allowReserved: true }),
          { name: "json", in: "query", content: { "application/json": { schema: place } } },
          parameter("X-Trace", "header", { ...text, format: "uuid" }),
          parameter("X-Many", "header", list),
          parameter("Host", "header", text),
          parameter("session", "cookie", text),
        ],
      }),
    },
    "/whole-query": {
      get: operation("Whole query", {
        parameters: [
          { name: "filter", in: "querystring", required: true, content: { "application/json": { schema: place } } },
        ],
      }),
    },
    "/pets": {
      post: operation("Add a pet", body({ "application/json": { schema: { $ref: "#/components/schemas/Pet" } } })),
    },
    "/people": {
      post: operation("Create a person", {
        tags: ["People"],
        description: "Adds a person to the directory.",
        security: [{ bearer: [] }],
        ...body({ "application/json": { schema: { $ref: "#/components/schemas/Person" } } }),
      }),
    },
    "/form": {
      post: operation("Send a form", {
        ...body({
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              required: ["name"],
              properties: { name: text, tags: list, at: place, deep: place },
            },
            encoding: { deep: { style: "deepObject", explode: true } },
          },
        }),
      }),
    },
    "/row": {
      post: operation("Send parts in a row", {
        ...body({
          "multipart/mixed": {
            schema: { type: "array", prefixItems: [place], items: { type: "string", format: "binary" } },
            prefixEncoding: [{ contentType: "application/vnd.place+json" }],
            itemEncoding: { contentType: "image/*, text/plain" },
          },
        }),
      }),
    },
    "/parts": {
      post: operation("Send parts", {
        ...body({
          "multipart/form-data": {
            schema: {
              type: "object",
              required: ["title", "file"],
              properties: {
                title: text,
                file: { type: "string", format: "binary" },
                more: { type: "array", items: { type: "string", contentMediaType: "application/octet-stream" } },
                about: place,
              },
            },
          },
        }),
      }),
    },
    "/text": { post: operation("Send text", body({ "text/plain": { schema: text } })) },
    "/bytes": { put: operation("Send bytes", body({ "application/octet-stream": {} })) },
    "/any": { post: operation("Send anything", body({ "application/json": {} })) },
    "/organizations/{organizationIdentifierOfTheAccount}/integrations-with-long-names/{integration_identifier_of_the_partner}":
      { get: operation("A long path") },
    "/picture": { get: operation("A picture") },
    "/sound": { get: operation("A sound") },
    "/film": { get: operation("A film") },
    "/noise": { get: operation("A sound that is none") },
    "/late-body": { get: operation("A late body") },
    "/words": { get: operation("Words") },
    "/events": { get: operation("Events") },
    "/hostile": {
      post: operation("Hostile", {
        parameters: [
          parameter(markup, "query", { enum: [markup, 1] }, { description: markup, example: markup }),
          parameter("deep", "query", { $ref: "#/components/schemas/Wide" }, { required: true }),
        ],
        security: [{ markup: [markup] }],
        ...body({ "application/json": { schema: { $ref: "#/components/schemas/Loop" } } }),
      }),
    },
    "/relative": { get: { ...operation("A relative server"), servers: [{ url: "/api" }] } },
    "/dates": {
      get: operation("Dates", {
        parameters: [
          parameter("day", "query", { type: "string", format: "date" }),
          parameter("at", "query", { type: "string", format: "date-time" }),
          parameter("stamp", "query", { type: "integer", format: "unix-time" }),
        ],
      }),
    },
    "/slow": { get: operation("A slow answer") },
    "/teapot": { get: operation("A refusal") },
    "/closed": { get: { ...operation("A closed API"), servers: [{ url: closed }] } },
    "/secure/{scheme}": {
      get: operation("Secured", {
        parameters: [parameter("scheme", "path", text, { example: "any" })],
        security: [
          { bearer: [] },
          { basic: [] },
          { digest: [] },
          { keyInHeader: [] },
          { keyInQuery: [] },
          { keyInCookie: [] },
          { oauth: ["read", "write"] },
          { openId: ["profile"] },
          { certificate: [] },
          { keyInHeader: [], keyInQuery: [] },
          {},
        ],
      }),
    },
    "/regions": {
      get: {
        ...operation("Server variables"),
        servers: [
          {
            url: "http://127.0.0.1:{port}/{version}",
            variables: {
              port: { default: "1", description: "Where it listens." },
              version: { default: "v1", enum: ["v1", "v2"] },
            },
          },
          { url: "https://api.example.com", description: "Production" },
        ],
      },
    },
    "/tenants": {
      get: {
        ...operation("A server of variables", { security: [{ keyInHeader: [] }] }),
        servers: [
          {
            url: "{protocol}://{hostname}:{port}/api",
            variables: {
              protocol: { default: "http" },
              hostname: { default: "127.0.0.1" },
              port: { default: new URL(api).port },
            },
          },
        ],
      },
    },
    "/tenant": {
      get: { ...operation("The same server", { security: [{ keyInHeader: [] }] }), servers: [{ url: `${api}/api/` }] },
    },
    "/ledger": {
      post: operation("Numbers of many digits", {
        ...body({
          "application/json": {
            schema: { type: "object", properties: { id: { type: "integer", format: "int64" }, any: {} } },
            examples: {
              first: { summary: "First entry", value: { id: 1, any: manyDigits } },
              next: { value: { id: 2, any: { deep: [manyDigits] } } },
            },
          },
          "application/xml": {
            schema: {
              type: "object",
              xml: { name: "entry" },
              properties: {
                id: { type: "integer", xml: { attribute: true }, example: 5 },
                tags: {
                  type: "array",
                  xml: { wrapped: true },
                  items: { type: "string", xml: { name: "tag" } },
                  example: ["a<b"],
                },
              },
            },
          },
          "application/x-ndjson": { example: [{ a: 1 }, { a: 2 }] },
        }),
        responses: {
          200: {
            description: "x",
            content: {
              "application/json": {
                examples: { first: { summary: "First entry", value: "of first" }, next: { value: "of next" } },
              },
            },
          },
        },
      }),
    },
    "/orders": {
      post: operation("An order in XML", {
        ...body({
          "application/xml": {
            schema: { $ref: "#/components/schemas/Order" },
            examples: {
              data: { value: { number: 3, notes: ["a<b"] } },
              sent: { value: '<o:order xmlns:o="https://e.example/o" no="4"><note>n</note></o:order>' },
              strange: { value: "<other><!-- kept --></other>" },
            },
          },
        }),
      }),
    },
    "/simple": { get: operation("Simple display", { "x-mint": { metadata: { playground: "simple" } } }) },
    "/none": { get: operation("No display", { "x-mint": { metadata: { playground: "none" } } }) },
    "/members": { get: operation("Auth display", { "x-mint": { metadata: { playground: "auth" } } }) },
  };
}

const schemas = {
  Loop: {
    oneOf: [{ $ref: "#/components/schemas/Loop" }, { type: "array", items: { $ref: "#/components/schemas/Loop" } }],
  },
  Pet: {
    oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
    discriminator: { propertyName: "kind", mapping: { feline: "#/components/schemas/Cat" } },
  },
  Order: {
    type: "object",
    xml: { name: "order", prefix: "o", namespace: "https://e.example/o" },
    properties: {
      number: { type: "integer", xml: { attribute: true, name: "no" } },
      paid: { type: "boolean" },
      items: {
        type: "array",
        xml: { wrapped: true },
        items: {
          type: "object",
          xml: { name: "item" },
          properties: {
            size: { type: "number", xml: { attribute: true } },
            label: { ...text, xml: { nodeType: "text" } },
          },
        },
      },
      notes: { type: "array", items: { type: "string", xml: { name: "note" } } },
      payment: {
        oneOf: [
          { title: "Card", type: "object", properties: { card: { type: "integer", xml: { attribute: true } } } },
          { title: "Bill", type: "object", properties: { bill: text } },
        ],
      },
    },
  },
  Cat: { type: "object", required: ["kind", "lives"], properties: { kind: text, lives: { type: "integer" } } },
  Dog: { type: "object", required: ["kind", "trick"], properties: { kind: text, trick: text } },
  Wide: {
    type: "object",
    required: Array.from({ length: 40 }, (_, i) => `w${i}`),
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`w${i}`, { $ref: "#/components/schemas/Wide" }]),
    ),
  },
  Person: {
    type: "object",
    required: ["name", "email", "role"],
    properties: {
      id: { type: "string", readOnly: true },
      name: { type: "string", minLength: 2, maxLength: 40, description: "The name that others see." },
      email: { type: "string", format: "email", example: "ada@example.com" },
      age: { type: "integer", minimum: 0, maximum: 150 },
      role: { type: "string", enum: ["admin", "editor", "reader"], description: "What this person may do." },
      nickname: { type: ["string", "null"], description: "`null` removes it." },
      code: { type: "string", pattern: "^[A-Z]{3}-\\d+$" },
      slow: { type: "string", pattern: "^(a+)+$" },
      active: { type: "boolean", default: true },
      tags: { type: "array", items: text, maxItems: 3, uniqueItems: true },
      address: {
        type: "object",
        required: ["city"],
        description: "Where letters go.",
        properties: { street: text, city: text },
      },
      contact: {
        oneOf: [
          {
            title: "Phone",
            type: "object",
            required: ["phone"],
            properties: { kind: { const: "phone" }, phone: text },
          },
          {
            title: "Post",
            type: "object",
            required: ["street"],
            properties: { kind: { const: "post" }, street: text },
          },
        ],
      },
      labels: { type: "object", additionalProperties: { type: "integer" } },
      manager: { $ref: "#/components/schemas/Person" },
      amount: { oneOf: [{ type: "string" }, { type: "number" }] },
      big: { type: "integer", format: "int64" },
    },
  },
};

const securitySchemes = {
  markup: {
    type: "oauth2",
    description: markup,
    flows: { implicit: { authorizationUrl: "javascript:window.hacked=1", scopes: {} } },
  },
  bearer: { type: "http", scheme: "bearer", description: "The token of your account." },
  basic: { type: "http", scheme: "basic" },
  digest: { type: "http", scheme: "digest" },
  keyInHeader: { type: "apiKey", in: "header", name: "X-Api-Key" },
  keyInQuery: { type: "apiKey", in: "query", name: "api_key" },
  keyInCookie: { type: "apiKey", in: "cookie", name: "sid" },
  oauth: {
    type: "oauth2",
    flows: {
      authorizationCode: {
        authorizationUrl: "https://login.example.com/authorize",
        tokenUrl: "https://login.example.com/token",
        scopes: { read: "Reads", write: "Writes" },
      },
    },
  },
  openId: { type: "openIdConnect", openIdConnectUrl: "https://login.example.com/.well-known/openid-configuration" },
  certificate: { type: "mutualTLS" },
};

function asyncapi({ socket }: SiteTargets) {
  const url = new URL(socket);
  return {
    asyncapi: "3.0.0",
    info: { title: "Rooms", version: "1" },
    servers: {
      live: {
        host: url.host,
        protocol: "ws",
        security: [{ type: "httpApiKey", in: "header", name: "X-Api-Key" }],
      },
    },
    channels: {
      room: {
        address: "/rooms/{room}",
        title: "A room",
        parameters: { room: { description: "Its name.", default: "lobby", examples: ["hall"] } },
        bindings: { ws: { query: { type: "object", properties: { since: { type: "integer" } } } } },
        messages: {
          say: {
            title: "Say",
            payload: {
              type: "object",
              required: ["text"],
              properties: { text: { type: "string" }, loud: { type: "boolean" } },
            },
          },
        },
      },
    },
    operations: {
      say: {
        action: "send",
        channel: { $ref: "#/channels/room" },
        messages: [{ $ref: "#/channels/room/messages/say" }],
      },
    },
  };
}

/** A page that describes its endpoint with components. */
const byHand = ({ api }: SiteTargets): string => `---
title: By hand
api: POST ${api}/by-hand/{id}
authMethod: bearer
---

<ParamField path="id" type="string" required>Whom.</ParamField>
<ParamField query="limit" type="integer" default="10" />
<ParamField body="name" type="string" required />
<ParamField body="tags" type="string[]" />
`;

/** Writes a site with an operation for each part that a request can have. */
export function writePlaygroundSite(folder: string, targets: SiteTargets, settings: object = {}): void {
  const openapi = {
    openapi: "3.1.0",
    info: { title: "Directory", version: "1" },
    servers: [{ url: `${targets.api}/v1` }],
    paths: paths(targets),
    components: { schemas, securitySchemes },
  };
  const alone = {
    openapi: "3.0.3",
    info: { title: "Nowhere", version: "1" },
    paths: {
      "/nowhere": { get: operation("No server", { security: [{ key: [] }] }) },
    },
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
  };
  const files: Record<string, unknown> = {
    "docs.json": {
      name: "Playground",
      theme: "mint",
      colors: { primary: "#0f766e" },
      navigation: {
        languages: [
          {
            language: "en",
            groups: [
              { group: "Start", pages: ["index", "by-hand"] },
              { group: "Directory", openapi: "openapi.json" },
              { group: "Nowhere", openapi: { source: "alone.json", directory: "alone" } },
              { group: "Rooms", asyncapi: "asyncapi.json" },
            ],
          },
          { language: "ar", groups: [{ group: "بحث", openapi: { source: "openapi.json", directory: "ar" } }] },
        ],
      },
      ...settings,
    },
    "index.mdx": "---\ntitle: Start\n---\n\nA page about nothing that can be called.\n",
    "by-hand.mdx": byHand(targets),
    "openapi.json": openapi,
    "alone.json": alone,
    "asyncapi.json": asyncapi(targets),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  }
}
