import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { createDiagramDrawer } from "../../../src/page/diagrams/index.js";
import { sweeping } from "../../quality/bundle.js";
import { findCorpora } from "../../support/corpora.js";

/** Fences of Mermaid at the left margin. */
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
  // Nothing starts before the first drawing; what a process drew for one site changes nothing for the next.
  const drawer = createDiagramDrawer({ version: "test" });
  afterAll(() => drawer.close());
  for (const { name, folder } of findCorpora()) {
    // An export of the site draws them all; this asks of some why one is not drawn, of all in a sweep.
    const sources = diagramsOf(folder).filter((_, i) => sweeping || i % 10 === 0);
    if (sources.length === 0) continue;
    test(`a diagram of ${name} is drawn, unless it is none`, async () => {
      const drawn = await drawer.draw(sources);
      const failed = sources.filter((_, i) => "error" in drawn[i]!);
      assert.deepEqual(
        failed.filter((source) => !source.startsWith("//")),
        [],
      );
    }, 300_000);
  }
});
