import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compareDiagnostics, createCulpritFinder, formatDiagnostic } from "../../../src/lib/diagnostic/index.js";
import { loadConfig } from "../../../src/site/config/index.js";
import { openFolder } from "../../../src/site/source/index.js";

const mistakes = fileURLToPath(new URL("../../../fixtures/mistakes", import.meta.url));

/** The output of a folder and its configuration in the terminal. */
function printed(folder: string): string {
  const { files, diagnostics } = openFolder(folder, { ignore: ["/expected.txt"] });
  const all = [...diagnostics, ...loadConfig(files).diagnostics].sort(compareDiagnostics);
  const readText = (path: string) => (files.has(path) ? files.readText(path) : undefined);
  return all
    .map(createCulpritFinder(readText))
    .map((diagnostic) => `${formatDiagnostic(diagnostic, readText)}\n`)
    .join("\n");
}

describe("a mistake in the configuration is reported as in expected.txt:", () => {
  for (const name of readdirSync(mistakes).toSorted()) {
    if (!name.startsWith("config-")) continue;
    test(name, () => {
      const folder = join(mistakes, name);
      const expected = join(folder, "expected.txt");
      const actual = printed(folder);
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(expected, actual);
      expect(actual).toBe(existsSync(expected) ? readFileSync(expected, "utf8") : "");
      expect(actual).not.toBe("");
    });
  }
});
