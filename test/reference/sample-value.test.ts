import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectedSpec } from "../../bench/connected-site.js";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import { sampleValue } from "../../src/reference/samples/sample-value.js";
import { createReferences } from "../../src/reference/schema/references.js";
import { createSchemaReader } from "../../src/reference/schema/schema-reader.js";
import type { ApiSpec } from "../../src/site/api-spec.js";
import { findCorpora } from "../support/corpora.js";
import { faultsOf } from "./json-schema.js";
import { documentOf, readSpec, specOf } from "./spec-of.js";

const sampleOf = (schema: Json, spec: ApiSpec, direction: "request" | "response", properties: "all" | "required") =>
  sampleValue([schema], createSchemaReader(createReferences(spec)), { direction, properties });

/** Each schema in YAML; `Node`, `Pet`, `Cat` and `Dog` are components. */
const schemas = [
  [
    "types",
    "{type: object, properties: {a: {type: string}, b: {type: integer}, c: {type: number}, d: {type: boolean}, e: {type: 'null'}}}",
  ],
  ["required properties without a schema", "{type: object, required: [a, b], properties: {a: {type: string}}}"],
  [
    "required properties that only additionalProperties describes",
    "{type: object, required: [a], additionalProperties: {type: integer}}",
  ],
  ["bounds", "{type: integer, minimum: 500, maximum: 600}"],
  ["open bounds", "{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 2}"],
  ["open bounds of 3.0", "{type: integer, minimum: 0, exclusiveMinimum: true, maximum: 1}"],
  ["a narrow range", "{type: number, exclusiveMinimum: 0, exclusiveMaximum: 0.001}"],
  ["multiples within bounds", "{type: integer, multipleOf: 7, minimum: 100, maximum: 110}"],
  ["multiples of a fraction", "{type: number, multipleOf: 0.05, maximum: 1}"],
  ["lengths", "{type: string, minLength: 40, maxLength: 41}"],
  ["a short text", "{type: string, maxLength: 2}"],
  ["a pattern", "{type: string, pattern: '^[A-Z]{3}-\\d{4}(?:-x)?$'}"],
  ["a pattern with choices and classes", "{type: string, pattern: '^(?:usd|eur)_[a-f\\d]{8}$'}"],
  ["a pattern and a length", "{type: string, pattern: '^[a-z]+$', minLength: 12}"],
  [
    "formats",
    "{type: object, properties: {a: {type: string, format: date-time}, b: {type: string, format: uuid}, c: {type: string, format: email}, d: {type: string, format: uri}, e: {type: string, format: ipv4}, f: {type: string, format: date}}}",
  ],
  ["enumerations", "{type: object, properties: {a: {enum: [x, y]}, b: {enum: [1, 2]}, c: {enum: [null, z]}}}"],
  ["constants", "{type: object, properties: {a: {const: x}, b: {const: {c: 1}}}}"],
  ["numbers of items", "{type: array, minItems: 3, items: {type: string}}"],
  ["no items", "{type: array, maxItems: 0, items: {type: string}}"],
  [
    "items that differ",
    "{type: array, minItems: 3, uniqueItems: true, items: {type: integer, minimum: 1, maximum: 3}}",
  ],
  ["options that differ", "{type: array, minItems: 2, uniqueItems: true, items: {enum: [a, b]}}"],
  ["items in a row", "{type: array, prefixItems: [{type: number}, {enum: [x]}], items: {type: boolean}, minItems: 4}"],
  ["lists of lists", "{type: array, items: {type: array, minItems: 2, items: {type: number}}}"],
  ["numbers of properties", "{type: object, minProperties: 2, additionalProperties: {type: integer}}"],
  ["other properties", "{type: object, additionalProperties: {type: array, items: {type: string}}}"],
  ["only named properties", "{type: object, additionalProperties: false, properties: {a: {type: string}}}"],
  [
    "allOf",
    "{allOf: [{type: object, required: [a], properties: {a: {type: string}}}, {properties: {a: {minLength: 20}, b: {type: integer}}}]}",
  ],
  ["oneOf", "{oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: string}]}"],
  [
    "anyOf beside properties",
    "{type: object, properties: {id: {type: integer}}, required: [id], anyOf: [{properties: {a: {type: string}}, required: [a]}, {properties: {b: {type: string}}, required: [b]}]}",
  ],
  ["a discriminator", "{$ref: '#/components/schemas/Pet'}"],
  ["a list of them", "{type: array, minItems: 2, items: {$ref: '#/components/schemas/Pet'}}"],
  ["recursion", "{$ref: '#/components/schemas/Node'}"],
  [
    "recursion that must go on once",
    "{type: object, required: [node], properties: {node: {$ref: '#/components/schemas/Node'}}}",
  ],
  [
    "nullable of 3.0",
    "{type: object, properties: {a: {type: string, nullable: true}, b: {nullable: true, allOf: [{$ref: '#/components/schemas/Node'}]}}}",
  ],
  [
    "one direction only",
    "{type: object, required: [id, password], properties: {id: {type: string, readOnly: true}, password: {type: string, writeOnly: true}}}",
  ],
  [
    "a condition that its value meets",
    "{type: object, properties: {land: {enum: [US, DE]}}, if: {properties: {land: {const: US}}}, then: {properties: {zip: {type: string, pattern: '^\\d{5}$'}}, required: [zip]}, else: {required: [plz]}}",
  ],
  [
    "a condition that its value does not meet",
    "{type: object, required: [land], properties: {land: {const: DE}, plz: {type: integer}}, if: {properties: {land: {const: US}}}, then: {required: [zip]}, else: {required: [plz]}}",
  ],
  [
    "several conditions, one in another",
    "{type: object, required: [a], properties: {a: {enum: [1, 2]}}, allOf: [{if: {properties: {a: {const: 1}}}, then: {required: [b], properties: {b: {type: string}}, if: {required: [b]}, then: {required: [c]}}}, {if: {properties: {a: {const: 2}}}, then: {required: [d]}}]}",
  ],
  [
    "a condition on the value of a property",
    "{type: object, properties: {a: {type: string}, n: {type: integer}}, required: [a, n], if: {properties: {a: {type: string}}}, then: {properties: {n: {const: 7}}}}",
  ],
  [
    "properties that need others",
    "{type: object, properties: {a: {type: string}}, dependentRequired: {a: [b]}, dependentSchemas: {b: {required: [c], properties: {c: {type: integer}}}}}",
  ],
  ["the older way to say so", "{type: object, required: [a], dependencies: {a: [b]}}"],
  [
    "properties that exclude each other",
    "{type: object, properties: {a: {type: string}, b: {type: string}}, not: {required: [a, b]}}",
  ],
  [
    "names of a pattern",
    "{type: object, additionalProperties: {type: integer}, propertyNames: {pattern: '^x-[a-z]+$'}}",
  ],
  [
    "names in a list",
    "{type: object, minProperties: 2, additionalProperties: {type: integer}, propertyNames: {enum: [a, b]}}",
  ],
  [
    "properties by pattern",
    "{type: object, patternProperties: {'^s_': {type: string}, '^n_': {type: integer}}, additionalProperties: false}",
  ],
  ["items that must be there", "{type: array, items: {type: string}, contains: {const: admin}, minContains: 2}"],
  [
    "an example of a part that lacks what another part requires",
    "{allOf: [{type: object, properties: {a: {type: string}}, example: {a: given}}], required: [b], properties: {b: {type: integer}, c: {type: string}}}",
  ],
  [
    "an empty text as the example of an object",
    "{type: object, required: [a], properties: {a: {type: integer, example: ''}}, example: ''}",
  ],
  [
    "null as the example of what is never null",
    "{type: object, required: [a, b], properties: {a: {type: integer, example: null}, b: {type: [string, 'null'], example: null}}, example: null}",
  ],
  ["an example that fits", "{type: object, properties: {a: {type: string, example: given}}}"],
  [
    "names that mean something to JavaScript",
    "{type: object, required: [__proto__, constructor], properties: {__proto__: {type: object, required: [a], properties: {a: {type: string}}}, constructor: {type: integer}}}",
  ],
] as const;

