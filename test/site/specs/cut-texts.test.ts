import { expect, test } from "vitest";
import { cutTexts } from "../../../src/site/specs/spec-reader.js";
import { codesOf, openapi, readJson } from "./read-text.js";

const locationOf = (pointer: string) => ({ sourcePath: pointer });

test("a document without long texts stays the same value", () => {
  const document = { a: [{ summary: "A", description: "a".repeat(500_000), example: "a".repeat(500_000) }] };
  expect(cutTexts(document, locationOf)).toEqual({ document, diagnostics: [] });
  expect(cutTexts(document, locationOf).document).toBe(document);
});

const cases = [
  // A text of …          key            longest
  ["a summary", "summary", 2_000],
  ["a title", "title", 2_000],
  ["an example", "example", 500_000],
] as const;
for (const [about, key, longest] of cases)
  test(`${about} keeps its first ${longest} characters`, () => {
    const { document, diagnostics } = cutTexts({ a: [{ [key]: "a".repeat(longest + 1) }] }, locationOf);
    expect(document).toEqual({ a: [{ [key]: `${"a".repeat(longest)}…` }] });
    expect(diagnostics).toMatchObject([{ code: "SPEC_TEXT_TOO_LONG", location: { sourcePath: `#/a/0/${key}` } }]);
  });

test("a member with a name that is too long is left out", () => {
  const { document, diagnostics } = cutTexts({ a: { ["n".repeat(10_001)]: 1, b: 2 } }, locationOf);
  expect(document).toEqual({ a: { b: 2 } });
  expect(diagnostics.map(({ location }) => location)).toEqual([{ sourcePath: "#/a" }]);
});

test("a description is as long as its file allows", () => {
  const document = { a: { description: "a".repeat(900_000) } };
  expect(cutTexts(document, locationOf)).toEqual({ document, diagnostics: [] });
});

test("a title in an example is as long as any value", () => {
  const document = { title: "Tree", example: [{ title: "a".repeat(3_000) }] };
  expect(cutTexts(document, locationOf)).toEqual({ document, diagnostics: [] });
});

test("20 are reported with their places, the others are counted, and all are cut", () => {
  const titles = Array.from({ length: 30 }, () => ({ title: "a".repeat(3_000) }));
  const { document, diagnostics } = cutTexts(titles, locationOf);
  expect(diagnostics).toHaveLength(21);
  expect(diagnostics.at(-1)!.what).toContain("has 10 more texts and names that are cut.");
  expect(JSON.stringify(document).length).toBeLessThan(30 * 2_050);
});

test("the location is that of the text", () => {
  const { diagnostics } = readJson(openapi({ paths: { "/a": { get: { summary: "a".repeat(600_000) } } } }));
  expect(codesOf(diagnostics)).toEqual([expect.stringMatching(/^SPEC_TEXT_TOO_LONG openapi\.json:\d+:\d+$/)]);
});
