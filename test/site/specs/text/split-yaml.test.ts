import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseYamlText } from "../../../../src/site/specs/text/parse-yaml.js";
import { createLocations } from "../../../../src/site/specs/text/spec-locations.js";
import { splitYaml } from "../../../../src/site/specs/text/split-yaml.js";
import { withinCpu } from "../../../support/machine-time.js";

/** So many schemas in YAML, each of three kilobytes, with what makes cutting hard in them. */
const schemas = (count: number, indent = "    "): string =>
  Array.from(
    { length: count },
    (_, i) => `${indent}Schema${i}:
${indent}  type: object
${indent}  # A comment: with a colon
${indent}  description: |
${indent}    # A heading
${indent}    Text of many words: ${"word ".repeat(500)}

${indent}    More *text*, with & and <marks>.
# a comment at the start of a line
${indent}  title: "Some ${"long ".repeat(40)}
${indent}    title"
${indent}  required:
${indent}  - one
${indent}  - two
${indent}  properties:
${indent}    one: {type: string, enum: [a, "b: c"]}
${indent}    two: {$ref: '#/components/schemas/Schema${(i + 1) % count}'}
`,
  ).join("");

/** Makes a text that is long enough to be cut. */
const manySchemas = 350;
const head = "# Ours\n---\nopenapi: 3.1.0\ninfo: {title: T, version: '1'}\ntags:\n- name: one\n- name: two\n";
const long = `${head}paths:\n  /a/{id}:\n    get: {summary: A}\ncomponents:\n  schemas:\n${schemas(manySchemas)}  "parameters":\n    P: {name: p, in: query}\nx-last: 1\n`;

describe("a long YAML text", () => {
  test("is cut into parts that together are the whole text, in order", () => {
    const parts = splitYaml(long)!;
    expect(parts.length).toBeGreaterThan(3);
    for (const { start, end } of parts) expect(end - start).toBeLessThan(900_000);
    expect(parts.every(({ start }, i) => i === 0 || start >= parts[i - 1]!.end)).toBe(true);
    expect(parts.map(({ path }) => path.map(({ name }) => name).join(" "))).toContain("components schemas");
  });

  const cases: readonly (readonly [rule: string, text: string])[] = [
    ["of many schemas", long],
    ["with Windows line ends", long.replaceAll("\n", "\r\n")],
    ["indented by four", `openapi: 3.1.0\ncomponents:\n    schemas:\n${schemas(manySchemas, "        ")}`],
    ["with anchors in another part", `${long}x-a: &a {b: 1}\nx-b:\n${schemas(100, "  ")}  c: *a\n`],
    ["with merged keys", `${long}x-a: &a {b: 1}\nx-b:\n${schemas(100, "  ")}  d:\n    <<: *a\n    c: 2\n`],
    ["with a duplicate name", `${long}components: {schemas: {}}\n`],
    ["with quotes that go on at the start of a line", `${long}x-text: "one\n  two: 2\n  three: 3"\n`],
    ["of one long list", `a:\n${`- some ${"long ".repeat(20)}text\n`.repeat(10_000)}`],
    ["of one long text", `a: |\n${"  some: text\n".repeat(80_000)}`],
    ["of one long line", `a: ${"some ".repeat(210_000)}\n`],
  ];
  for (const [rule, text] of cases)
    test(`${rule} gives the same value as in one piece`, () => {
      const { value, diagnostics } = parseYamlText({ source: "a.yaml", text });
      expect(diagnostics.map(({ what }) => what)).toEqual(
        rule.includes("duplicate")
          ? ['"components" is defined twice in one mapping; the earlier value is ignored.']
          : [],
      );
      expect(JSON.stringify(value)).toBe(JSON.stringify(parse(text, { merge: true, uniqueKeys: false })));
    });

  test("with an error has the location of the error", () => {
    const { value, diagnostics } = parseYamlText({ source: "a.yaml", text: `${long}x-more: a: b\n` });
    expect(value).toBeUndefined();
    const line = long.split("\n").length;
    expect(diagnostics).toMatchObject([{ code: "SPEC_SYNTAX", location: { line } }]);
  });

  test("keeps the location of its values", () => {
    const locationOf = createLocations("a.yaml", () => long);
    const lines = long.split("\n");
    const lineOf = (pointer: string): string => lines[locationOf(pointer).line! - 1]!.trim();
    expect(lineOf("#/info/title")).toBe("info: {title: T, version: '1'}");
    expect(lineOf("#/components")).toBe("components:");
    expect(lineOf("#/components/schemas")).toBe("schemas:");
    expect(lineOf("#/components/schemas/Schema177")).toBe("Schema177:");
    expect(lineOf("#/components/schemas/Schema349/properties/one")).toBe('one: {type: string, enum: [a, "b: c"]}');
    expect(lineOf("#/components/schemas/None")).toBe("schemas:");
    expect(lineOf("#/components/parameters/P")).toBe("P: {name: p, in: query}");
    expect(lineOf("#/x-last")).toBe("x-last: 1");
    expect(locationOf("#/none")).toMatchObject({ line: 1, column: 1 });
  });

  for (const [rule, text] of [
    ["blank lines", `${"\n".repeat(5_000_000)}a: 1\n`],
    ["comments", `${"#\n".repeat(3_000_000)}a: 1\n`],
    ["blank lines below a name", `a:\n${"  \n".repeat(3_000_000)}  b: 1\n`],
    ["blanks", `a:\n${" ".repeat(5_000_000)}\n  b: 1\n`],
  ] as const)
    test(`of millions of ${rule} is scanned quickly`, async () => {
      await withinCpu(3000, () => {
        expect(() => splitYaml(text)).not.toThrow();
      });
    });

  test("of a few kilobytes stays in one piece", () => expect(splitYaml(`a: 1\nb:\n${schemas(10)}`)).toBeUndefined());
});

describe("YAML that must be read at once", () => {
  const head = "openapi: 3.1.0\nx:\n";
  test("is refused above 3 MB, with the place where its part begins", () => {
    const { value, diagnostics } = parseYamlText({ source: "a.yaml", text: head + "  - k: value\n".repeat(240_000) });
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "SPEC_TOO_LARGE", location: { sourcePath: "a.yaml", line: 1 } }]);
  });
  test("is refused if a part of a longer text has a fault, with the place of that part", () => {
    const names = Array.from({ length: 40_000 }, (_, i) => `  name${i}:\n    description: ${"a".repeat(60)}\n`).join(
      "",
    );
    const { value, diagnostics } = parseYamlText({ source: "a.yaml", text: `${head}${names}  b: [\n` });
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(["SPEC_TOO_LARGE"]);
    expect(diagnostics[0]!.location!.line).toBeGreaterThan(70_000);
  });
});
