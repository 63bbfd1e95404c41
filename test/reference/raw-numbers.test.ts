/** Numbers with more digits than JavaScript's numbers hold: from the specification to samples, page and playground. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { type JsonObject, numberOf, parseJson } from "../../src/lib/json/index.js";
import { messagesFor } from "../../src/lib/language/index.js";
import { sampleLanguages } from "../../src/reference/samples/languages/index.js";
import { parseSpecText } from "../../src/site/specs/text/parse-spec-text.js";
import { apiDefaults, markdownOf, operationTarget, referenceOf, specOf } from "./spec-of.js";

const digits = ["12345678901234567890", "-9007199254740993", "0.12345678901234567891"];
const value = `{"a": ${digits[0]}, "b": [${digits[1]}], "c": {"d": ${digits[2]}}, "e": 12.50, "f": 1e3}`;
const json = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://x.example"}],
  "paths": {"/x": {"post": {
    "parameters": [{"name": "p", "in": "query", "required": true, "example": ${digits[0]}}],
    "requestBody": {"content": {"application/json": {"example": ${value}, "schema": {"type": "object", "properties": {
      "a": {"type": "integer", "default": ${digits[0]}, "maximum": 9223372036854775807, "enum": [${digits[0]}]}}}}}},
    "responses": {"200": {"description": "x", "content": {"application/json": {"example": ${value}}}},
      "201": {"description": "x", "content": {"application/xml": {"schema": {"type": "object", "xml": {"name": "r"}, "properties": {
        "a": {"type": "integer", "example": ${digits[0]}}}}}}}}}}}}`;
/** The same with names that JSON would refuse. */
const yaml = `---\n${json.replace(/"(\w+)":/g, "$1:")}`;

describe.each([
  ["openapi.json", json],
  ["openapi.yaml", yaml],
])("numbers of many digits in %s", (source, text) => {
  const spec = specOf(parseSpecText({ source, text }).value as JsonObject, source);
  const languages = sampleLanguages.map(({ keys }) => keys[0]!);
  const api = { ...apiDefaults, examples: { ...apiDefaults.examples, languages } };
  const file = { outputPath: "part.js", text: "" };
  const parts = { signIn: [], graph: file, socket: file, workflow: file, jsonPath: file, xml: file };
  const assets = { script: "p.js", stylesheet: "p.css", words: "en.js", ...parts };
  const { tree, files } = referenceOf(spec, { api, excerpts: true }).content(operationTarget(spec), {
    messages: messagesFor("en"),
    playground: { display: undefined, assets },
  });

  test("numbers of many digits are in the samples of every language", () => {
    const samples = JSON.stringify(tree);
    const withAll = samples.match(/"lang":"\w+","meta":"title=[^}]*?"value":"(?:[^"\\]|\\.)*"/g) ?? [];
    const requests = withAll.filter((each) => each.includes("x.example"));
    assert.equal(requests.length, languages.length);
    for (const sample of requests) for (const each of digits) assert.ok(sample.includes(each), `${each} in ${sample}`);
  });

  test("numbers of many digits are on the page", () => {
    const markdown = markdownOf(tree);
    const response = markdown.slice(markdown.indexOf("Example response"));
    for (const each of digits) assert.ok(response.includes(each), response);
    assert.ok(markdown.includes(`<a>${digits[0]}</a>`), markdown);
    assert.match(markdown, /x <= 9223372036854775807/);
    assert.match(markdown, /default: `?12345678901234567890/);
    assert.ok(!/rawJSON|12345678901234567000|9007199254740992/.test(markdown), markdown);
  });

  test("numbers of many digits are in the form of the playground", () => {
    for (const each of digits) assert.ok(files[0]!.text.includes(each));
    assert.ok(!files[0]!.text.includes("rawJSON"));
  });
});

test("other numbers are JavaScript numbers", () => {
  for (const text of [
    "0",
    "-1.5",
    "12.50",
    "1e3",
    "9007199254740991",
    "0.1",
    "3.141592653589793",
    "10000000000000000000",
  ])
    assert.equal(numberOf(text), Number(text));
  assert.deepEqual(
    parseJson('["123456789012345678", 1, {"__proto__": 2}]'),
    JSON.parse('["123456789012345678", 1, {"__proto__": 2}]'),
  );
});
