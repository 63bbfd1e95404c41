import { sweeping } from "../quality/bundle.js";
import { payloads } from "./payloads.js";
import type { SiteContents } from "./site-folder.js";

const colors = { primary: "#0f766e" };
/** Schemas are rendered alike everywhere, so models and webhooks need fewer payloads. */
const some = payloads.filter((_, i) => i % 5 === 0);
/** Each sidebar, which every page of its tab repeats, has a share of the names. */
const shareCount = 8;
const shares = Array.from({ length: shareCount }, (_, share) => payloads.filter((_, i) => i % shareCount === share));

/** A site whose pages all come from specifications in which everything that is called something is called a payload. */
export function hostileSpecs(): SiteContents {
  return {
    "docs.json": {
      theme: "mint",
      name: "Hostile",
      colors,
      navigation: {
        tabs: [
          ...shares.map((_, i) => ({ tab: `REST ${i}`, openapi: `api${i}.json` })),
          { tab: "Live", asyncapi: "live.json" },
          { tab: "Models", pages: some.map((_, i) => `models/m${i}`) },
        ],
      },
      contextual: { options: ["copy", "view", "download-spec"] },
    },
    ...Object.fromEntries(shares.map((share, i) => [`api${i}.json`, openapi(share)])),
    "live.json": asyncapi(),
    ...Object.fromEntries(some.map((_, i) => [`models/m${i}.mdx`, `---\nopenapi-schema: api0.json ${i} x\n---\n`])),
  };
}

const schemaOf = (payload: string): object => ({
  type: "object",
  title: payload,
  description: payload,
  required: [payload],
  externalDocs: { url: payload, description: payload },
  discriminator: { propertyName: payload, mapping: { [payload]: payload } },
  properties: {
    [payload]: {
      type: "string",
      format: payload,
      pattern: payload,
      title: payload,
      description: payload,
      default: payload,
      example: payload,
      enum: [payload, `${payload}2`],
      "x-mint": { pre: [payload], post: [payload] },
    },
    choice: {
      oneOf: [
        { title: payload, type: "object", properties: { [payload]: { const: payload } } },
        { title: `${payload}2`, type: payload },
      ],
    },
  },
  additionalProperties: { title: payload, type: "string" },
});

function openapi(share: readonly string[]): object {
  const operation = (payload: string, i: number): object => {
    const examples = { [payload]: { summary: payload, description: payload, value: payload } };
    // Schemas are rendered alike everywhere, so a page has one among its parameters and one among its bodies; in a sweep all.
    const schemaAt = (place: number): object => (sweeping || place === i % 4 ? schemaOf(payload) : { type: "string" });
    return {
      operationId: payload,
      summary: payload,
      description: payload,
      tags: [payload],
      externalDocs: { url: payload, description: payload },
      servers: [
        { url: payload, description: payload },
        { url: "https://{x}.example/", variables: { x: { default: payload, enum: [payload], description: payload } } },
      ],
      security: [{ [payload]: [payload] }],
      parameters: ["path", "query", "header", "cookie"].map((place, at) => ({
        in: place,
        name: payload,
        description: payload,
        required: true,
        example: payload,
        schema: schemaAt(at),
      })),
      requestBody: {
        description: payload,
        content: {
          [payload]: { examples, schema: schemaAt(0) },
          "application/json": { examples, schema: schemaAt(1) },
        },
      },
      responses: {
        200: {
          description: payload,
          headers: { [payload]: { description: payload } },
          content: { "application/json": { examples, schema: schemaAt(2) } },
        },
        [payload]: { description: payload, content: { [payload]: { examples, schema: schemaAt(3) } } },
      },
      callbacks: { [payload]: { [payload]: { post: { summary: payload, description: payload } } } },
      "x-codeSamples": [{ lang: payload, label: payload, source: payload }],
      "x-mint": {
        href: i % 3 === 0 ? payload : undefined,
        metadata: { tag: payload, icon: payload, sidebarTitle: payload },
      },
    };
  };
  return {
    openapi: "3.1.0",
    info: { title: payloads[0], version: payloads[1], description: payloads[2] },
    tags: share.map((name) => ({ name, "x-group": name, description: name })),
    paths: Object.fromEntries(share.map((payload, i) => [`/${i}/${payload}`, { get: operation(payload, i) }])),
    webhooks: Object.fromEntries(
      some
        .filter((payload) => share.includes(payload))
        .map((payload, i) => [payload, { post: { summary: payload, description: payload, tags: [`${i}`] } }]),
    ),
    components: {
      schemas: Object.fromEntries(some.map((payload, i) => [`${i} x`, schemaOf(payload)])),
      securitySchemes: Object.fromEntries(
        share.map((payload, i) => [
          payload,
          [
            { type: "apiKey", in: "header", name: payload, description: payload },
            { type: "http", scheme: payload, bearerFormat: payload, description: payload },
            {
              type: "oauth2",
              description: payload,
              flows: { implicit: { authorizationUrl: payload, tokenUrl: payload, scopes: { [payload]: payload } } },
            },
            { type: "openIdConnect", openIdConnectUrl: payload },
          ][i % 4],
        ]),
      ),
    },
  };
}

function asyncapi(): object {
  return {
    asyncapi: "3.0.0",
    info: { title: payloads[0], version: payloads[1] },
    servers: Object.fromEntries(
      some.map((payload) => [payload, { host: payload, pathname: payload, protocol: payload, description: payload }]),
    ),
    channels: Object.fromEntries(
      some.map((payload, i) => [
        `${i} ${payload}`,
        {
          address: payload,
          title: payload,
          summary: payload,
          description: payload,
          tags: [{ name: payload }],
          parameters: { [payload]: { description: payload, default: payload, enum: [payload] } },
          messages: {
            [payload]: {
              name: payload,
              title: payload,
              summary: payload,
              contentType: payload,
              payload: schemaOf(payload),
              headers: schemaOf(payload),
              examples: [{ name: payload, summary: payload, payload: { [payload]: payload } }],
            },
          },
          bindings: { ws: { query: schemaOf(payload) } },
        },
      ]),
    ),
    operations: Object.fromEntries(
      some.map((payload, i) => [
        payload,
        {
          action: i % 2 ? "send" : "receive",
          summary: payload,
          description: payload,
          channel: { $ref: `#/channels/${`${i} ${payload}`.replaceAll("~", "~0").replaceAll("/", "~1")}` },
        },
      ]),
    ),
  };
}
