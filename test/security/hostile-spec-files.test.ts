/** Specifications made to exhaust or to lead astray end in a diagnostic at their place; the rest of the site is exported. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, test } from "vitest";
import { type CliRun, runCliWithin } from "../support/cli.js";
import { newFolder, writeSite } from "./site-folder.js";

const openapi = (parts: object): string =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, ...parts }, null, 1);
const ok = { responses: { 200: { description: "Fine" } } };
const answering = (schema: object): object => ({
  summary: "Ask",
  requestBody: { content: { "application/json": { schema } } },
  responses: { 200: { description: "Fine", content: { "application/json": { schema } } } },
});
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

function bomb(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 30; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  return `openapi: 3.1.0\n${lines.join("\n")}\n`;
}

/** A tree of schemas, each with ten of the next level. */
function branching(): object {
  const schemas: Record<string, object> = {};
  for (let level = 0; level < 30; level++)
    schemas[`L${level}`] = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, ref(`L${(level + 1) % 30}`)])),
    };
  return schemas;
}

interface Hostile {
  readonly name: string;
  readonly text: () => string;
  /** `CODE line:column`, in the order of the report. */
  readonly told: readonly string[];
  /** Addresses of pages that are made of it all the same. */
  readonly pages?: readonly string[];
}

const deep = 10_000;
const specs: readonly Hostile[] = [
  {
    name: "deep.json",
    text: () => `{"openapi":"3.1.0",\n"x":${"[".repeat(deep)}${"]".repeat(deep)}}`,
    told: ["SPEC_TOO_DEEP 2:204"],
  },
  {
    name: "deep-objects.json",
    text: () => `{"openapi":"3.1.0",\n"x":${'{"a":'.repeat(deep)}1${"}".repeat(deep)}}`,
    told: ["SPEC_TOO_DEEP 2:1000"],
  },
  {
    name: "deep.yaml",
    text: () => `openapi: 3.1.0\nx: ${"[".repeat(deep)}${"]".repeat(deep)}`,
    told: ["SPEC_TOO_DEEP 2:204"],
  },
  {
    name: "dashes.yaml",
    text: () => `openapi: 3.1.0\nx:\n  ${"- ".repeat(20_000)}1`,
    told: ["SPEC_TOO_DEEP 3:3"],
  },
  { name: "bomb.yaml", text: bomb, told: ["SPEC_TOO_LARGE 7:50"] },
  {
    name: "large.json",
    text: () => `{"openapi":"3.1.0","x":"${"a".repeat(34_000_000)}"}`,
    told: ["SPEC_TOO_LARGE 1:1"],
  },
  {
    name: "values.json",
    text: () => `{"openapi":"3.1.0","x":[${"0,".repeat(1_100_000)}0]}`,
    told: ["SPEC_TOO_LARGE 1:1"],
  },
  { name: "broken.json", text: () => '{\n  "openapi": "3.1.0",\n  "paths": {,}\n}', told: ["SPEC_SYNTAX 3:13"] },
  { name: "broken.yaml", text: () => "openapi: 3.1.0\npaths: [\n", told: ["SPEC_SYNTAX 2:8"] },
  { name: "empty.yaml", text: () => "", told: ["SPEC_SYNTAX 1:1"] },
  { name: "binary.json", text: () => "\0\u0001PNG\ufffd", told: ["SPEC_SYNTAX 1:1"] },
  { name: "old.json", text: () => '{\n"swagger": "1.2"}', told: ["SPEC_VERSION 2:12"] },
  {
    name: "files.json",
    text: () =>
      openapi({
        paths: {
          "/files": {
            get: answering({
              anyOf: [
                { $ref: "../../../../etc/passwd" },
                { $ref: "file:///etc/passwd#/x" },
                { $ref: "http://169.254.169.254/latest/meta-data" },
                { $ref: "https://localhost/spec.json#/a" },
                { $ref: "#/components/schemas/None" },
              ],
            }),
          },
          "/outside": { $ref: "/etc/passwd" },
        },
      }),
    told: [
      "SPEC_ENTRY_INVALID 11:5",
      "SPEC_REF_EXTERNAL 17:19",
      "SPEC_REF_EXTERNAL 20:19",
      "SPEC_REF_EXTERNAL 23:19",
      "SPEC_REF_EXTERNAL 26:19",
      "SPEC_REF_BROKEN 29:19",
      "SPEC_EMPTY 66:3",
      "SPEC_REF_EXTERNAL 67:12",
    ],
    pages: ["files/ask"],
  },
  {
    name: "circles.json",
    text: () =>
      openapi({
        paths: {
          "/a": { $ref: "#/paths/~1b" },
          "/b": { $ref: "#/paths/~1a" },
          "/self": {
            parameters: [{ $ref: "#/components/parameters/P" }, { $ref: "#/components/parameters/S" }],
            post: {
              ...answering(ref("Self")),
              callbacks: { back: { $ref: "#/components/callbacks/C" } },
              responses: {
                200: { $ref: "#/components/responses/R" },
                400: { description: "No", headers: { H: { $ref: "#/components/headers/H" } } },
              },
              security: [{ s: [] }],
            },
          },
          "/tree": { post: answering({ allOf: [ref("A"), ref("B"), ref("Any"), ref("Items"), ref("Map")] }) },
        },
        components: {
          parameters: {
            P: { $ref: "#/components/parameters/Q" },
            Q: { $ref: "#/components/parameters/P" },
            S: { name: "s", in: "query", schema: ref("Self") },
          },
          responses: { R: { $ref: "#/components/responses/R" } },
          headers: { H: { $ref: "#/components/headers/H" } },
          callbacks: { C: { "{$x}": { post: { callbacks: { again: { $ref: "#/components/callbacks/C" } }, ...ok } } } },
          securitySchemes: { s: { $ref: "#/components/securitySchemes/s" } },
          schemas: {
            Self: ref("Self"),
            A: { allOf: [ref("B"), { properties: { a: ref("A") } }] },
            B: { allOf: [ref("A"), { properties: { b: ref("B") } }] },
            Any: {
              anyOf: [ref("Any"), { oneOf: [ref("Any"), ref("A")] }],
              discriminator: { propertyName: "x", mapping: { y: "#/components/schemas/Any" } },
            },
            Items: { type: "array", items: ref("Items") },
            Map: {
              type: "object",
              additionalProperties: ref("Map"),
              patternProperties: { x: ref("Map") },
              not: ref("Map"),
            },
          },
        },
      }),
    told: [
      "SPEC_EMPTY 8:3",
      "SPEC_REF_BROKEN 9:12",
      "SPEC_EMPTY 11:3",
      ...["12:12", "17:14", "29:17", "36:15", "42:17", "121:13", "164:13"].map((place) => `SPEC_REF_BROKEN ${place}`),
    ],
    pages: ["circles/post-self", "circles/post-tree"],
  },
  {
    name: "branching.json",
    text: () => openapi({ paths: { "/x": { post: answering(ref("L0")) } }, components: { schemas: branching() } }),
    // Parts without room on a page are on the pages of its schemas.
    told: [],
    pages: ["branching/ask"],
  },
  {
    name: "enum.json",
    text: () =>
      openapi({
        paths: {
          "/x": {
            post: answering({
              type: "object",
              properties: { v: { enum: Array.from({ length: 50_000 }, (_, i) => `v${i}`) } },
            }),
          },
        },
      }),
    told: [],
    pages: ["enum/ask"],
  },
  {
    name: "prototypes.json",
    text: () =>
      `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"__proto__":{"paths":{}},"paths":{"/constructor":{"get":{"summary":"toString","tags":["__proto__","constructor"],"__proto__":{"x-hidden":true},"parameters":[{"name":"__proto__","in":"query","schema":{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}],"responses":{"hasOwnProperty":{"description":"valueOf"}}}},"__proto__":{"get":{}}}}`,
    told: [
      ...["56", "169", "270"].map((column) => `SPEC_NAME_LEFT_OUT 1:${column}`),
      // "hasOwnProperty" is not a status.
      "SPEC_ENTRY_INVALID 1:348",
      "SPEC_NAME_LEFT_OUT 1:395",
    ],
    pages: ["prototypes/__proto__/tostring"],
  },
  {
    name: "names.json",
    text: () =>
      openapi({
        paths: {
          "/../../etc/passwd": { get: ok },
          "/con": { get: { summary: "con", tags: ["aux"], ...ok } },
          "/nul.txt": { get: { summary: "NUL", tags: ["../.."], ...ok } },
          "/long": { get: { summary: "long ".repeat(2000), ...ok } },
          "/href": { get: { "x-mint": { href: "../../../../tmp/out" }, ...ok } },
          "/here": { get: { "x-mint": { href: "/_offprint/app" }, ...ok } },
          "/index": { get: { "x-mint": { href: "/index.html" }, ...ok } },
        },
      }),
    told: ["SPEC_TEXT_TOO_LONG 45:16"],
    pages: ["names/get-etcpasswd", "names/~61ux/~63on"],
  },
  {
    name: "shapes.json",
    text: () =>
      openapi({
        servers: "x",
        tags: [null, 1, { name: [] }],
        security: { a: 1 },
        paths: {
          "/a": null,
          "/b": { get: [], post: "x" },
          "/c": {
            get: {
              tags: {},
              summary: {},
              description: [],
              parameters: { a: 1 },
              requestBody: 5,
              responses: [null],
              servers: {},
              security: "x",
              callbacks: [1],
              "x-codeSamples": "x",
              "x-mint": [],
            },
          },
          "/d": {
            get: {
              parameters: [null, "x", {}, { name: 1, in: 2, schema: [] }],
              responses: {
                200: null,
                300: "x",
                400: { content: { "a/b": null, "c/d": { schema: 1, examples: [1] } }, headers: [] },
              },
            },
          },
          "/e": {
            get: answering({
              type: 5,
              properties: [1],
              required: "x",
              enum: {},
              oneOf: {},
              allOf: "x",
              items: [1],
              additionalProperties: [],
              examples: {},
            }),
          },
        },
        components: [],
      }),
    // The first one says how many more there are.
    told: (
      "1:1 7:13 10:3 12:4 15:2 19:9 21:4 22:12 26:5 27:5 28:5 29:5 32:20 33:5 38:5 49:6 50:6 59:13 64:19 70:7 78:5 83:9 " +
      "86:21 87:9"
    )
      .split(" ")
      .map((place) => `SPEC_ENTRY_INVALID ${place}`),
    pages: ["shapes/get-c", "shapes/get-d", "shapes/ask"],
  },
];