const components = documentOf(`
components:
  schemas:
    Node: {type: object, required: [name], properties: {name: {type: string}, parent: {$ref: '#/components/schemas/Node'}, children: {type: array, items: {$ref: '#/components/schemas/Node'}}}}
    Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}
    Cat: {type: object, required: [kind, lives], properties: {kind: {const: cat}, lives: {type: integer, maximum: 9}}}
    Loop: {type: object, properties: {a: {type: string}}, if: {required: [a]}, then: {$ref: '#/components/schemas/Loop'}, allOf: [{if: {required: [a]}, then: {$ref: '#/components/schemas/Loop'}}]}
    Dog: {type: object, required: [kind], properties: {kind: {enum: [dog]}, name: {type: string}}}
`);

describe("a sample is valid", () => {
  const spec = specOf({ openapi: "3.1.0", ...components });
  for (const [about, yaml] of schemas) {
    const schema = documentOf(yaml);
    for (const direction of ["request", "response"] as const)
      for (const properties of ["all", "required"] as const)
        test(`${about}: ${direction}, ${properties}`, () => {
          const value = sampleOf(schema, spec, direction, properties);
          expect(value).toBeDefined();
          expect(faultsOf(value!, schema, spec, direction)).toEqual([]);
        });
  }
});

test("a default that is a text is sampled as a value of the schema's type", () => {
  const spec = specOf({ openapi: "3.1.0" });
  const sample = (schema: Json): Json | undefined => sampleOf(schema, spec, "request", "all");
  expect(sample({ type: "number", default: "0.2" })).toBe(0.2);
  expect(sample({ type: "boolean", default: "true" })).toBe(true);
  expect(sample({ type: "integer", default: "" })).toBe(123);
});

