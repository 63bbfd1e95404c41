import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roomForThreads } from "../../../src/export/pages/render-pages.js";

test("each thread reads the specifications for itself, so a very large one is read by one thread", () => {
  const root = mkdtempSync(join(tmpdir(), "offprint-room-"));
  const room = (...specs: { source: string; json?: string; otherFiles?: string[] }[]): number => {
    const plans = specs.map((spec) => ({ key: spec.source, format: "openapi", ...spec }) as const);
    return roomForThreads({ root, sourcePaths: ["large.json", "part.json"], site: { specs: plans } });
  };
  try {
    writeFileSync(join(root, "large.json"), " ".repeat(20e6));
    writeFileSync(join(root, "part.json"), " ".repeat(4e6));
    expect(room()).toBe(Number.POSITIVE_INFINITY);
    expect(room({ source: "large.json" })).toBe(1);
    expect(room({ source: "part.json" })).toBe(8);
    // Parts count, and so does the converted text of a file instead of the file.
    expect(room({ source: "part.json", otherFiles: ["large.json"] })).toBe(1);
    expect(room({ source: "large.json", json: " ".repeat(1e6) })).toBe(33);
    expect(room({ source: "https://example.com/elsewhere.json" })).toBe(Number.POSITIVE_INFINITY);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
