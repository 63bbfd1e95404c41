/** What of a specification no page shows: names that mean nothing, and operations that are empty. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/lib/json/index.js";
import { createSpecReader } from "../../../src/site/specs/index.js";
import { documentOf } from "../../reference/spec-of.js";
import { memoryFiles } from "../../support/memory-files.js";
import { codesOf, openapi, readFiles, readJson } from "./read-text.js";

const told = (parts: JsonObject) =>
  readJson(openapi({ paths: {}, ...parts })).diagnostics.map(({ what, fix }) => `${what} ${fix}`);

describe("a value that no page shows", () => {
  const operation = (written: JsonObject, components: JsonObject = {}) =>
    told({
      paths: { "/a": { post: { responses: {}, ...written } } },
      components: { schemas: { A: {} }, ...components },
    });
  const ref = { $ref: "#/components/schemas/A" };
  const place = "so pages do not show it.";
  type Case = readonly [rule: string, operation: JsonObject, reported: string];
  const cases: readonly Case[] = [
    [
      "is a parameter without a place",
      { parameters: [{ name: "a" }] },
      `The parameter "a" has no "in", ${place} write "in": "query", "path", "header" or "cookie".`,
    ],
    [
      "is a parameter in a place that is not spelled so",
      { parameters: [{ name: "a", in: "Query" }] },
      `The parameter "a" has "in": "Query", ${place} write "in": "query".`,
    ],
    [
      "is a parameter in the body",
      { parameters: [{ name: "a", in: "body" }] },
      `The parameter "a" has "in": "body", ${place} describe it in "requestBody".`,
    ],
    [
      "is a parameter without a name",
      { parameters: [{ in: "query" }] },
      `A parameter has no "name", ${place} write its "name".`,
    ],
    [
      "is a text in place of a list",
      { tags: "Trees" },
      `"tags" must be a list, not "Trees", ${place} write ["Trees"].`,
    ],
    [
      "is an object in place of a list",
      { security: {} },
      `"security" must be a list, not an object, ${place} write [{ … }].`,
    ],
    [
      "is a list in place of an object",
      { responses: [] },
      `"responses" must be an object, not a list, ${place} describe it with an object, or remove it.`,
    ],
    [
      "is a text in place of a response",
      { responses: { 404: "No" } },
      `"responses/404" must be an object, not "No", ${place} describe it with an object, or remove it.`,
    ],
    [
      "is a schema in place of a response",
      { responses: { 200: ref } },
      `"#/components/schemas/A" is a schema, but a response is needed here, so pages do not show what it describes. write "content": { "application/json": { "schema": { "$ref": "#/components/schemas/A" } } }.`,
    ],
    [
      "is a schema in place of a parameter",
      { parameters: [{ name: "a", in: "query", ...ref }] },
      `"#/components/schemas/A" is a schema, but a parameter is needed here, so pages do not show what it describes. write "name": "…", "in": "query", "schema": { "$ref": "#/components/schemas/A" }.`,
    ],
    [
      "has the name of a member in place of a media type",
      { requestBody: { content: { schema: ref, required: true } } },
      '"schema" is not a media type, so samples send it as a wrong "Content-Type". It occurs 2 times. write "application/json": { "schema": … }.',
    ],
  ];
  for (const [rule, written, reported] of cases) test(rule, () => expect(operation(written)).toEqual([reported]));

  test("is a property that says of itself that it is required", () =>
    expect(
      told({
        components: { schemas: { A: { properties: { a: { required: true }, b: { required: false } }, enum: null } } },
      }),
    ).toEqual([
      `"required" must be a list, not true, ${place} name the property in "required" of the object that has it.`,
    ]));

  test("is no callback, header, example or schema in a form that pages read", () =>
    expect(
      operation(
        {
          callbacks: { done: { $ref: "#/components/callbacks/Done" } },
          responses: { 200: { description: "", headers: { X: { $ref: "#/components/parameters/X" } } } },
        },
        {
          callbacks: { Done: { "{$url}": { post: { responses: {} } } } },
          parameters: { X: { name: "x", in: "query", examples: [1], schema: true } },
          schemas: { A: { items: [{ type: "string" }], dependencies: { a: ["b"] }, additionalProperties: false } },
        },
      ),
    ).toEqual([]));
});

describe("an unknown name", () => {
  test("is reported once, with its number and the nearest name", () =>
    expect(
      told({
        components: {
          schemas: {
            A: { type: "object", properties: { a: { optional: true }, b: { items: { optional: true } } } },
            B: { allOf: [{ desciption: "x" }] },
          },
        },
      }),
    ).toEqual([
      'OpenAPI does not define "optional" in a schema, so pages do not show it. It occurs 2 times. remove it, or rename it to "x-optional".',
      'OpenAPI does not define "desciption" in a schema, so pages do not show it. write "description".',
    ]));

  test("is reported in all kinds of objects", () => {
    const operation = {
      paramaters: [],
      requestBody: { content: { "text/plain": { encodings: {} } } },
      responses: { 200: { descr: "" } },
    };
    expect(
      told({ paths: { "/a": { parameter: [], post: operation } }, tags: [{ name: "a", colour: "red" }] }).length,
    ).toBe(5);
  });

  test("says where it belongs if it describes a schema", () =>
    expect(told({ paths: { "/a": { get: { responses: { 200: { schema: {}, description: "" } } } } } })).toEqual([
      'OpenAPI does not define "schema" in a response, so pages do not show it. write "content": { "application/json": { "schema": { … } } }.',
    ]));

  test("is not an extension, a name that the author chose, or data", () =>
    expect(
      told({
        "x-any": { thing: 1 },
        paths: {
          "/a": {
            get: { "x-b": { c: 1 }, responses: {}, callbacks: { any: { "{$url}": { post: { responses: {} } } } } },
          },
        },
        components: {
          schemas: {
            optional: {
              properties: {
                optional: { example: { foo: 1 }, default: { bar: 1 }, enum: [{ baz: 1 }], const: { q: 1 } },
              },
            },
          },
          examples: { any: { value: { thing: 1 } } },
        },
      }),
    ).toEqual([]));

  test("in another file is reported there", () => {
    const files = {
      "openapi.json": JSON.stringify(openapi({ paths: {}, components: { schemas: { A: { $ref: "a.yaml" } } } })),
      "a.yaml": "type: object\nproperties:\n  b: { optionl: true }\n",
    };
    const { diagnostics } = readFiles(files, "openapi.json");
    expect(codesOf(diagnostics)).toEqual(["SPEC_KEYWORD_UNKNOWN a.yaml:3:8"]);
  });

  test("is not searched for in converted parts", () => {
    const swagger = {
      swagger: "2.0",
      info: { title: "T", version: "1" },
      basePath: "/",
      paths: {},
      securityDefinitions: {},
    };
    expect(readJson(swagger).diagnostics).toEqual([]);
  });
});

const option = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("a discriminator that no value selects an option of", () => {
  const is = (value: JsonObject) => ({ properties: { kind: value } });
  const schemas = {
    Cat: is({ const: "cat" }),
    Dog: { allOf: [is({ type: "string" }), option("Barking")] },
    Barking: is({ enum: ["dog", "wolf"] }),
    Cow: is({ enum: ["Cow", "cow"] }),
    Any: {},
  };
  const union = (discriminator: JsonObject, ...names: string[]) => ({
    paths: {},
    components: { schemas: { ...schemas, Pet: { oneOf: names.map(option), discriminator } } },
  });

  test("is reported once, at its place, with the mapping to write", () => {
    const [found, ...others] = readJson(
      openapi(union({ propertyName: "kind" }, "Cat", "Dog", "Cow", "Any")),
    ).diagnostics;
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: "SPEC_DISCRIMINATOR",
      what: 'No value of "kind" selects 2 options of this discriminator: Cat is selected by "Cat", but its own schema says "cat"; Dog is selected by "Dog", but its own schema says "dog".',
      fix: 'write "mapping": { "cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog" } in the discriminator.',
      location: { sourcePath: "openapi.json" },
    });
  });

  test("is none whose mapping agrees; one that does not is reported", () => {
    expect(told(union({ propertyName: "kind", mapping: { cat: "Cat" } }, "Cat", "Any"))).toEqual([]);
    expect(told(union({ propertyName: "kind", mapping: { tom: "#/components/schemas/Cat" } }, "Cat"))).toEqual([
      'No value of "kind" selects an option of this discriminator: Cat is selected by "tom", but its own schema says "cat". write "mapping": { "cat": "#/components/schemas/Cat" } in the discriminator.',
    ]);
  });

  test("may refer to itself", () =>
    expect(
      told({
        paths: {},
        components: {
          schemas: {
            A: { ...option("A"), anyOf: [option("A")], allOf: [option("A")], discriminator: { propertyName: "k" } },
          },
        },
      }),
    ).toEqual([]));
});

describe("a specification of which most operations have nothing to show", () => {
  const codes = (paths: string) =>
    readJson(openapi({ paths: documentOf(paths) })).diagnostics.filter(({ code }) => code === "SPEC_EMPTY");
  const lost = "{responses: {'200': {$ref: './lost.yaml'}}}";

  test("is an error that says how many and which", () => {
    const [error, ...others] = codes(
      `{/a: {$ref: './a.yaml'}, /b: {get: ${lost}, put: ${lost}}, /c: {get: ${lost}}, /d: {get: {responses: {}}}}`,
    );
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      severity: "error",
      what: '4 of the 5 operations of openapi.json have nothing to show, because their references are broken: /a ("./a.yaml"), GET /b ("./lost.yaml"), PUT /b ("./lost.yaml"), ….',
      fix: 'add "./a.yaml" and the other files that the specification refers to, or bundle it into one file.',
    });
  });

  test("is an error for each if half of them have something, and none if they need nothing", () => {
    const three = (item: string) => codes(`{/a: ${item}, /b: ${item}, /c: ${item}}`);
    expect(
      codes(`{/a: {get: ${lost}, put: ${lost}, post: ${lost}}, /b: {get: {responses: {}}, put: {}, post: {}}}`).map(
        ({ what }) => what,
      ),
    ).toEqual(
      ["GET", "PUT", "POST"].map((method) => `${method} /a has nothing to show, because "./lost.yaml" does not exist.`),
    );
    expect(codes(`{/a: {$ref: '#/x'}}`)[0]?.what).toBe('/a has nothing to show, because "#/x" does not exist.');
    expect(three("{get: {responses: {'204': {description: Done}}}}")).toEqual([]);
    expect(three(`{parameters: [{name: a, in: query}], get: ${lost}}`)).toEqual([]);
    expect(three(`{get: ${lost}}`).length).toBe(1);
  });
});

describe("what a limit or a circle leaves out", () => {
  const chain = (length: number, last: JsonObject): JsonObject => ({
    ...Object.fromEntries(Array.from({ length }, (_, i) => [`S${i}`, option(`S${i + 1}`)])),
    [`S${length}`]: last,
  });
  const used = { properties: { a: option("S0") } };

  test("a chain of references is reported if it is longer than pages follow, or has no end", () => {
    expect(told({ components: { schemas: { Used: used, ...chain(40, { type: "string" }) } } })).toEqual([]);
    const fault =
      '"#/components/schemas/S0" goes through more than 50 references, or back to itself, so pages do not show what it describes. refer to the definition itself, not to another reference.';
    expect(told({ components: { schemas: { Used: used, ...chain(60, { type: "string" }) } } })).toContain(fault);
    expect(told({ components: { schemas: { Used: used, ...chain(2, option("S1")) } } })).toContain(fault);
  });

  test("a tag with two descriptions is reported, one with one is not", () => {
    const tags: JsonObject[] = ["A", "A", "Z"].map((description) => ({ name: "a", description }));
    expect(told({ tags, paths: { "/a": { get: { tags: ["a"], responses: {} } } } })).toEqual([
      'The tag "a" is described twice; pages show the last description. join the two.',
    ]);
  });

  test("groups around groups are reported above ten", () => {
    const tags = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `t${i}`, ...(i > 0 && { parent: `t${i - 1}` }) }));
    const paths = { "/a": { get: { tags: ["t11"], responses: {} } } };
    expect(told({ paths, tags: tags(10) })).toEqual([]);
    expect(told({ paths, tags: tags(12) })).toEqual([
      'The tag "t10" is nested in more than 10 groups; the navigation leaves out the outer ones. use at most 10 levels of "parent".',
    ]);
  });
});

test("a tag whose name is no text is reported", () => {
  const { diagnostics } = readJson(openapi({ tags: [{ name: ["Trees"], description: "All of them." }], paths: {} }));
  expect(diagnostics.map(({ what }) => what)).toEqual([
    '"name" must be a string, not a list, so pages do not show it.',
  ]);
});

test("properties of a list, which has none, are reported", () => {
  const List = { type: "array", items: { type: "string" }, properties: { empty: {} } };
  const { diagnostics } = readJson(openapi({ paths: {}, components: { schemas: { List } } }));
  expect(diagnostics.map(({ what }) => what)).toEqual(['A list has no "properties", so pages do not show them.']);
});

test("types named like members of every object are reported as unknown", () => {
  const components = { securitySchemes: { a: { type: "constructor" } }, schemas: { b: { type: "toString" } } };
  expect(told({ components })).toEqual([
    expect.stringMatching(/^A security scheme has the type "constructor", which OpenAPI does not define\./),
    'A schema has the type "toString", which OpenAPI does not define. write "string".',
  ]);
});

test("components to which nothing refers are named in one hint, but not schemas", () => {
  const text = JSON.stringify(
    openapi({
      paths: {
        "/pets": {
          get: {
            parameters: [{ $ref: "#/components/parameters/Limit" }],
            responses: { 200: { $ref: "#/components/responses/Pets" } },
          },
        },
      },
      components: {
        schemas: { Colour: { type: "string", enum: ["red"] } },
        parameters: {
          Limit: { name: "limit", in: "query", schema: { type: "integer" } },
          Page: { name: "page", in: "query", schema: { type: "integer" } },
        },
        responses: { Pets: { description: "Done" }, Gone: { description: "Gone" } },
      },
    }),
  );
  const { diagnostics } = createSpecReader(memoryFiles({ "openapi.json": text })).read("openapi.json", []);
  expect(diagnostics).toEqual([
    expect.objectContaining({
      code: "SPEC_UNUSED",
      severity: "hint",
      what: 'Nothing refers to these components of openapi.json, so no page of an operation shows them: "Page", "Gone".',
      fix: "refer to them, or remove them.",
    }),
  ]);
});

test("null as the example of what is never null is reported once, with its number", () => {
  const parameter = (name: string, schema: JsonObject) => ({ name, in: "query", schema: { ...schema, example: null } });
  const parameters = [
    parameter("a", { type: "string" }),
    parameter("b", { type: "integer" }),
    parameter("c", { type: ["string", "null"] }),
    parameter("d", { type: "string", nullable: true }),
    parameter("e", {}),
  ];
  expect(told({ paths: { "/pets": { get: { parameters, responses: { 200: { description: "Done" } } } } } })).toEqual([
    'null stands where the schema has the type "string", so pages show no example. It occurs 2 times. write a value of this type, or remove it.',
  ]);
});

test("markup of other tools in descriptions is reported once for each kind, and Redocly's callouts are not", () => {
  const of = (description: string) => ({ get: { description, responses: { 200: { description: "Done" } } } });
  const paths = {
    "/a": of("Text.\n\n:::warning\nHot\n:::"),
    "/b": of(":::note\nCold\n:::"),
    "/c": of('!!! tip "Wet"\n    Rain'),
    "/d": of("[block:callout]"),
    "/e": of('{% tabs %}\n{% tab label="A" %}'),
    "/f": of('{% admonition type="info" %}\nDry\n{% /admonition %}'),
    "/g": of("Run `:::note`, or a:::b. Wow!!! so"),
    "/h": of('See [the book]({{< relref "book" >}}), {{ book }} or {{< relref "shelf" >}}.'),
  };
  const { diagnostics } = readJson(openapi({ paths }));
  expect(diagnostics.map(({ code, what, location }) => [code, what, location?.line])).toEqual([
    [
      "FOREIGN_MARKUP",
      'A description has ":::warning", which other tools read; pages show it as text. It occurs 2 times.',
      10,
    ],
    ["FOREIGN_MARKUP", 'A description has "!!! tip", which other tools read; pages show it as text.', 30],
    ["FOREIGN_MARKUP", 'A description has "[block:callout]", which other tools read; pages show it as text.', 40],
    ["FOREIGN_MARKUP", 'A description has "{% tabs", which other tools read; pages show it as text.', 50],
    ["FOREIGN_MARKUP", 'A description has "{{< relref", which other tools read; pages show it as text.', 80],
  ]);
});