describe("hostile specifications", () => {
  const folder = newFolder("hostile-specs");
  const output = join(folder, "out");
  let run: CliRun;
  let lines: { type: string; code: string; location?: { sourcePath: string; line?: number; column?: number } }[];

  beforeAll(async () => {
    const tab = ({ name }: Hostile): object => ({
      tab: name,
      openapi: { source: name, directory: name.replace(/\.\w+$/, "") },
    });
    const site = {
      "docs.json": {
        theme: "mint",
        name: "Hostile",
        colors: { primary: "#0f766e" },
        navigation: { tabs: [{ tab: "Docs", pages: ["index", "one", "shared/huge"] }, ...specs.map(tab)] },
      },
      "index.mdx": "---\ntitle: Start\n---\n\nHello.\n",
      "one.mdx": "---\nopenapi: many.json GET /99\n---\n",
      "many.json": openapi({
        paths: Object.fromEntries(Array.from({ length: 25_000 }, (_, i) => [`/${i}`, { get: ok }])),
      }),
      "shared/huge.mdx": "---\nopenapi-schema: branching.json L3\n---\n",
      ...Object.fromEntries(specs.map(({ name, text }) => [name, text()])),
    };
    const source = writeSite(join(folder, "site"), site);
    run = await runCliWithin(120, ["export", source, "--output", output, "--json"], {
      env: { ...process.env, NODE_OPTIONS: "--max-old-space-size=1500" },
    });
    lines = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  });

  test("leave the export in one piece, in bounded time", () => {
    assert.deepEqual([run.code, run.signal], [0, null], run.stderr);
    assert.ok(existsSync(join(output, "index.html")));
    assert.match(readFileSync(join(output, "one.html"), "utf8"), /\/99/);
    assert.deepEqual(
      lines.filter(({ code }) => /^PAGE_(?:FAILED|LOST|TIMEOUT)/.test(code)),
      [],
    );
  });

  const reportsOf = (name: string): string[] =>
    lines
      .filter(({ type, location }) => type === "diagnostic" && location?.sourcePath === name)
      .map(({ code, location }) => `${code} ${location?.line ?? 1}:${location?.column ?? 1}`);

  for (const { name, told, pages = [] } of specs)
    test(`${name} is reported with the location of its mistake`, () => {
      assert.deepEqual(reportsOf(name), told);
      for (const page of pages) assert.ok(existsSync(join(output, `${page}.html`)), page);
    });

  test("many.json is reported at the first operation without a page", () => {
    assert.deepEqual(reportsOf("many.json"), ["SPEC_TOO_MANY 180009:4"]);
  });
});
