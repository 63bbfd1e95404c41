/** Names that every object of JavaScript inherits are names like any other in a specification. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { page, temporaryFolder, writeSite } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";

const schemaOf = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string", description: `of ${name}` }])),
});

const openapi = {
  openapi: "3.1.0",
  info: { title: "Acme", version: "1" },
  servers: [{ url: "https://{constructor}.acme.com", variables: { constructor: { default: "eu" } } }],
  tags: [{ name: "constructor" }],
  paths: {
    "/users/{toString}": {
      post: {
        operationId: "toString",
        tags: ["constructor"],
        summary: "Add",
        security: [{ constructor: [] }],
        parameters: [
          { name: "toString", in: "path", required: true, schema: { type: "string" }, example: "ada" },
          { name: "constructor", in: "query", required: true, schema: { type: "string", default: "first" } },
          { name: "hasOwnProperty", in: "header", schema: { type: "string" }, example: "yes" },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/constructor" },
              examples: { toString: { value: { constructor: "one", toString: "two" } } },
            },
          },
        },
        responses: {
          200: {
            description: "OK",
            headers: { constructor: { description: "of the header", schema: { type: "string" } } },
            content: { "application/json": { schema: schemaOf("valueOf", "toString") } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { constructor: { type: "apiKey", in: "header", name: "X-Key" } },
    schemas: { constructor: schemaOf("constructor", "toString") },
  },
};

const arazzo = {
  arazzo: "1.0.1",
  info: { title: "Flows", version: "1" },
  sourceDescriptions: [{ name: "constructor", url: "openapi.json", type: "openapi" }],
  workflows: [
    {
      workflowId: "toString",
      summary: "Flow",
      inputs: schemaOf("constructor", "toString"),
      steps: [
        {
          stepId: "constructor",
          operationId: "toString",
          parameters: [{ name: "toString", in: "path", value: "$inputs.toString" }],
          outputs: { valueOf: "$response.body#/valueOf" },
        },
        {
          stepId: "valueOf",
          operationId: "toString",
          parameters: [{ name: "toString", in: "path", value: "$steps.constructor.outputs.valueOf" }],
        },
      ],
      outputs: { constructor: "$steps.constructor.outputs.valueOf" },
    },
  ],
};

test("members named constructor, toString and valueOf are shown, checked and sent as they are written", async () => {
  const navigation = {
    groups: [
      { group: "Start", pages: ["index"] },
      { group: "API", openapi: "openapi.json" },
      { group: "Flows", arazzo: "flows.json" },
      { group: "Events", asyncapi: "events.json" },
    ],
  };
  const channel = { address: "/e", messages: { constructor: { payload: schemaOf("constructor", "toString") } } };
  const events = {
    asyncapi: "3.0.0",
    info: { title: "Events", version: "1" },
    servers: { valueOf: { host: "e.acme.com", protocol: "ws" } },
    channels: { toString: channel },
    operations: { constructor: { action: "send", channel: { $ref: "#/channels/toString" } } },
  };
  const source = writeSite(temporaryFolder(), {
    "docs.json": JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#0a6c5b" }, navigation }),
    "index.mdx": page("Start", "Hello."),
    "openapi.json": JSON.stringify(openapi),
    "flows.json": JSON.stringify(arazzo),
    "events.json": JSON.stringify(events),
  });
  const output = join(temporaryFolder(), "out");
  const { diagnostics } = await exportInProcess({ source, output });
  expect(diagnostics.map(({ code, what }) => [code, what])).toEqual([]);
  const texts = readdirSync(output, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:md|html)$|playground.[0-9a-f]{16}\.js$/.test(name))
    .map((name) => readFileSync(join(output, name), "utf8"));
  const operation = texts.find((text) => text.includes("`POST https://eu.acme.com/users/{toString}`"))!;
  for (const line of [
    "- `constructor` (string, default: `eu`)",
    "- `hasOwnProperty` (string): Example: `yes`",
    "- `constructor` (string): of constructor",
    "- `constructor` (string): of the header",
    "- `valueOf` (string): of valueOf",
    "https://eu.acme.com/users/ada?constructor=first",
    "--header 'hasOwnProperty: yes'",
    '  "constructor": "one",\n  "toString": "two"',
  ])
    expect(operation).toContain(line);
  const forms = texts.filter((text) => text.startsWith("offprintPlayground('form'"));
  expect(forms).toHaveLength(3);
  expect(forms.join("\n")).toContain('"value":{"constructor":"one","toString":"two"}');
  expect(texts.filter((text) => /\[native code]|\[object Object]/.test(text))).toEqual([]);
});
