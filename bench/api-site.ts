import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Fields of each resource. */
const operationCount = 6;

/**
 * Writes a site with one specification of a large service: six operations on each resource, so 318 and 2.5 MB of JSON by
 * default. Schemas refer to each other and have unions and examples; errors are shared. The bytes are the same each time.
 */
export function writeApiSite(folder: string, resourceCount = 53): void {
  mkdirSync(folder, { recursive: true });
  const config = {
    theme: "mint",
    name: "Service",
    colors: { primary: "#0f766e" },
    navigation: { groups: [{ group: "Interface", openapi: "openapi.json" }] },
  };
  writeFileSync(join(folder, "docs.json"), JSON.stringify(config, null, 1));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(apiDocument(resourceCount)));
}

type JsonObject = Readonly<Record<string, unknown>>;

const words =
  "account agent alert answer asset batch bucket budget build call card channel charge claim client cluster comment contract credit device draft event export file filter folder form goal grant group image import invoice issue item job key label lease ledger limit link list log mail member message metric model node note offer order".split(
    " ",
  );
const word = (i: number): string => words[((i % words.length) + words.length) % words.length]!;
/** Names of resources differ: `account`, …, `account2`, … */
const resource = (i: number): string => `${word(i)}${i < words.length ? "" : Math.floor(i / words.length) + 1}`;
const capitalized = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const name = (i: number): string => capitalized(resource(i));
const sentence = (i: number, length = 14): string =>
  `The ${Array.from({ length }, (_, k) => word(i * 7 + k * k + k)).join(" ")} \`${word(i)}_id\` is **kept** until the ${word(i + 3)} ends.`;

const ref = (schema: string): JsonObject => ({ $ref: `#/components/schemas/${schema}` });

export function apiDocument(resourceCount: number): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (let i = 0; i < resourceCount; i++) {
    const list = `/v1/${resource(i)}s`;
    paths[list] = { get: operation(i, 0, "List"), post: operation(i, 1, "Create") };
    paths[`${list}/{${word(i)}_id}`] = {
      parameters: [
        {
          name: `${word(i)}_id`,
          in: "path",
          required: true,
          description: sentence(i),
          schema: { type: "string", format: "uuid" },
        },
      ],
      get: operation(i, 2, "Get"),
      patch: operation(i, 3, "Update"),
      delete: operation(i, 4, "Delete"),
    };
    paths[`${list}/{${word(i)}_id}/search`] = { post: operation(i, 5, "Search") };
  }
  const count = Object.values(paths).flatMap((item) => Object.keys(item).filter((key) => key !== "parameters")).length;
  if (count !== operationCount * resourceCount) throw new Error(`The specification has ${count} operations.`);
  return {
    openapi: "3.1.0",
    info: { title: "Service", version: "1.0" },
    servers: [{ url: "https://api.service.example" }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } }, schemas: schemas(resourceCount) },
  };
}

function operation(i: number, kind: number, verb: string): JsonObject {
  const hasBody = kind === 1 || kind === 3 || kind === 5;
  return {
    tags: [`${resource(i)}s`],
    operationId: `${verb.toLowerCase()}_${resource(i)}`,
    summary: `${verb} ${resource(i)}s`,
    description: `${sentence(i + kind)}\n\n${sentence(i * 3 + kind, 200)}\n\n- ${sentence(i + 1)}\n- ${sentence(i + 2)}`,
    parameters: Array.from({ length: 6 }, (_, k) => ({
      name: `${word(i + k)}_${k}`,
      in: k === 5 ? "header" : "query",
      description: sentence(i + k),
      schema:
        k % 3 === 0
          ? { type: "integer", minimum: 1, maximum: 100, default: 20 }
          : { type: "string", enum: [word(k), word(k + 1), word(k + 2)] },
    })),
    ...(hasBody
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: ref(kind === 5 ? `${name(i)}Query` : `${name(i)}Write`) } },
          },
        }
      : {}),
    responses: {
      "200": {
        description: sentence(i),
        content: { "application/json": { schema: kind === 0 || kind === 5 ? ref(`${name(i)}List`) : ref(name(i)) } },
      },
      ...Object.fromEntries(
        ["400", "401", "404", "429"].map((status) => [
          status,
          { description: sentence(Number(status)), content: { "application/json": { schema: ref("Problem") } } },
        ]),
      ),
    },
  };
}

function schemas(resourceCount: number): JsonObject {
  const out: Record<string, JsonObject> = {
    Problem: {
      type: "object",
      required: ["code"],
      properties: {
        code: { type: "string", description: sentence(1) },
        fields: {
          type: "array",
          items: { type: "object", properties: { path: { type: "string" }, reason: { type: "string" } } },
        },
      },
    },
  };
  for (let i = 0; i < resourceCount; i++) {
    out[name(i)] = model(i, 20, resourceCount);
    out[`${name(i)}Write`] = model(i + 1, 14, resourceCount);
    out[`${name(i)}Query`] = model(i + 2, 8, resourceCount);
    out[`${name(i)}List`] = {
      type: "object",
      required: ["data"],
      properties: {
        data: { type: "array", items: ref(name(i)) },
        next: { type: ["string", "null"], description: sentence(i) },
      },
    };
  }
  return out;
}

function model(i: number, size: number, resourceCount: number): JsonObject {
  return {
    type: "object",
    title: capitalized(word(i)),
    description: sentence(i, 20),
    required: [`${word(i)}_0`],
    properties: Object.fromEntries(
      Array.from({ length: size }, (_, k) => [`${word(i + k)}_${k}`, property(i, k, resourceCount)]),
    ),
  };
}

function property(i: number, k: number, resourceCount: number): JsonObject {
  const description = sentence(i * 5 + k, 30);
  switch (k % 9) {
    case 0:
      return { type: "string", format: "uuid", description, examples: ["123e4567-e89b-12d3-a456-426614174000"] };
    case 1:
      return { type: "integer", minimum: 0, maximum: 1_000, default: 10, description };
    case 2:
      return { type: "string", enum: Array.from({ length: 8 }, (_, n) => word(n + k)), description };
    case 3:
      return { type: ["string", "null"], format: "date-time", description };
    case 4:
      return {
        type: "object",
        description,
        properties: Object.fromEntries(
          Array.from({ length: 4 }, (_, n) => [
            `${word(n + k)}`,
            { type: "string", maxLength: 200, description: sentence(n + k) },
          ]),
        ),
      };
    case 5:
      return { type: "array", items: { type: "string", pattern: "^[a-z]{3,12}$" }, maxItems: 20, description };
    case 6:
      return {
        description,
        oneOf: ["A", "B"].map((title) => ({
          title: `${title} ${word(k)}`,
          type: "object",
          required: ["kind"],
          properties: { kind: { const: title }, [word(k)]: { type: "number", description: sentence(k) } },
        })),
      };
    case 7:
      return { type: "boolean", description };
    default:
      // Some properties are another resource.
      return k === 8
        ? { ...ref(`${name((i + 9) % resourceCount)}Query`) }
        : { type: "object", additionalProperties: { type: "string" }, description };
  }
}
