/** The data of a playground: small for any specification, with references where a schema is recursive. */
import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { describe, test } from "vitest";
import type { JsonObject } from "../../../src/lib/json/index.js";
import { messagesFor } from "../../../src/lib/language/index.js";
import { plainText } from "../../../src/reference/forms/form-schemas.js";
import { createPlayground, displayOf } from "../../../src/reference/forms/playground.js";
import type { FormSchema, PlaygroundForm } from "../../../src/reference/forms/playground-form.js";
import type { ApiSpec } from "../../../src/site/api-spec.js";
import { type ContentOptions, operationMarkdown, referenceOf, specOf, withOperation } from "../../reference/spec-of.js";

const file = { outputPath: "part.js", text: "" };
const parts = { signIn: [], graph: file, socket: file, workflow: file, jsonPath: file, xml: file };
const assets = { script: "p.js", stylesheet: "p.css", words: "en.js", ...parts };
const maxFileBytes = 160_000;

function filesOf(spec: ApiSpec, options: ContentOptions = {}, display: unknown = undefined) {
  const target = { kind: "operation", spec: "openapi.json", method: "post", path: "/things" } as const;
  return referenceOf(spec, options).content(target, { messages: messagesFor("en"), playground: { display, assets } })
    .files;
}

function formOf(spec: ApiSpec, options: ContentOptions = {}): PlaygroundForm {
  const [file] = filesOf(spec, options);
  assert.ok(file);
  assert.ok(file.text.length < maxFileBytes, `${file.text.length}`);
  const given: string[] = [];
  runInNewContext(file.text, { offprintPlayground: (...each: string[]) => given.push(...each) });
  assert.equal(given[0], "form");
  return JSON.parse(given[1]!) as PlaygroundForm;
}

const servers = "servers: [{ url: https://api.example.com/ }]";
const withBody = (schema: string, more = ""): ApiSpec =>
  withOperation(
    `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }\nresponses: {}`,
    `${servers}\n${more}`,
  );
const bodySchema = (form: PlaygroundForm): FormSchema => form.schemas[form.body!.media[0]!.schema]!;

