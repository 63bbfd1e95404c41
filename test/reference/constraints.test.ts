/** What a schema, a parameter or a body says besides its fields is on the page, wherever it stands. */
import { expect, test } from "vitest";
import {
  contentOf,
  documentOf,
  markdownOf,
  operationMarkdown,
  sectionOf,
  specOf,
  targetsOf,
  withOperation,
} from "./spec-of.js";

const bodyOf = (schema: string, rest = ""): string =>
  sectionOf(
    operationMarkdown(
      withOperation(`requestBody: {content: {application/json: {schema: ${schema}}}}\nresponses: {}`, rest),
    ),
    "Body",
  );

const schemas = [
  // the body                        its schema                                                          what the page says of it
  [
    "options with limits of lists",
    "{properties: {stop: {oneOf: [{type: string}, {type: array, minItems: 2, maxItems: 44, items: {type: string}}]}}}",
    ["**string[]**", "`2 - 44`"],
  ],
  [
    "options with titles",
    "{properties: {size: {anyOf: [{type: string, title: Named size}, {type: integer}]}}}",
    ["Named size", "integer"],
  ],
  [
    "options with defaults and examples",
    "{properties: {size: {anyOf: [{type: string, default: medium}, {type: integer, examples: [4711]}]}}}",
    ["default: `medium`", "`4711`"],
  ],
  [
    "a deprecated option",
    "{oneOf: [{title: Sloop, deprecated: true, properties: {a: {}}}, {title: Ketch, properties: {b: {}}}]}",
    ["deprecated"],
  ],
  [
    "what null means",
    "{properties: {limit: {anyOf: [{type: integer}, {type: 'null', description: Nothing limits it.}]}}}",
    ["Nothing limits it."],
  ],
  [
    "lists in lists",
    "{properties: {grid: {type: array, minItems: 3, items: {type: array, maxItems: 31, uniqueItems: true, description: One row., items: {type: integer}}}}}",
    ["`[>= 3][<= 31]`", "All items must differ.", "One row."],
  ],
  ["several patterns", "{properties: {name: {allOf: [{type: string, pattern: ^a}, {pattern: z$}]}}}", ["`^a`, `z$`"]],
  [
    "what is required without a property",
    "{required: [name, crew], properties: {name: {type: string}}}",
    ["required: `crew`"],
  ],
  [
    "the words of alternatives",
    "{properties: {by: {type: object, properties: {name: {}, number: {}}, oneOf: [{required: [name], description: The usual way.}, {title: For machines, required: [number]}]}}}",
    ["`name`: The usual way.", "`number`: For machines"],
  ],
  [
    "titles of constants",
    "{properties: {force: {oneOf: [{const: 7, title: Near gale, description: Whole trees move.}, {const: 8}]}}}",
    ["`7`: Near gale: Whole trees move."],
  ],
  [
    "a body that may be null",
    "{type: [object, 'null'], deprecated: true, default: {a: x}, properties: {a: {type: string}}}",
    ["`object | null`, deprecated", 'default: `{"a":"x"}`'],
  ],
] as const; // prettier-ignore

for (const [what, schema, texts] of schemas)
  test(`a page shows ${what}`, () => {
    const body = bodyOf(schema);
    for (const text of texts) expect(body).toContain(text);
  });

test("an option names all values of the discriminator that select it", () => {
  const mapping = "{sloop: '#/components/schemas/Sloop', cutter: '#/components/schemas/Sloop', ketch: Ketch}";
  const options = "[{$ref: '#/components/schemas/Sloop'}, {$ref: '#/components/schemas/Ketch'}]";
  const markdown = bodyOf(
    `{oneOf: ${options}, discriminator: {propertyName: rig, mapping: ${mapping}}}`,
    "components: {schemas: {Sloop: {properties: {rig: {type: string}}}, Ketch: {properties: {rig: {type: string}}}}}",
  );
  expect(markdown).toContain("`rig` = `sloop` | `cutter`");
});

test("a derived schema names the value of the discriminator that selects it", () => {
  const derived =
    "{x-ms-discriminator-value: Boats.Sloop, allOf: [{$ref: '#/components/schemas/Boat'}, {properties: {a: {}}}]}";
  const markdown = bodyOf(
    "{$ref: '#/components/schemas/Boat'}",
    `components: {schemas: {Boat: {discriminator: {propertyName: rig}, properties: {rig: {type: string}}}, Sloop: ${derived}}}`,
  );
  expect(markdown).toContain("`rig` = `Boats.Sloop`");
});

