import { expect, test } from "vitest";
import { readBadges, readTags } from "../../src/site/specs/index.js";
import { readJson } from "../site/specs/read-text.js";
import { contentOf, documentOf, htmlOf, operationMarkdown, operationTarget, specOf, withOperation } from "./spec-of.js";

const field = (schema: string): string =>
  operationMarkdown(withOperation(`parameters: [{in: query, name: a, schema: ${schema}}]`), {
    section: "Query parameters",
  });

test("badges of an operation are above its description, and its entry has the first one", async () => {
  const operation = `
x-badges: [{name: Beta, color: purple}, {name: ''}, Fast]
x-scalar-stability: experimental
x-status: beta
tags: [Old, Things]
description: Told.
responses: {}
`;
  const spec = withOperation(operation, "tags: [{name: Old, kind: badge, summary: Since 2020}]");
  const { lead, body } = await htmlOf(contentOf(spec, operationTarget(spec)).tree);
  const html = lead + body;
  const badges = [...html.matchAll(/data-badge=""[^>]*>([^<]*)</g)].map(([, words]) => words);
  expect(badges).toEqual(["Beta", "Fast", "experimental", "Since 2020"]);
  expect(html.indexOf("Beta")).toBeLessThan(html.indexOf("Told."));
  const { entries } = readJson(spec.document);
  expect(entries[0]).toMatchObject({ badge: "Beta", tag: "Things" });
});

test("a tag that is no group of the navigation is a badge with its description and link", async () => {
  const tag = "{name: tide, kind: audience, description: For *pilots*., externalDocs: {url: 'https://h.example/tide'}}";
  const spec = withOperation("tags: [tide]\nresponses: {}", `tags: [${tag}]`);
  const { lead, body } = await htmlOf(contentOf(spec, operationTarget(spec)).tree);
  expect(lead + body).toMatch(
    /data-badge=""[^>]*>tide<[\s\S]*For <em>pilots<\/em>[\s\S]*href="https:\/\/h\.example\/tide"/,
  );
});

test("the overview shows the logo of the API, which leads where its author says", async () => {
  const info =
    "{title: Harbour, version: '1', x-logo: {url: 'https://h.example/gull.png', altText: A gull, href: 'https://h.example'}}";
  const spec = specOf(documentOf(`{openapi: 3.1.0, info: ${info}, paths: {}}`));
  const { lead, body } = await htmlOf(contentOf(spec, { kind: "overview", spec: "api.yaml" }).tree);
  expect(lead + body).toMatch(
    /<a [^>]*href="https:\/\/h\.example"[^>]*><img [^>]*src="https:\/\/h\.example\/gull\.png"[^>]*alt="A gull"/,
  );
});

test("a part has all of its badges", () => {
  const names = Array.from({ length: 20 }, (_, i) => `b${i}`);
  expect(readBadges({ "x-badges": names }).map(({ name }) => name)).toEqual(names);
});

test("badges of a field are after its name", () => {
  expect(field("{type: string, x-badges: [{name: New}], x-stability-level: draft}")).toMatch(/`a` \(.*New.*draft.*\)/);
});

test("a trait is a tag without operations, whose description has a page", () => {
  const spec = specOf(
    documentOf("{openapi: 3.1.0, tags: [{name: Paging, x-traitTag: true, description: How}], paths: {}}"),
  );
  expect(readTags(spec)).toMatchObject([{ name: "Paging", kind: "trait" }]);
});

test("values of an enumeration have the names and texts that extensions give", () => {
  expect(field("{enum: [1, 2], x-ms-enum: {values: [{value: 2, name: Two, description: The second}]}}")).toContain(
    "`2`: Two: The second",
  );
  const elements = "[{name: ON, description: Works}, {name: OFF}]";
  expect(field(`{enum: [ON, OFF], x-enum-elements: ${elements}}`)).toContain("`ON`: Works");
});

test("a deprecated part says since when, and what replaces it", () => {
  const text = field("{type: string, x-deprecatedMessage: 'Use `b`.', x-deprecatedInVersion: '7'}");
  expect(text).toContain("Use `b`.");
  expect(text).toContain("Deprecated since: `7`");
  const operation = "{x-deprecatedMessage: 'Use [b](https://b.example/).', responses: {}}";
  expect(operationMarkdown(withOperation(operation))).toContain("Use [b](https://b.example/).");
});

test("a response has its short text, and other names of an object have theirs", () => {
  const response =
    "{x-summary: Done, description: All is well, content: {application/json: {schema: {$ref: '#/components/schemas/M'}}}}";
  const schemas =
    "components: {schemas: {M: {type: object, additionalProperties: {type: string, x-additionalPropertiesName: locale}}}}";
  const text = operationMarkdown(withOperation(`responses: {'200': ${response}}`, schemas));
  expect(text).toContain("Done\n\nAll is well");
  expect(text).toContain("`{locale}`");
});