describe("the form of an operation", () => {
  test("refers back where a schema is recursive", () => {
    const form = formOf(
      withBody(
        '{ $ref: "#/components/schemas/Node" }',
        'components: { schemas: { Node: { type: object, properties: { id: { type: string }, next: { $ref: "#/components/schemas/Node" } } } } }',
      ),
    );
    const [, next] = bodySchema(form).properties!;
    assert.equal(next![1], form.body!.media[0]!.schema);
    assert.equal(form.schemas.length, 3);
  });

  test("shows the parts that a request may have, and which of them are required", () => {
    const form = formOf(
      withBody(
        "{ type: object, required: [a], properties: { a: { type: [string, 'null'] }, b: { type: string, readOnly: true }, c: { type: string, writeOnly: true } }, additionalProperties: false }",
      ),
    );
    const { properties, additional } = bodySchema(form);
    assert.deepEqual(
      properties!.map(([name, , required]) => [name, required]),
      [
        ["a", 1],
        ["c", undefined],
      ],
    );
    assert.equal(additional, undefined);
    assert.equal(form.schemas[properties![0]![1]]!.nullable, true);
  });

  test("has properties that depend on a condition or on another property", () => {
    const form = formOf(
      withBody(
        "{ type: object, properties: { land: { type: string } }, if: { properties: { land: { const: US } } }, then: { required: [zip], properties: { zip: { type: string } } }, else: { properties: { plz: { type: string } } }, dependentSchemas: { zip: { properties: { state: { type: string } } } } }",
      ),
    );
    assert.deepEqual(
      bodySchema(form).properties!.map(([name, , required]) => [name, required]),
      ["land", "zip", "plz", "state"].map((name) => [name, undefined]),
    );
  });

  test("offers the schemas that extend a base schema with a discriminator", () => {
    const form = formOf(
      withBody(
        '{ $ref: "#/components/schemas/Pet" }',
        `components: { schemas: {
          Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { hound: Dog } } },
          Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { meow: { type: boolean } } }] },
          Dog: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { bark: { type: boolean } } }] } } }`,
      ),
    );
    const [union] = bodySchema(form).unions!;
    assert.equal(union!.discriminator, "kind");
    assert.deepEqual(
      union!.options.map(({ title, value }) => [title, value]),
      [
        ["Dog", "hound"],
        ["Cat", "Cat"],
      ],
    );
  });

  test("keeps a property named `__proto__`, and null as a default", () => {
    const spec = withBody("{ type: object, properties: { x: { nullable: true, type: string, default: null } } }");
    const schema = ((spec.document["paths"] as JsonObject)["/things"] as JsonObject)["post"] as never as {
      requestBody: { content: { "application/json": { schema: { properties: object } } } };
    };
    Object.defineProperty(schema.requestBody.content["application/json"].schema.properties, "__proto__", {
      value: { type: "integer" },
      enumerable: true,
    });
    const form = formOf(spec);
    assert.deepEqual(
      bodySchema(form).properties!.map(([name]) => name),
      ["x", "__proto__"],
    );
    assert.equal(form.schemas[bodySchema(form).properties![0]![1]]!.default, null);
  });

  test("lists every way to authorize, with its credentials and where they are sent", () => {
    const form = formOf(
      withOperation(
        "security: [{ oauth: [read], key: [] }, {}]\nresponses: {}",
        `${servers}
components:
  securitySchemes:
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: "https://login.example.com/t", scopes: {} } }, x-default: abc }
    key: { type: apiKey, in: query, name: k }`,
      ),
    );
    const [[oauth, key], none] = form.ways as [PlaygroundForm["ways"][0], PlaygroundForm["ways"][0]];
    assert.deepEqual(
      [oauth!.kind, oauth!.prefix, oauth!.scopes, oauth!.addresses, oauth!.value],
      ["token", "Bearer", ["read"], ["https://login.example.com/t"], "abc"],
    );
    assert.deepEqual([key!.kind, key!.place, key!.name], ["key", "query", "k"]);
    assert.deepEqual(none, []);
  });

  const itself = "#/paths/~1things/post/requestBody/content/application~1json/schema";
  const hostile = {
    "thousands of properties": {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: "string", description: "x".repeat(500) }]),
      ),
    },
    "long lists of values": {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 200 }, (_, i) => [
          `p${i}`,
          { enum: Array.from({ length: 2_000 }, (__, k) => `${i} ${k} ${"y".repeat(200)}`) },
        ]),
      ),
    },
    "schemas in schemas": Array.from({ length: 3_000 }).reduce<JsonObject>(
      (inner) => ({ type: "object", properties: { deeper: inner, list: { type: "array", items: inner } } }),
      { type: "string" },
    ),
    "unions in unions": Array.from({ length: 40 }).reduce<JsonObject>(
      (inner) => ({ oneOf: [inner, { type: "object", properties: { x: inner } }, { type: "array", items: inner }] }),
      { type: "string" },
    ),
    "schemas that require themselves": {
      type: "object",
      required: ["a", "b"],
      properties: { a: { $ref: itself }, b: { $ref: itself } },
    },
    "a deep example": { type: "object", example: JSON.parse("[".repeat(2_000) + "]".repeat(2_000)) as never },
  };
  for (const [name, schema] of Object.entries(hostile))
    test(`stays small with ${name}`, () => {
      const form = formOf(
        specOf({
          openapi: "3.1.0",
          servers: [{ url: "https://api.example.com" }],
          paths: {
            "/things": {
              post: {
                requestBody: { content: { "application/json": { schema: schema as JsonObject } } },
                responses: {},
              },
            },
          },
        }),
      );
      const last = form.schemas.length;
      for (const each of form.schemas) {
        const indexes = [...(each.properties ?? []).map(([, index]) => index), each.items ?? 0, each.additional ?? 0];
        assert.ok(indexes.every((index) => index < last && form.schemas[index] !== null));
      }
    });

  const displays = [
    // display of the site, of the page, and whether there is a form
    ["interactive", undefined, true],
    ["interactive", "none", false],
    ["interactive", "nonsense", true],
    ["simple", undefined, false],
    ["simple", "interactive", true],
    ["auth", undefined, false],
    ["none", "auth", false],
  ] as const;
  for (const [display, ofPage, expected] of displays)
    test(`is ${expected ? "made" : "not made"} if the site has ${display} and the page ${ofPage}`, () => {
      const api = { playground: { display, proxy: true, credentials: false } };
      assert.equal(filesOf(withBody("{ type: object }"), { api }, ofPage).length, expected ? 1 : 0);
    });

  test("sends the browser's cookies only if the site turns them on, and uses no proxy", () => {
    const cookies = (proxy: boolean) =>
      formOf(withBody("{ type: object }"), {
        api: { playground: { display: "interactive", proxy, credentials: true } },
      }).cookies;
    assert.deepEqual([cookies(true), cookies(false)], [undefined, true]);
  });

  test("asks for the address of the server if the specification names none", () =>
    assert.deepEqual(formOf(withOperation("responses: {}")).servers, [{ url: "" }]));
});

