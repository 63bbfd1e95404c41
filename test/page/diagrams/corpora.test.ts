import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { createDiagramRenderer } from "../../../src/page/diagrams/diagram-renderer.js";
import { sweeping } from "../../quality/bundle.js";
import { findCorpora } from "../../support/corpora.js";

/** Mermaid fences at the left margin. */
function diagramsOf(folder: string): string[] {
  const sources = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!/\.mdx?$/.test(path)) continue;
    const text = readFileSync(join(folder, path), "utf8");
    for (const [, source] of text.matchAll(/^```mermaid[^\n]*\n([\s\S]*?)\n```/gm)) sources.add(source!);
  }
  return [...sources];
}

describe("in a whole site", () => {
  // Nothing starts before the first diagram, and no site changes the diagrams of the next.
  const renderer = createDiagramRenderer({ version: "test" });
  afterAll(() => renderer.close());
  for (const { name, folder } of findCorpora()) {
    // An export draws all of them; this test checks some, in a sweep all.
    const sources = diagramsOf(folder).filter((_, i) => sweeping || i % 30 === 0);
    if (sources.length === 0) continue;
    test(`every valid diagram of ${name} is drawn`, async () => {
      const drawn = await renderer.draw(sources);
      const failed = sources.filter((_, i) => "error" in drawn[i]!);
      assert.deepEqual(
        failed.filter((source) => !source.startsWith("//")),
        [],
      );
    });
  }
});
