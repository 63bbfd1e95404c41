import { type ParseError, parseTree } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { positionFinder } from "../../../src/lib/diagnostic/index.js";
import { explainJson } from "../../../src/lib/json/index.js";
import { withinCpu } from "../../support/machine-time.js";

function explained(text: string) {
  const errors: ParseError[] = [];
  parseTree(text, errors);
  const file = { sourcePath: "a.json", text, positionOf: positionFinder(text) };
  const { location, related, what, fix, edits } = explainJson(file, errors[0]!);
  const place = related?.location;
  const applied = edits?.reduceRight(
    (changed, { start, end, replacement }) => changed.slice(0, start) + replacement + changed.slice(end),
    text,
  );
  return {
    at: `${location.line}:${location.column}`,
    second: place && `${place.line}:${place.column}`,
    what,
    fix,
    applied,
  };
}

const missingInside = `{
  "paths": {
    "/users": {
      "get": {
        "operationId": "a"
      },
    "/orders": {
      "get": {}
    }
  }
}
`;

describe("reports the cause of text that is not JSON, not the place where a parser stops:", () => {
  // title, text, location, second place
  const cases = [
    ["an object in the middle that is not closed", missingInside, "3:15", "7:5"],
    ["a list that is not closed before the next name", '{\n  "tags": [\n    "a"\n  ,\n  "x": 1\n}\n', "2:11", "4:3"],
    ["a list that an object's bracket closes", '{\n  "tags": [\n    "a"\n  },\n  "x": 1\n}\n', "4:3", "2:11"],
    ["a list in one line that is not closed", '{"a": [1, {"b": 3}, "c": 4}', "1:27", "1:7"],
    ["the innermost object, if the file ends within several", '{\n  "paths": {\n    "/a": {}\n', "2:12", undefined],
    ["a bracket that closes the whole file too early", '{\n  "a": 1\n  },\n  "b": 2\n}\n', "3:3", "1:1"],
    ["a bracket without an opening one", '{"a": 1}}', "1:9", undefined],
    ["a missing comma, with the end of the entry before", '{\n  "a": 1\n  "b": 2\n}\n', "3:3", "2:8"],
    ["an unclosed text, which makes brackets uncertain", '{\n  "a": "1,\n  "b": [}\n', "2:8", undefined],
  ] as const;
  for (const [title, text, at, second] of cases)
    test(title, () => expect(explained(text)).toMatchObject({ at, second }));

  test("says where the missing bracket belongs, and writes it there", () => {
    const { what, fix, applied } = explained(missingInside);
    expect(what).toBe('The "{" on line 3 has no closing "}".');
    expect(fix).toBe('write "}" before line 7.');
    expect(Object.keys(JSON.parse(applied!).paths)).toEqual(["/users", "/orders"]);
  });

  test("stays linear in the length of the text", async () => {
    await withinCpu(2_000, () => explained(`{\n"a": [\n${"{},\n".repeat(200_000)}`));
  });
});
