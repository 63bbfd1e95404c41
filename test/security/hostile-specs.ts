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

/** A schema whose parts are called `name` and say `text`. */
const schemaOf = (name: string, text = name): object => ({
  type: "object",
  title: name,
  description: text,
  required: [name],
  externalDocs: { url: text, description: text },
  discriminator: { propertyName: name, mapping: { [name]: text } },
  properties: {
    [name]: {
      type: "string",
      format: name,
      pattern: text,
      title: name,
      description: text,
      default: text,
      example: text,
      enum: [text, `${text}2`],
      "x-mint": { pre: [name], post: [text] },
    },
    choice: {
      oneOf: [
        { title: name, type: "object", properties: { [name]: { const: text } } },
        { title: `${name}2`, type: text },
      ],
    },
  },
  additionalProperties: { title: name, type: "string" },
});

/** Each text with itself in a sweep, else with the next one: two share a page, and each is an address on it. */
function pairsOf(texts: readonly string[]): (readonly [name: string, text: string])[] {
  if (sweeping) return texts.map((each) => [each, each]);
  return texts.filter((_, i) => i % 2 === 0).map((name, i) => [name, texts[2 * i + 1] ?? name]);
}

function openapi(share: readonly string[]): object {
  const operation = ([name, text]: readonly [string, string], i: number): object => {
    const examples = { [name]: { summary: text, description: text, value: text } };
    // Schemas are rendered alike everywhere, so a page has one among its parameters and one among its bodies; in a sweep all.
    const schemaAt = (place: number): object =>
      sweeping || place === i % 4 ? schemaOf(name, text) : { type: "string" };
    return {
      operationId: name,
      summary: name,
      description: text,
      tags: [name],
      externalDocs: { url: name, description: text },
      servers: [
        { url: name, description: text },
        { url: text, description: name },
        { url: "https://{x}.example/", variables: { x: { default: text, enum: [text], description: text } } },
      ],
      security: [{ [name]: [text] }],
      parameters: ["path", "query", "header", "cookie"].map((place, at) => ({
        in: place,
        name,
        description: text,
        required: true,
        example: text,
        schema: schemaAt(at),
      })),
      requestBody: {
        description: text,
        content: {
          [name]: { examples, schema: schemaAt(0) },
          "application/json": { examples, schema: schemaAt(1) },
        },
      },
      responses: {
        200: {
          description: text,
          headers: { [name]: { description: text } },
          content: { "application/json": { examples, schema: schemaAt(2) } },
        },
        [text]: { description: name, content: { [text]: { examples, schema: schemaAt(3) } } },
      },
      callbacks: { [name]: { [text]: { post: { summary: name, description: text } } } },
      "x-codeSamples": [{ lang: name, label: text, source: text }],
      "x-mint": {
        href: i % 3 === 0 ? text : undefined,
        metadata: { tag: text, icon: name, sidebarTitle: text },
      },
    };
  };
  return {
    openapi: "3.1.0",
    info: { title: payloads[0], version: payloads[1], description: payloads[2] },
    tags: share.map((name) => ({ name, "x-group": name, description: name })),
    paths: Object.fromEntries(pairsOf(share).map((pair, i) => [`/${i}/${pair[0]}`, { get: operation(pair, i) }])),
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
