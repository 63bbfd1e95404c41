import { describe, expect, test } from "vitest";
import { loadConfig, type NavEntry } from "../../../src/site/config/index.js";
import { openFolder } from "../../../src/site/source/index.js";
import { findCorpora } from "../../support/corpora.js";

/** Every page entry below `entries`, roots of groups included. */
function pageRefs(entries: readonly NavEntry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === "page" ? [entry.ref] : [...(entry.root ? [entry.root.ref] : []), ...pageRefs(entry.children)],
  );
}

describe("the configuration of a real site", () => {
  for (const { name, folder } of findCorpora()) {
    test(`is read without a fault: ${name}`, () => {
      const { files, diagnostics } = openFolder(folder);
      expect(diagnostics).toEqual([]);
      const loaded = loadConfig(files);
      // Services that bundles do not load are not faults.
      expect(loaded.diagnostics.filter(({ code }) => code !== "INTEGRATION_LEFT_OUT")).toEqual([]);
      expect(loaded.config!.name).not.toBe("");
      const refs = pageRefs(loaded.config!.navigation.children);
      const found = refs.filter((ref) =>
        ["", ".mdx", ".md"].some((extension) => files.has(ref.replace(/^\//, "") + extension)),
      );
      expect(found.length).toBeGreaterThan(15);
      expect(structuredClone(loaded.config)).toEqual(loaded.config);
    });
  }
  test("is the same when it is read twice", () => {
    for (const { folder } of findCorpora()) {
      const { files } = openFolder(folder);
      expect(JSON.stringify(loadConfig(files))).toBe(JSON.stringify(loadConfig(files)));
    }
  });
});