test("the sample of a date is the usual one if a pattern permits a text of its shape", () => {
  const day = "\\d{4,}-(0[1-9]|1[012])-([012]\\d|3[01])";
  const sample = (format: string, pattern: string): Json | undefined => {
    return sampleOf({ type: "string", format, pattern }, specOf({ openapi: "3.1.0" }), "request", "all");
  };
  expect(sample("date", `^${day}$`)).toBe("2024-01-15");
  expect(sample("date-time", `^${day}T\\d\\d:\\d\\d:\\d\\d([.]\\d{1,12})?(Z|[+-]\\d\\d:\\d\\d)$`)).toBe(
    "2024-01-15T09:30:00Z",
  );
  expect(sample("date", "^\\d\\d/\\d\\d$")).toBe("11/11");
});

test("the same schema gives the same sample", () => {
  const spec = specOf({ openapi: "3.1.0", ...components });
  const made = () => schemas.map(([, yaml]) => sampleOf(documentOf(yaml), spec, "response", "all"));
  expect(made()).toEqual(made());
});

test("samples of rules that contain themselves end", () => {
  const spec = specOf({ openapi: "3.1.0", ...components });
  expect(sampleOf({ $ref: "#/components/schemas/Loop" }, spec, "request", "all")).toEqual({ a: "string" });
});

test("a sample of a huge structure is small", () => {
  const wide: JsonObject = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`p${i}`, { type: "object", properties: { a: { type: "string" } } }]),
    ),
  };
  const spec = specOf({ openapi: "3.1.0" });
  expect(JSON.stringify(sampleOf(wide, spec, "response", "all")).length).toBeLessThan(20_000);
});

/** A specification without its examples, so that all values are generated. */
function withoutExamples(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withoutExamples(each));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => {
    if (key === "examples" || key === "example") return false;
    return key !== "default" || typeof each === "object";
  });
  return Object.fromEntries(
    entries.map(([key, each]) => [key, key === "properties" ? inside(each as Json) : withoutExamples(each as Json)]),
  );
}
const inside = (properties: Json): Json =>
  typeof properties === "object" && properties !== null && !Array.isArray(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withoutExamples(each as Json)]))
    : properties;

test("a sample of deep structures shows the first levels whole and omits deeper ones", () => {
  const spec = specOf(connectedSpec(1, 120));
  const model = { $ref: "#/components/schemas/Model0" };
  const value = sampleOf(model, spec, "response", "all") as { readonly [name: string]: JsonObject };
  const names = Array.from({ length: 14 }, (_, k) => `m0_${k}`);
  expect(Object.keys(value)).toEqual(names);
  expect(Object.keys(value["m0_0"]!)).toHaveLength(14);
  expect(JSON.stringify(value, null, 1).split("\n").length).toBeLessThan(150);
});

test("a number that a pattern describes has no sign and no leading zeros", () => {
  const pattern = "^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$";
  expect(sampleOf({ type: "string", pattern }, specOf({}), "request", "all")).toBe("111");
  expect(sampleOf({ type: "string", pattern: "^\\+?[1-9]\\d{1,14}$" }, specOf({}), "request", "all")).toMatch(/^\+1/);
});

const specFiles = findCorpora().flatMap(({ name, folder }) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:json|ya?ml)$/i.test(path) && isSpecification(readFileSync(join(folder, path), "utf8")))
    .sort()
    .map((path) => ({ path: `${name}/${path}`, file: join(folder, path) })),
);

function isSpecification(text: string): boolean {
  return /^\W*(?:openapi|asyncapi)\W+3\./.test(text.slice(0, 200));
}

describe("samples of whole specifications are valid", () => {
  for (const { path, file } of specFiles)
    test(path, () => {
      const spec = specOf(withoutExamples(readSpec(file, path).document) as JsonObject, path);
      const all = (spec.document["components"] as JsonObject | undefined)?.["schemas"] as JsonObject | undefined;
      const faults = Object.entries(all ?? {}).flatMap(([name, schema]) => {
        const value = sampleOf(schema, spec, "response", "all");
        const found = value === undefined ? [] : faultsOf(value, schema, spec, "response");
        // Merged schemas that each forbid additional properties have no valid value.
        return found.filter((fault) => !fault.endsWith("nothing is valid")).map((fault) => `${name}${fault}`);
      });
      expect(faults).toEqual([]);
    });
});

test("a text that contains JSON has a sample of its content", () => {
  const content = "contentSchema: {type: object, properties: {user: {type: string}, age: {type: integer}}}";
  const sample = (type: string) =>
    sampleOf(documentOf(`{type: string, contentMediaType: ${type}, ${content}}`), specOf({}), "response", "all");
  expect(sample("application/json")).toBe('{"user":"string","age":123}');
  expect(sample("text/csv")).toBe("string");
});
