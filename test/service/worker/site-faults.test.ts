import { describe, expect, test } from "vitest";
import type { ExportResult } from "../../../src/export/index.js";
import type { Diagnostic } from "../../../src/lib/diagnostic/index.js";
import { siteFaults } from "../../../src/service/worker/findings.js";

const fault = (code: string, what = "It is wrong.", severity: Diagnostic["severity"] = "error"): Diagnostic => ({
  code,
  severity,
  what,
  location: { sourcePath: "docs.json", line: 3, column: 5 },
  fix: "put it right.",
});
const result = (ok: boolean, ...diagnostics: Diagnostic[]): ExportResult => ({
  ok,
  siteName: "Acme",
  pageCount: ok ? 1 : 0,
  diagnostics,
  external: [],
  inputs: [],
  inputFolders: [],
  timings: {},
  pageMs: [],
  pagesMade: 0,
  threads: 0,
});

describe("the faults of a site that end a job", () => {
  const published = [
    // a site with …                     is still published
    ["no fault", result(true)],
    ["a broken page", result(true, fault("PAGE_FAILED"))],
    ["warnings", result(true, fault("ANY", "Hm.", "warning"))],
  ] as const;
  for (const [what, of] of published)
    test(`are none in a site with ${what}`, () => expect(siteFaults(of)).toBeUndefined());

  test("are requested pages that do not exist", () =>
    expect(siteFaults(result(true, fault("PAGE_FAILED"), fault("PATH_UNKNOWN")))).toBe(
      "The site could not be exported.\nerror PATH_UNKNOWN docs.json:3:5\n  It is wrong.\n  fix: put it right.",
    ));
  test("are all errors of a failed export, without warnings", () => {
    const text = siteFaults(result(false, fault("A"), fault("B"), fault("C", "Hm.", "warning")))!;
    expect(text).toContain("error A");
    expect(text).toContain("error B");
    expect(text).not.toContain("Hm.");
  });
  test("are limited in number, with a count of the rest", () => {
    const many = Array.from({ length: 30 }, (_, i) => fault(`CODE_${i}`));
    const text = siteFaults(result(false, ...many))!;
    expect(text).toContain("CODE_9");
    expect(text).not.toContain("CODE_10");
    expect(text).toMatch(/… and 20 more: "offprint check --all" prints each\.$/);
  });
  test("are limited in length", () =>
    expect(siteFaults(result(false, ...Array(10).fill(fault("LONG", "x".repeat(1500)))))!.length).toBeLessThan(4200));
});
