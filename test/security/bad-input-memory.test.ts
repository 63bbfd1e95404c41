/** A specification that is made to fill the memory ends in a diagnostic; the whole process stays below 512 MB. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { runCli } from "../support/cli.js";
import { newFolder, writeSite } from "./site-folder.js";

const start = '{"openapi":"3.1.0","info":{"title":"T","version":"1"}';
const ref = (i: number): string => `{"$ref":"#/components/schemas/S${i}"}`;
/** Schemas that each contain all the others, as properties, conditions and options. */
const circles = (count: number): string => {
  const all = Array.from({ length: count }, (_, i) => ref(i));
  const schema = (_: unknown, i: number): string =>
    `"S${i}":{"properties":{${all.map((each, k) => `"p${k}":${each}`).join(",")}},"if":${ref((i + 1) % count)},"then":${ref((i + 2) % count)},"not":${ref(i)},"oneOf":[${all.join(",")}],"discriminator":{"propertyName":"p0"}}`;
  const content = `{"content":{"application/json":{"schema":${ref(0)}}}}`;
  return `${start},"paths":{"/a":{"post":{"requestBody":${content},"responses":{"200":${content}}}}},"components":{"schemas":{${Array.from({ length: count }, schema).join(",")}}}}`;
};

const list = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const members = (count: number, make: (i: number) => readonly [name: string, value: unknown]): object =>
  Object.fromEntries(list(count, make));
const openapi = (rest: object): string =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths: {}, ...rest });
const oneGet = (operation: object): string => openapi({ paths: { "/a": { get: { responses: {}, ...operation } } } });
const asyncapi = (rest: object): string =>
  JSON.stringify({ asyncapi: "3.0.0", info: { title: "T", version: "1" }, ...rest });
const refTo = (place: string): object => ({ $ref: `#/${place}` });
/** Schemas with each other as properties. */
const inCircles = (count: number): object =>
  members(count, (i) => [
    `S${i}`,
    {
      type: "object",
      xml: { wrapped: true },
      properties: members(count, (k) => [`p${k}`, refTo(`components/schemas/S${(i + k) % count}`)]),
    },
  ]);
const body = (schema: object, type = "application/json"): object => ({ content: { [type]: { schema } } });
const answer = (schema: object): object => ({ 200: { description: "", ...body(schema) } });
const introspection = (types: readonly object[]): string =>
  JSON.stringify({
    __schema: { queryType: { name: "T0" }, types: [{ kind: "SCALAR", name: "Int" }, ...types], directives: [] },
  });

/** Types that each contain all the others. */
const graph = (count: number): string => {
  const each = (write: (i: number) => string): string => Array.from({ length: count }, (_, i) => write(i)).join(" ");
  return `type Query { a: T0 } ${each((i) => `type T${i} { ${each((k) => `f${k}(a: I${k}): T${k}!`)} } input I${i} { ${each((k) => `f${k}: I${k}`)} }`)}`;
};
const events = '{"asyncapi":"3.0.0","info":{"title":"T","version":"1"}';