const parameters = [
  [
    "a list or a text",
    "{name: q, in: query, explode: false, schema: {oneOf: [{type: string}, {type: array, items: {type: string}}]}}",
    "`q=a,b`",
  ],
  ["a list without a type", "{name: q, in: query, explode: false, schema: {items: {type: string}}}", "`q=a,b`"],
  ["a text in a path", "{name: q, in: path, required: true, style: matrix, schema: {type: string}}", "`;q=value`"],
  ["reserved characters", "{name: q, in: query, allowReserved: true, schema: {type: string}}", "allowReserved: `true`"],
  [
    "an example in another file",
    "{name: q, in: query, schema: {type: string}, examples: {a: {summary: In full, externalValue: 'https://a.example/q'}}}",
    "[In full](https://a.example/q)",
  ],
] as const; // prettier-ignore

for (const [what, parameter, text] of parameters)
  test(`a page says how a parameter is sent: ${what}`, () => {
    expect(operationMarkdown(withOperation(`parameters: [${parameter}]\nresponses: {}`))).toContain(text);
  });

test("fields of a multipart form say in which style they are sent", () => {
  const encoding = "{tags: {style: pipeDelimited, explode: false, allowReserved: true}}";
  const schema = "{properties: {tags: {type: array, items: {type: string}}}}";
  const body = `requestBody: {content: {multipart/form-data: {schema: ${schema}, encoding: ${encoding}}}}`;
  const markdown = sectionOf(operationMarkdown(withOperation(`${body}\nresponses: {}`)), "Body");
  expect(markdown).toContain("`tags=a|b`");
  expect(markdown).toContain("allowReserved: `true`");
});

test("a body says that it is required, and an operation all of its tags", () => {
  const body = "requestBody: {required: true, content: {application/json: {schema: {properties: {a: {}}}}}}";
  const markdown = operationMarkdown(withOperation(`tags: [Boats, Harbours]\n${body}\nresponses: {}`));
  expect(markdown).toContain("## Body: application/json · required");
  expect(markdown).toContain("tags: `Boats`, `Harbours`");
});

test("values of a server's variable may be numbers", () => {
  const markdown = operationMarkdown(
    withOperation(
      "responses: {}",
      "servers: [{url: 'https://a.example:{port}', variables: {port: {default: 8443, enum: [8443, 443]}}}]",
    ),
  );
  expect(markdown).toContain("`8443`, `443`");
});

test("a link names its server, and a callback its server, its id and its end", () => {
  const link = "{next: {operationId: away, server: {url: 'https://link.example/v1'}}}";
  const hook =
    "{post: {operationId: onTide, deprecated: true, servers: [{url: 'https://hook.example'}], responses: {}}}";
  const markdown = operationMarkdown(
    withOperation(
      `responses: {'200': {description: d, links: ${link}}}\ncallbacks: {tide: {'{$request.body#/url}': ${hook}}}`,
    ),
  );
  for (const text of ["https://link.example/v1", "https://hook.example", "operationId: `onTide`", "deprecated"])
    expect(markdown).toContain(text);
});

test("a server that the readers may not see is nowhere: not with the API, a link or a callback", () => {
  const hidden = (name: string): string => `{url: 'https://${name}.hidden.example', x-internal: true}`;
  const link = `{next: {operationId: away, server: ${hidden("link")}}}`;
  const hook = `{post: {servers: [${hidden("hook")}], responses: {}}}`;
  const spec = withOperation(
    `responses: {'200': {description: d, links: ${link}}}\ncallbacks: {tide: {'{$request.body#/url}': ${hook}}}`,
    `servers: [{url: 'https://a.example'}, ${hidden("api")}]`,
  );
  const overview = markdownOf(contentOf(spec, { kind: "overview", spec: spec.source }).tree);
  expect(overview).toContain("https://a.example");
  expect(operationMarkdown(spec) + overview).not.toContain("hidden.example");
});

test("an AsyncAPI server that the readers may not see is nowhere", () => {
  const spec = specOf(
    documentOf(`
asyncapi: 3.0.0
info: {title: Tides, version: "1"}
servers:
  open: {host: open.example, protocol: wss}
  closed: {host: closed.example, protocol: wss, x-internal: true}
channels: {tide: {address: tide}}
`),
  );
  const targets = [...targetsOf(spec), { kind: "overview", spec: spec.source } as const];
  const pages = targets.map((target) => markdownOf(contentOf(spec, target).tree)).join("\n");
  expect(pages).toContain("open.example");
  expect(pages).not.toContain("closed.example");
});
