import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/lib/diagnostic/index.js";
import { type Findings, findingsLines, findingsOf } from "../../../src/service/worker/findings.js";

const fault = (what: string): Diagnostic => ({ code: "A", severity: "error", what, fix: "b" });

describe("the findings of an export", () => {
  test("do not reveal the folder of the site", () => {
    const { diagnostics } = findingsOf([fault("in /srv/docs")], (text) => text.replaceAll("/srv/docs", "(folder)"));
    expect(diagnostics[0]!.what).toBe("in (folder)");
  });

  test("are limited in number and length, but counted completely", () => {
    const findings = findingsOf(Array(20_000).fill(fault("a".repeat(5000))), (text) => text);
    expect(findings.errors).toBe(20_000);
    expect(JSON.stringify(findings).length).toBeLessThan(9 * 1024 * 1024);
    expect(findings.diagnostics[0]!.what).toHaveLength(2000);
  });

  const invalid: readonly (readonly [rule: string, diagnostics: unknown, lines: readonly object[]])[] = [
    ["is no list", "x", []],
    ["has an entry of null", [null], [{ code: "", severity: "warning", what: "", fix: "" }]],
    [
      "has fields of other types",
      [{ code: 1, severity: "fatal", what: ["a"], fix: {}, location: "docs.json", extra: "x" }],
      [{ code: "", severity: "warning", what: "", location: { sourcePath: "" }, fix: "" }],
    ],
    [
      "has invalid numbers and text",
      [{ ...fault("\ud800\n"), location: { sourcePath: "a", line: -1, column: 1e99, length: 2 } }],
      [{ ...fault("\ufffd\n"), location: { sourcePath: "a", length: 2 } }],
    ],
    [
      "has a related place of another type",
      [{ ...fault("a"), related: { location: 5, what: 5 } }],
      [{ ...fault("a"), related: { location: { sourcePath: "" }, what: "" } }],
    ],
  ];
  for (const [rule, diagnostics, expected] of invalid)
    test(`are valid lines if what the process sent ${rule}`, () => {
      const text = findingsLines({ errors: 0, warnings: 0, diagnostics } as Findings).toString();
      const lines = text.split("\n").slice(0, -1);
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual(expected);
    });
});
