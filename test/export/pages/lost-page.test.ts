import { expect, test } from "vitest";
import { lostPage } from "../../../src/export/pages/render-pages.js";

for (const [lost, code, fix] of [
  ["deadline", "PAGE_TOO_SLOW", "split the page"],
  ["memory", "PAGE_TOO_COMPLEX", "split the page"],
  ["crash", "PAGE_FAILED", "report it"],
] as const)
  test(`a page whose thread ends by ${lost} is reported as ${code}`, () => {
    const diagnostic = lostPage("a.mdx", { ok: false, lost, reason: "It ended." });
    expect(diagnostic).toMatchObject({ code, severity: "error", location: { sourcePath: "a.mdx" } });
    expect(diagnostic.fix).toContain(fix);
  });
