import assert from "node:assert/strict";
import { test } from "vitest";
import { jsonLines, parseJson } from "../../../src/lib/json/index.js";

test("JSON has a line for each value down to the third level", () => {
  const value = parseJson(
    '{"a": 12345678901234567890, "b": {"c": {"d": {"e": [1, {"f": "g"}]}, "h": {}}}, "i": [], "j": [[1], null]}',
  );
  assert.equal(
    [...jsonLines({ ...(value as object), left: undefined })].join(""),
    [
      ...["{", '"a": 12345678901234567890,', '"b": {', '"c": {', '"d": {"e":[1,{"f":"g"}]},', '"h": {}', "}", "},"],
      ...['"i": [],', '"j": [', "[", "1", "],", "null", "]", "}"],
    ].join("\n"),
  );
});
