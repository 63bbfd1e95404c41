/** Rules of the schema of SARIF 2.1.0, and what code scanning shows of a rule. */
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { codes } from "../../../src/cli/codes.js";
import { printDiagnostics } from "../../../src/cli/print/diagnostics.js";
import { sarifLog } from "../../../src/cli/print/sarif.js";

const text = { type: "object", required: ["text"], properties: { text: { type: "string", minLength: 1 } } };
const count = { type: "integer", minimum: 1 };
const level = { enum: ["none", "note", "warning", "error"] };
const rule = {
  type: "object",
  required: ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
  additionalProperties: false,
  properties: {
    id: { type: "string" },
    shortDescription: text,
    fullDescription: text,
    help: { ...text, required: ["text", "markdown"] },
    defaultConfiguration: { type: "object", required: ["level"], properties: { level } },
  },
};
const region = {
  type: "object",
  required: ["startLine"],
  properties: { startLine: count, startColumn: count, endColumn: count },
};
const result = {
  type: "object",
  required: ["ruleId", "ruleIndex", "level", "message"],
  additionalProperties: false,
  properties: {
    ruleId: { type: "string" },
    ruleIndex: { type: "integer", minimum: 0 },
    level,
    message: text,
    relatedLocations: { type: "array", items: { type: "object", required: ["physicalLocation", "message"] } },
    locations: {
      type: "array",
      items: {
        type: "object",
        required: ["physicalLocation"],
        properties: {
          physicalLocation: {
            type: "object",
            required: ["artifactLocation"],
            properties: {
              // A relative reference: no colon before the first slash, no blank.
              artifactLocation: {
                type: "object",
                required: ["uri"],
                properties: { uri: { type: "string", pattern: "^[^:\\\\ ]+$" } },
              },
              region,
            },
          },
        },
      },
    },
  },
};
const run = {
  type: "object",
  required: ["tool", "results", "columnKind"],
  properties: {
    tool: {
      type: "object",
      required: ["driver"],
      properties: {
        driver: {
          type: "object",
          required: ["name", "version", "rules"],
          properties: { name: { type: "string" }, rules: { type: "array", uniqueItems: true, items: rule } },
        },
      },
    },
    columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
    results: { type: "array", items: result },
  },
};
const log = {
  type: "object",
  required: ["version", "runs"],
  properties: { version: { const: "2.1.0" }, runs: { type: "array", items: run } },
};

test("every code is a rule with its help, and each result names its rule", () => {
  const locations = [
    undefined,
    { sourcePath: "sales: may.csv" },
    { sourcePath: "a b.mdx", line: 3 },
    { sourcePath: "a.mdx", line: 3, column: 5, length: 2 },
  ];
  const diagnostics = codes.map(({ code, kind }, i) => ({
    code,
    severity: kind.startsWith("error") ? ("error" as const) : ("warning" as const),
    what: "It is wrong.",
    fix: "put it right.",
    ...(locations[i % 4] && { location: locations[i % 4]! }),
  }));
  const made = JSON.parse(JSON.stringify(sarifLog(diagnostics, ".")));
  const validate = new Ajv({ allErrors: true }).compile(log);
  expect(validate(made) ? [] : validate.errors).toEqual([]);
  const [{ tool, results }] = made.runs;
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
});

const crossed = {
  code: "MDX_SYNTAX",
  severity: "error" as const,
  what: "The tag <Card> is closed by </Crad>.",
  location: { sourcePath: "a.mdx", line: 4, column: 1, length: 7 },
  related: { location: { sourcePath: "a.mdx", line: 2, column: 3, length: 6 }, what: "<Card> opens here" },
  fix: "write </Card>.",
};

test("the place that explains a fault is a related location", () => {
  const made = JSON.parse(JSON.stringify(sarifLog([crossed], "docs")));
  expect(made.runs[0].results[0].relatedLocations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: "docs/a.mdx" },
        region: { startLine: 2, startColumn: 3, endColumn: 9 },
      },
      message: { text: "<Card> opens here" },
    },
  ]);
});

test("annotations of GitHub, which have one place, name the other one in their text", () => {
  let written = "";
  const stdout = { write: (text: string) => (written += text) };
  const options = { site: "docs", display: "live", format: "github", all: true, verbose: false } as const;
  printDiagnostics({ ok: true, diagnostics: [crossed] }, options, { stdout } as never);
  expect(written).toContain("%0Aa.mdx:2:3: <Card> opens here%0Afix: ");
});