test("an endpoint is listed on the pages that show it", () => {
  const api = { playground: { display: "interactive", proxy: true, credentials: false } } as const;
  const canCopyAddress = (display: unknown) => createPlayground(displayOf(display, api), undefined).canCopyAddress;
  assert.deepEqual(["interactive", "simple", "none", "auth"].map(canCopyAddress), [true, true, false, false]);
});

const texts = [
  ["takes the first paragraph", "One\ntwo.\n\nThree.", "One two."],
  [
    "removes Markdown syntax",
    "A **bold** [link](https://x.y) and *this*, _that_ <b>tag</b>",
    "A bold link and this, that tag",
  ],
  ["keeps the text of code", "The form `Bearer <token>` or `a*b*c`", "The form Bearer <token> or a*b*c"],
  ["keeps names with underscores", "Use snake_case_names and 2 * 3 * 4", "Use snake_case_names and 2 * 3 * 4"],
  ["returns undefined for blank text", " \n", undefined],
] as const;
for (const [rule, markdown, expected] of texts)
  test(`plainText ${rule}`, () => assert.equal(plainText(markdown), expected));

test("examples of parameters that are written as in a URL are encoded once, in the form and in samples", () => {
  const parameters = [
    "{in: query, name: coast, example: 'north%20west', schema: {type: string}}",
    "{in: query, name: own, schema: {type: string, example: 'a%2Fb:c'}}",
    "{in: query, name: next, example: 'https://b.example/?q=a%20b', schema: {type: string}}",
    "{in: query, name: share, example: '50%', schema: {type: string}}",
    "{in: query, name: broken, example: '%ff', schema: {type: string}}",
    "{in: query, name: raw, allowReserved: true, example: 'a%2Fb', schema: {type: string}}",
    "{in: header, name: X-Text, example: 'a%20b', schema: {type: string}}",
    "{in: query, name: nothing, example: null, schema: {type: [string, 'null']}}",
  ];
  const spec = withOperation(`parameters: [${parameters.join(", ")}]\nresponses: {}`, servers);
  const texts = ["north west", "a/b:c", "https://b.example/?q=a%20b", "50%", "%ff", "a%2Fb", "a%20b", null];
  assert.deepEqual(
    formOf(spec).parameters.map(({ example }) => example),
    texts,
  );
  const query =
    "coast=north%20west&own=a%2Fb%3Ac&next=https%3A%2F%2Fb.example%2F%3Fq%3Da%2520b&share=50%25&broken=%25ff&raw=a";
  assert.ok(operationMarkdown(spec).includes(query), operationMarkdown(spec));
});