type Case = readonly [
  about: string,
  code: string | undefined,
  text: () => string,
  format?: "openapi" | "asyncapi" | "graphql",
  extension?: string,
];
const cases: readonly Case[] = [
  ["10,000 levels", "SPEC_TOO_DEEP", () => `${start},"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ["4,000,000 values", "SPEC_TOO_LARGE", () => `${start},"x":[${"0,".repeat(4_000_000)}0]}`],
  ["schemas in circles", undefined, () => circles(sweeping ? 60 : 8)],
  ...(sweeping
    ? ([
        ["50 MB", "SPEC_TOO_LARGE", () => `${start},"x":"${"a".repeat(50_000_000)}"}`],
        [
          "10,000 levels of AsyncAPI",
          "SPEC_TOO_DEEP",
          () => `${events},"channels":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
          "asyncapi",
        ],
        [
          "50 MB of GraphQL",
          "SPEC_TOO_LARGE",
          () => `"""${"a".repeat(50_000_000)}""" type Query { a: Int }`,
          "graphql",
        ],
        [
          "10,000 levels of GraphQL",
          "SPEC_TOO_DEEP",
          () => `type Query { a: ${"[".repeat(10_000)}Int${"]".repeat(10_000)} }`,
          "graphql",
        ],
        ["types in circles", "SPEC_TOO_LARGE", () => graph(300), "graphql"],
        [
          "inputs in circles",
          undefined,
          () =>
            `type Query { a(i: I0): Int } ${list(200, (i) => `input I${i} { ${list(200, (k) => `f${k}: I${k}!`).join(" ")} }`).join(" ")}`,
          "graphql",
        ],
        [
          "100,000 values of an enumeration",
          undefined,
          () => `type Query { a: E } enum E { ${list(100_000, (i) => `V${i}`).join(" ")} }`,
          "graphql",
        ],
        [
          "20,000 fields of a type",
          undefined,
          () => `type Query { a: T } type T { ${list(20_000, (i) => `f${i}(a: Int): T`).join(" ")} }`,
          "graphql",
        ],
        [
          "a union of 5,000 types",
          undefined,
          () =>
            `type Query { a: U } union U = ${list(5_000, (i) => `T${i}`).join(" | ")} ${list(5_000, (i) => `type T${i} { a: U }`).join(" ")}`,
          "graphql",
        ],
        [
          "introspection with a type that it lacks",
          "SPEC_SYNTAX",
          () =>
            introspection([
              {
                kind: "OBJECT",
                name: "T0",
                interfaces: [],
                fields: [{ name: "a", args: [], type: { kind: "OBJECT", name: "No" } }],
              },
            ]),
          "graphql",
          "json",
        ],
        [
          "channels with 60 messages in circles",
          undefined,
          () =>
            asyncapi({
              channels: members(20, (c) => [
                `C${c}`,
                { address: `c${c}`, messages: members(60, (k) => [`M${k}`, refTo(`components/messages/M${k}`)]) },
              ]),
              components: {
                messages: members(60, (i) => [`M${i}`, { payload: refTo(`components/schemas/S${i % 20}`) }]),
                schemas: inCircles(20),
              },
            }),
          "asyncapi",
        ],
        [
          "20,000 messages",
          undefined,
          () =>
            asyncapi({
              channels: {
                C: {
                  address: "c",
                  messages: members(20_000, (i) => [
                    `M${i}`,
                    { payload: { type: "object", properties: { a: { type: "string" } } } },
                  ]),
                },
              },
            }),
          "asyncapi",
        ],
        [
          "20,000 operations on a channel",
          undefined,
          () =>
            asyncapi({
              channels: { C: { address: "c", messages: { m: { payload: { type: "string" } } } } },
              operations: members(20_000, (i) => [`o${i}`, { action: "send", channel: refTo("channels/C") }]),
            }),
          "asyncapi",
        ],
        ["a summary of 20 MB", "SPEC_TEXT_TOO_LONG", () => oneGet({ summary: "word ".repeat(4_000_000) })],
        [
          "a description of 20 MB",
          "SPEC_TEXT_TOO_LONG",
          () => oneGet({ description: "*a* [b](c) `d`\n\n".repeat(1_200_000) }),
        ],
        [
          "a description of 20 MB in a parameter",
          "SPEC_TEXT_TOO_LONG",
          () =>
            oneGet({ parameters: [{ in: "query", name: "a", description: "*a* [b](c) `d`\n\n".repeat(1_200_000) }] }),
        ],
        [
          "10,000 tags",
          undefined,
          () =>
            openapi({
              tags: list(10_000, (i) => ({ name: `t${i}`, description: "A **tag**." })),
              paths: { "/a": { get: { tags: list(10_000, (i) => `t${i}`), responses: {} } } },
            }),
        ],
        [
          "5,000 ways to authorize",
          undefined,
          () =>
            openapi({
              security: list(5_000, (i) => ({ [`k${i}`]: [] })),
              paths: members(10, (i) => [`/a${i}`, { get: { responses: {} } }]),
              components: {
                securitySchemes: members(5_000, (i) => [`k${i}`, { type: "apiKey", in: "header", name: `X-${i}` }]),
              },
            }),
        ],
        [
          "50,000 allowed values",
          undefined,
          () =>
            oneGet({ parameters: [{ in: "query", name: "e", schema: { enum: list(50_000, (i) => `value-${i}`) } }] }),
        ],
        [
          "2,000 examples",
          undefined,
          () =>
            oneGet({
              responses: {
                200: {
                  description: "",
                  content: {
                    "application/json": {
                      examples: members(2_000, (i) => [`e${i}`, { value: list(50, (k) => ({ k })) }]),
                    },
                  },
                },
              },
            }),
        ],
        [
          "oneOf of 3,000 members",
          undefined,
          () =>
            openapi({
              paths: { "/a": { post: { requestBody: body(refTo("components/schemas/U")), responses: {} } } },
              components: {
                schemas: {
                  U: { oneOf: list(3_000, (i) => refTo(`components/schemas/S${i}`)) },
                  ...members(3_000, (i) => [
                    `S${i}`,
                    { type: "object", properties: { u: refTo("components/schemas/U"), [`p${i}`]: {} } },
                  ]),
                },
              },
            }),
        ],
        [
          "XML in circles",
          undefined,
          () =>
            openapi({
              paths: {
                "/a": {
                  post: {
                    requestBody: body(refTo("components/schemas/S0"), "application/xml"),
                    responses: answer(refTo("components/schemas/S1")),
                  },
                },
              },
              components: { schemas: inCircles(30) },
            }),
        ],
        [
          "5,000 responses",
          undefined,
          () =>
            oneGet({
              responses: members(5_000, (i) => [
                `${i}`,
                { description: "", ...body({ type: "object", properties: { a: {} } }) },
              ]),
            }),
        ],
        [
          "Swagger with 200,000 definitions",
          "SPEC_TOO_LARGE",
          () =>
            JSON.stringify({
              swagger: "2.0",
              info: { title: "T", version: "1" },
              paths: { "/a": { get: { responses: {} } } },
              definitions: members(200_000, (i) => [
                `A${i}`,
                { type: "object", properties: { next: refTo(`definitions/A${i + 1}`) } },
              ]),
            }),
        ],
        [
          "aliases of aliases",
          "SPEC_TOO_LARGE",
          () =>
            `openapi: 3.1.0\nx0: &a0 [a]\n${list(20, (i) => `x${i + 1}: &a${i + 1} [${list(10, () => `*a${i}`).join(", ")}]`).join("\n")}\n`,
          "openapi",
          "yaml",
        ],
        [
          "a list of 20 MB in YAML",
          "SPEC_TOO_LARGE",
          () => `openapi: 3.1.0\nx:\n${list(950_000, (i) => `  - k${i}: v`).join("\n")}\n`,
          "openapi",
          "yaml",
        ],
      ] as const)
    : []),
];

describe("the peak memory of an export with", () => {
  for (const [about, code, text, format = "openapi", extension = format === "graphql" ? "graphql" : "json"] of cases)
    test(about, async () => {
      const file = `api.${extension}`;
      const folder = newFolder("bad-input-memory");
      const source = writeSite(join(folder, "site"), {
        "docs.json": {
          theme: "mint",
          name: "T",
          colors: { primary: "#0f766e" },
          navigation: {
            tabs: [
              { tab: "A", pages: ["index"] },
              { tab: "B", [format]: file },
            ],
          },
        },
        "index.mdx": "---\ntitle: Start\n---\n\nHello.\n",
        [file]: text(),
      });
      const report = "data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))";
      const {
        code: exit,
        stdout,
        stderr,
      } = await runCli(["export", source, "--output", join(folder, "out"), "--json", "--no-cache"], {
        env: { ...process.env, NODE_OPTIONS: `--import="${report}"` },
      });
      assert.equal(exit, 0, stderr);
      if (code !== undefined) assert.ok(stdout.includes(code), stdout);
      const peakMb = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
      assert.ok(peakMb < 512, `${peakMb} MB`);
    });
});