test("only the mapped options of a discriminator are shown with x-explicitMappingOnly", () => {
  const schemas = `
components:
  schemas:
    Pet: {type: object, discriminator: {propertyName: kind, x-explicitMappingOnly: true, mapping: {cat: Cat, bee: Bee}}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
    Bee: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {sting: {type: boolean}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {bark: {type: string}}}]}
`;
  const body = "requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}";
  const text = operationMarkdown(withOperation(body, schemas), { section: "Body" });
  expect(text).toContain("`sting`");
  expect(text).not.toContain("`bark`");
});

test("no description is lost if several apply: of a reference, of the items of a list, of combined schemas", () => {
  const schemas = `
components:
  schemas:
    State: {type: string, description: The words of a state.}
    Line: {type: object, description: One line., properties: {n: {type: integer}}}
    Base: {type: object, properties: {id: {type: string, description: The id of all.}}}
`;
  const properties = `
state: {description: Where it is., allOf: [{$ref: '#/components/schemas/State'}]}
lines: {description: All lines., type: array, items: {$ref: '#/components/schemas/Line'}}
`;
  const id = "{properties: {id: {type: string, description: The id here.}}}";
  const schema = `{allOf: [{$ref: '#/components/schemas/Base'}, ${id}, {type: object, properties: {${properties.trim().split("\n").join(", ")}}}]}`;
  const text = operationMarkdown(
    withOperation(`requestBody: {content: {application/json: {schema: ${schema}}}}`, schemas),
    { section: "Body" },
  );
  for (const words of [
    "The words of a state.",
    "Where it is.",
    "All lines.",
    "One line.",
    "The id of all.",
    "The id here.",
  ])
    expect(text.split(words), words).toHaveLength(2);
});

test("an operation has the description of its path, too", () => {
  const spec = specOf(
    documentOf(
      "{openapi: 3.1.0, paths: {/a: {description: About both., get: {description: About this., responses: {}}}}}",
    ),
  );
  expect(operationMarkdown(spec)).toMatch(/About this\.\n\nAbout both\./);
});

test("samples and bodies in the examples of Fern are those of their author", () => {
  const operation = `
x-fern-examples:
  - code-samples:
      - {sdk: python, name: Default, code: 'plant("fig")'}
      - {sdk: python, name: Async, code: 'await plant("fig")'}
      - {language: go, code: 'garden.Plant("fig")'}
    request: {kind: fig}
    response: {body: {planted: true}}
requestBody: {content: {application/json: {schema: {type: object, properties: {kind: {type: string}}}}}}
responses:
  200: {description: ok, content: {application/json: {schema: {type: object, properties: {planted: {type: boolean}}}}}}
  400: {description: no, content: {application/json: {schema: {type: object, properties: {why: {type: string}}}}}}
`;
  const markdown = operationMarkdown(withOperation(operation));
  for (const sample of ['plant("fig")', 'await plant("fig")', 'garden.Plant("fig")', "Python · Async"])
    expect(markdown).toContain(sample);
  const withoutCode = operation.replace(/ {2}- code-samples:[\s\S]*? {4}request/, "  - request");
  expect(operationMarkdown(withOperation(withoutCode))).toMatch(/curl [\s\S]*"kind": "fig"/);
  expect(markdown).toContain('"planted": true');
  expect(markdown).toContain('"why": "string"');
});

test("the examples that Stoplight adds to a schema are its examples", () => {
  expect(field("{type: string, x-examples: {Usual: {value: fig}, plain: plum}}")).toMatch(/`fig`[\s\S]*`plum`/);
});

test("the messages of generators about what is deprecated are shown", () => {
  const reason = "{type: string, deprecated: true, x-speakeasy-deprecation-message: Use *b*.}";
  expect(field(reason)).toContain("Use *b*.");
});

test("callouts of Redocly in a description are callouts, with their title and kind", async () => {
  const description = [
    "Adds a boat.",
    '{% admonition type="warning" name="Low tide" %}\nWait for *water*.\n{% /admonition %}',
    "Then go on. {% admonition %}One line.{% /admonition %}",
    "{% admonition never closed",
  ].join("\n\n");
  const spec = withOperation(`description: ${JSON.stringify(description)}\nresponses: {}`);
  const { body } = await htmlOf(contentOf(spec, operationTarget(spec)).tree);
  expect(body).toMatch(/data-callout-type="warning"[\s\S]*<strong>Low tide<\/strong>[\s\S]*Wait for <em>water<\/em>/);
  expect(body).toMatch(/Then go on\.<\/p>[\s\S]*data-callout-type="note"[\s\S]*One line\./);
  expect(body).toContain("{% admonition never closed");
});

test.each([
  ["Bearer token of the harbor", "Bearer <token>"],
  ["basic credentials", "Basic <credentials>"],
  ["The key of the harbor", "<token>"],
  ["", "Bearer <token>"],
])("an Authorization header that is a parameter, described as %j, has the sample %j", (description, expected) => {
  const parameter = `{in: header, name: authorization, required: true, schema: {type: string}${description && `, description: ${description}`}}`;
  const written = operationMarkdown(withOperation(`{parameters: [${parameter}], responses: {}}`));
  expect(written).toContain(`--header 'authorization: ${expected}'`);
});
