import { describe, expect, test } from "vitest";
import { createLocations } from "../../../../src/site/specs/text/spec-locations.js";

const text = `{
  // A comment with a bracket: }
  "a": { "text": "\\"}] // no comment", "list": [{ "deep": [1, [2, 3]] }, "x"] },
  /* ] */ "b": {},
  "a": { "last": { "c": true } }
}
`;
const cases: readonly (readonly [pointer: string, line: number, column: number, length: number])[] = [
  ["#/b", 4, 11, 3],
  ["#/a/last", 5, 10, 6],
  ["#/a/last/c", 5, 25, 4],
  ["#/a/missing/deeper", 5, 3, 3],
];

test("parts of JSON are found behind comments, escapes and brackets in texts; of two members of one name the last counts", () => {
  const locationOf = createLocations("spec.json", () => text);
  for (const [pointer, line, column, length] of cases)
    expect([pointer, locationOf(pointer)]).toEqual([pointer, { sourcePath: "spec.json", line, column, length }]);
  const single = createLocations("spec.json", () => text.replace(/\n {2}"a": \{ "last.*/, "").replace("{},", "{}"));
  expect(single("#/a/list/0/deep/1/1")).toEqual({ sourcePath: "spec.json", line: 3, column: 67, length: 1 });
  expect(single("#/a/list/1")).toEqual({ sourcePath: "spec.json", line: 3, column: 74, length: 3 });
});

test("a part of a text that ends early is still found", () => {
  const locationOf = createLocations("spec.json", () => `{ "a": { "b": [1, { "c": "}`);
  expect(locationOf("#/a/b/1")).toMatchObject({ line: 1, column: 19 });
  expect(createLocations("spec.json", () => `{ "a": { /* `)("#/a")).toMatchObject({ line: 1, column: 3 });
});

describe("in YAML that is read in parts", () => {
  const schema = (name: string): string => `    ${name}:\n      description: ${"x".repeat(300)}\n      type: object\n`;
  const schemas = Array.from({ length: 300 }, (_, i) => schema(i === 250 ? '"R\\u00e9sum\\u00e9"' : `S${i}`)).join("");
  const text = `openapi: 3.1.0\ncomponents:\n  schemas:\n${schemas}`;
  const lineOf = (text: string, pointer: string) => createLocations("spec.yaml", () => text)(pointer).line;

  test("a value of the last part is found", () => expect(lineOf(text, "#/components/schemas/S299/type")).toBe(903));
  test("a name that is written with escapes is found", () =>
    expect(lineOf(text, "#/components/schemas/Résumé/type")).toBe(756));
  test("a value behind an alias is where its anchor is", () => {
    const aliased = text.replace("    S0:\n", "    S0: &first\n").concat("    Last: *first\n");
    expect(lineOf(aliased, "#/components/schemas/Last/type")).toBe(6);
  });
});
