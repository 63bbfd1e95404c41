/** References by name (`$anchor`, `$id`, `$dynamicRef`) become pointers, so that all else knows only these. */
import { expect, test } from "vitest";
import { numberOf, stringify } from "../../../src/lib/json/index.js";
import { documentOf } from "../../reference/spec-of.js";
import { codesOf, openapi, readFiles } from "./read-text.js";

const schemasOf = (yaml: string) => {
  const text = JSON.stringify(openapi({ components: { schemas: documentOf(yaml) }, paths: {} }));
  const { spec, diagnostics, plan } = readFiles({ "openapi.json": text }, "openapi.json");
  return { schemas: spec!.resolve("#/components/schemas"), codes: codesOf(diagnostics), json: plan()!.json };
};

const rules: readonly (readonly [rule: string, schemas: string, after: string])[] = [
  [
    "an anchor",
    "{A: {$anchor: a}, B: {items: {$ref: '#a'}}}",
    "{A: {$anchor: a}, B: {items: {$ref: '#/components/schemas/A'}}}",
  ],
  [
    "an address",
    "{A: {$id: 'https://e.example/a.json'}, B: {$id: 'https://e.example/b.json', items: {$ref: a.json}, not: {$ref: 'https://e.example/a.json'}}}",
    "{A: {$id: 'https://e.example/a.json'}, B: {$id: 'https://e.example/b.json', items: {$ref: '#/components/schemas/A'}, not: {$ref: '#/components/schemas/A'}}}",
  ],
  [
    "a pointer in a schema with its own address, or in the document",
    "{A: {$id: /a, $defs: {X: {type: string}}, items: {$ref: '#/$defs/X'}, not: {$ref: '#/components/schemas/B'}}, B: {$ref: '/a#/$defs/X'}}",
    "{A: {$id: /a, $defs: {X: {type: string}}, items: {$ref: '#/components/schemas/A/$defs/X'}, not: {$ref: '#/components/schemas/B'}}, B: {$ref: '#/components/schemas/A/$defs/X'}}",
  ],
  [
    "an anchor of a schema with an address",
    "{A: {$id: /a, $defs: {X: {$anchor: x}}}, B: {$ref: '/a#x'}}",
    "{A: {$id: /a, $defs: {X: {$anchor: x}}}, B: {$ref: '#/components/schemas/A/$defs/X'}}",
  ],
  [
    "a dynamic reference without another schema of that name",
    "{Tree: {$dynamicAnchor: node, items: {$dynamicRef: '#node'}}}",
    "{Tree: {$dynamicAnchor: node, items: {$ref: '#/components/schemas/Tree'}}}",
  ],
  [
    "a name that the writer chose is none",
    "{A: {properties: {$id: {type: string}, $anchor: {type: string}}, example: {$id: /x, $ref: '#a'}}}",
    "{A: {properties: {$id: {type: string}, $anchor: {type: string}}, example: {$id: /x, $ref: '#a'}}}",
  ],
  [
    "a dynamic reference in a general list refers to the item of the special one",
    `
List: {$defs: {T: {$dynamicAnchor: T, not: {}}}, properties: {data: {items: {$dynamicRef: '#T'}}}}
Users: {$ref: '#/components/schemas/List', $defs: {T: {$dynamicAnchor: T, $ref: '#/components/schemas/User'}}}
User: {type: object}`,
    `
List: {$defs: {T: {$dynamicAnchor: T, not: {}}}, properties: {data: {items: {$ref: '#/components/schemas/List/$defs/T'}}}}
Users: {allOf: [{properties: {data: {items: {$ref: '#/components/schemas/Users/$defs/T'}}}}], $defs: {T: {$dynamicAnchor: T, $ref: '#/components/schemas/User'}}}
User: {type: object}`,
  ],
  [
    "so is one in a structure that an allOf extends, in itself",
    `
Tree: {$dynamicAnchor: node, properties: {children: {items: {$dynamicRef: '#node'}}}}
Strict: {$id: /strict, $dynamicAnchor: node, allOf: [{$ref: '#/components/schemas/Tree'}], unevaluatedProperties: false}`,
    `
Tree: {$dynamicAnchor: node, properties: {children: {items: {$ref: '#/components/schemas/Tree'}}}}
Strict: {$id: /strict, $dynamicAnchor: node, allOf: [{allOf: [{properties: {children: {items: {$ref: '#/components/schemas/Strict'}}}}]}], unevaluatedProperties: false}`,
  ],
];
for (const [rule, before, after] of rules)
  test(rule, () => {
    const { schemas, codes, json } = schemasOf(before);
    expect(codes).toEqual([]);
    expect(schemas).toEqual(documentOf(after));
    expect(JSON.parse(json!)).toMatchObject({ components: { schemas: documentOf(after) } });
  });

test("a name that no schema has is reported", () => {
  const { codes } = schemasOf("{A: {$anchor: a}, B: {items: {$ref: '#b'}}, C: {$dynamicRef: '#c'}}");
  expect(codes.map((code) => code.split(" ")[0])).toEqual(["SPEC_REF_BROKEN", "SPEC_REF_BROKEN"]);
});

test("copies of schemas that refer to each other many times stay few", () => {
  const names = Array.from({ length: 30 }, (_, i) => `S${i}`);
  const all = names.map(
    (name) =>
      `${name}: {properties: {t: {$dynamicRef: '#T'}, ${names.map((each) => `${each}: {$ref: '#/components/schemas/${each}'}`).join(", ")}}}`,
  );
  const { json } = schemasOf(`
${all.join("\n")}
Own: {$ref: '#/components/schemas/S0', $defs: {T: {$dynamicAnchor: T, type: string}}}`);
  expect(json!.length).toBeLessThan(20_000_000);
});

test("a document with dynamic references keeps numbers of many digits", () => {
  const schema = { $dynamicAnchor: "node", maximum: numberOf("9007199254740993") };
  const document = openapi({ components: { schemas: { Tree: schema } }, paths: {} });
  const { spec } = readFiles({ "openapi.json": stringify(document) }, "openapi.json");
  expect(stringify(spec!.resolve("#/components/schemas/Tree/maximum")!)).toBe("9007199254740993");
});
