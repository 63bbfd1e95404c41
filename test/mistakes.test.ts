import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runExport } from "../src/export/index.js";
import { formatDiagnostic } from "../src/lib/diagnostic/index.js";
import { createPoolInProcess } from "./support/pool-in-process.js";

const mistakes = fileURLToPath(new URL("../fixtures/mistakes", import.meta.url));

/** Every diagnostic of a check, as the terminal shows it. */
async function printed(folder: string): Promise<string> {
  // Pages are made in this process: starting a thread for each of so many small sites takes five times as long.
  const { diagnostics } = await runExport({ source: folder }, { pagePool: createPoolInProcess });
  const readText = (path: string) => readFileSync(join(folder, path), "utf8");
  return diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic, readText)}\n`).join("\n");
}

describe("a mistake in a site is reported as in expected.txt:", () => {
  for (const name of readdirSync(mistakes).toSorted()) {
    // test/site/config/mistakes.test.ts checks those of the configuration.
    if (name.startsWith("config-")) continue;
    test(name, async () => {
      const folder = join(mistakes, name);
      const expected = join(folder, "expected.txt");
      const actual = await printed(folder);
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(expected, actual);
      expect(actual).toBe(existsSync(expected) ? readFileSync(expected, "utf8") : "");
      expect(actual).not.toBe("");
    });
  }
});
