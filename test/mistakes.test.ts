import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { exportSite as exportSiteType } from "../src/export/export-site.js";
import { formatDiagnostic } from "../src/lib/diagnostic/index.js";

const mistakes = fileURLToPath(new URL("../fixtures/mistakes", import.meta.url));

/** Pages are made in this process: starting a thread for each of so many small sites takes five times as long. */
let exportSite: typeof exportSiteType;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("../src/lib/queue/worker-pool.js", async () => {
    const { createPoolInProcess } = await import("./support/pool-in-process.js");
    return { createWorkerPool: createPoolInProcess };
  });
  ({ exportSite } = await import("../src/export/export-site.js"));
});
afterAll(() => {
  vi.doUnmock("../src/lib/queue/worker-pool.js");
  vi.resetModules();
});

/** Everything that checking the site reports, as the terminal shows it. */
async function printed(folder: string): Promise<string> {
  const { diagnostics } = await exportSite({ source: folder });
  const readText = (path: string) => readFileSync(join(folder, path), "utf8");
  return diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic, readText)}\n`).join("\n");
}

describe("a mistake in a site is reported as in expected.txt:", () => {
  for (const name of readdirSync(mistakes).toSorted()) {
    // Those of the configuration alone are told by test/config/mistakes.test.ts.
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
