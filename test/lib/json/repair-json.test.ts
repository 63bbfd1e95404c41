import { expect, test } from "vitest";
import { repairJson } from "../../../src/lib/json/index.js";

const cases = [
  // repairJson …                          text                                      JSON
  ["removes a trailing comma", '{"a": [1, 2,],}', '{"a": [1, 2]}'],
  ["removes a comma too many", "[1,, 2]", "[1, 2]"],
  ["removes a comment with its line", '{\n  // why\n  "a": 1\n}', '{\n  "a": 1\n}'],
  ["removes a comment behind a value", '{\n  "a": 1, // why\n  "b": 2 /* so */\n}', '{\n  "a": 1,\n  "b": 2\n}'],
  ["keeps what only looks like a comment", '{"a": "http://b", /* c */ "d": "/*"}', '{"a": "http://b", "d": "/*"}'],
  ["turns single quotes into double ones", "{'a': 'it\\'s'}", '{"a": "it\'s"}'],
  ["turns curly quotes into straight ones", "{“a”: “b”}", '{"a": "b"}'],
  ["puts names in quotes", "{a: 1, b-c: 2}", '{"a": 1, "b-c": 2}'],
  [
    "adds a comma at the end of a line",
    '{\n  "a": 1\n  "b": [1]\n  "c": 2\n}',
    '{\n  "a": 1,\n  "b": [1],\n  "c": 2\n}',
  ],
  ["writes literals of Python as those of JSON", '{"a": True, "b": None}', '{"a": true, "b": null}'],
  ["changes nothing in JSON", '{"a": ["\'", "//", ","]}', '{"a": ["\'", "//", ","]}'],
  ["leaves an open bracket alone", '{"a": [1}', undefined],
  ["leaves two values in one line alone", '{"a": 1 "b": 2}', undefined],
  ["leaves a single quote around a double one alone", `{'a': 'say "b"'}`, undefined],
] as const;
for (const [rule, text, json] of cases)
  test(`repairJson ${rule}`, () => {
    const { edits } = repairJson("docs.json", text);
    const repaired = edits?.reduceRight(
      (all, { start, end, replacement }) => all.slice(0, start) + replacement + all.slice(end),
      text as string,
    );
    expect(repaired).toBe(json);
  });
