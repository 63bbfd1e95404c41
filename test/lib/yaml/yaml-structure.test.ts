import { describe, expect, test } from "vitest";
import { parseSpecText } from "../../../src/site/specs/text/parse-spec-text.js";
import { withinCpu } from "../../support/machine-time.js";

function explained(text: string) {
  const { diagnostics } = parseSpecText({ source: "a.yaml", text });
  const { location, related, what, fix } = diagnostics[0]!;
  const place = related?.location;
  return { at: `${location?.line}:${location?.column}`, second: place && `${place.line}:${place.column}`, what, fix };
}

const operation =
  '  /users:\n    get:\n      operationId: list\n      responses:\n        "200":\n          description: ok\n';

describe("reports the cause of text that is not YAML, not the place where a parser stops:", () => {
  // title, text, location, second place, part of the fix
  const cases = [
    ["a bracket before a block", `openapi: 3.1.0\npaths: [\n${operation}`, "2:8", "3:3", "remove the ["],
    ["a list in one line that is not closed", "a:\n  tags: [x, y\n  id: z\n", "2:9", "3:3", "write tags: [x, y]"],
    [
      "an object in a list that is not closed",
      'servers:\n  - {url: "a"\ninfo: 1\n',
      "2:5",
      "3:1",
      'write - {url: "a"}',
    ],
    ["a bracket that another kind closes", "a:\n  enum: [x, y}\n  b: 1\n", "2:14", "2:9", "write ] here"],
    ["a list over several lines that is not closed", "a: [\n  x,\n  y,\nb: 1\n", "1:4", "4:1", "write ] before line 4"],
    [
      "a key further in than the one above it",
      "info:\n  title: x\n   version: 1\n",
      "3:1",
      "2:3",
      "by 2 spaces instead of 3",
    ],
    ["a key between two levels", "a:\n  b:\n    c: 1\n   d: 2\n", "4:1", "3:5", "indent d: 2 by 4 spaces instead of 3"],
    [
      "an entry of a list between two levels",
      "tags:\n  - a\n - b\n",
      "3:1",
      "2:3",
      "indent - b by 2 spaces instead of 1",
    ],
    [
      "a key of an entry that is too far out",
      "tags:\n  - name: a\n    x: b\n   y: c\n",
      "4:1",
      "3:5",
      "by 4 spaces instead of 3",
    ],
    ["a key without a colon", "openapi: 3.1.0\ninfo\n  title: x\n", "2:1", undefined, "write info:"],
    [
      "a key and its value without a colon",
      "openapi 3.1.0\ninfo:\n  title: x\n",
      "1:1",
      undefined,
      "write openapi: 3.1.0",
    ],
    [
      "a quote that is not closed, although brackets follow",
      'info:\n  title: "x\n  tags: [a]\n',
      "2:10",
      undefined,
      'write title: "x"',
    ],
    ["a tab", "info:\n\ttitle: x\n", "2:1", undefined, "indent the line with 2 spaces"],
    ["brackets in a block of text are words", "a: |\n  [ {\nb: [x\nc: 1\n", "3:4", "4:1", "write b: [x]"],
  ] as const;
  for (const [title, text, at, second, fix] of cases)
    test(title, () => {
      const found = explained(text);
      expect(found).toMatchObject({ at, second });
      expect(found.fix).toContain(fix);
    });

  test("stays linear in the length of the text", async () => {
    await withinCpu(3_000, () => explained(`a: [\n${"  - b: c\n".repeat(5_000)}`));
  });
});
