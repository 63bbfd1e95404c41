import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/site/config/index.js";
import { sampleOf } from "../../quality/bundle.js";
import { withinCpu } from "../../support/machine-time.js";
import { siteOf } from "./site-of.js";

/** Far above the time that any of these takes, far below the time after a mistake in the bounds. */
const maxMs = 5_000;
const many = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join(",");

const cases: readonly (readonly [rule: string, docs: string, codes: readonly string[]])[] = [
  ["lists in lists", "[".repeat(100_000), ["CONFIG_TOO_DEEP"]],
  ["objects in objects", '{"a":'.repeat(100_000), ["CONFIG_TOO_DEEP"]],
  ["groups in groups", `{"navigation":{"groups":[${'{"group":"a","pages":['.repeat(50_000)}`, ["CONFIG_TOO_DEEP"]],
  ["50 MB", `{"name":"${"x".repeat(50_000_000)}"}`, ["CONFIG_TOO_LARGE"]],
  ["millions of values", `[${"[],".repeat(3_000_000)}1]`, ["CONFIG_TOO_LARGE"]],
  ["an escape cut short a million times", `{"a":"${"\\u12".repeat(1_000_000)}`, ["JSON_BROKEN"]],
  ["a path that climbs a million times", `{"api":{"openapi":"${"../".repeat(1_000_000)}"}}`, ["CONFIG_BAD_VALUE"]],
  [
    "a reference that climbs a million times",
    `{"api":{"$ref":"${"../".repeat(1_000_000)}x.json"}}`,
    ["CONFIG_REF_INVALID"],
  ],
  ["a name of ten million letters", `{"${"n".repeat(10_000_000)}":1}`, ["CONFIG_UNKNOWN_KEY"]],
  [
    "unknown settings by the hundred thousand",
    `{${many(100_000, (i) => `"k${i}":1`)}}`,
    ["CONFIG_MORE_FAULTS", "CONFIG_UNKNOWN_KEY"],
  ],
  [
    "the same name by the hundred thousand",
    `{${many(100_000, () => '"k":1')}}`,
    ["CONFIG_MORE_FAULTS", "JSON_NAME_TWICE"],
  ],
  [
    "missing references by the hundred thousand",
    `{"redirects":[${many(100_000, (i) => `{"$ref":"x${i}.json"}`)}]}`,
    ["CONFIG_MORE_FAULTS", "CONFIG_REF_NOT_FOUND"],
  ],
];

describe("the work is bounded for a configuration with", () => {
  for (const [rule, docs, codes] of sampleOf(cases, 6)) {
    test(rule, async () => {
      const { diagnostics } = await withinCpu(maxMs, () => loadConfig(siteOf({ "docs.json": docs })));
      const found = new Set(diagnostics.map(({ code }) => code));
      for (const code of codes) expect(found).toContain(code);
      expect(diagnostics.length).toBeLessThan(1000);
      for (const { what, fix } of diagnostics) expect((what + fix).length).toBeLessThan(2000);
    });
  }

  test("references that double at every step", async () => {
    const files: Record<string, unknown> = { "docs.json": { footer: { $ref: "f0.json" } } };
    for (let i = 0; i < 40; i++) files[`f${i}.json`] = { a: { $ref: `f${i + 1}.json` }, b: { $ref: `f${i + 1}.json` } };
    files["f40.json"] = {};
    const { config, diagnostics } = await withinCpu(maxMs, () => loadConfig(siteOf(files)));
    expect(config).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "CONFIG_TOO_LARGE", severity: "error" }]);
  });

  test("a chain of a thousand references", () => {
    const files: Record<string, unknown> = { "docs.json": { footer: { $ref: "f0.json" } } };
    for (let i = 0; i < 1000; i++) files[`f${i}.json`] = { $ref: `f${i + 1}.json` };
    files["f1000.json"] = {};
    expect(loadConfig(siteOf(files)).diagnostics).toMatchObject([{ code: "CONFIG_TOO_DEEP", severity: "error" }]);
  });
});
