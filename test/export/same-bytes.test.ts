import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { realSites } from "../support/corpora.js";
import { sharedBaseUrl, sharedExport } from "../support/shared-export.js";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

interface Exported {
  readonly diagnostics: readonly unknown[];
  readonly manifest: { readonly files: readonly unknown[] };
  readonly archive: { readonly sha256: string };
}

/** Exports in its own process, from a fresh copy of the site in another folder. */
function exportCopy(
  site: string,
  concurrency: number,
  environment: Record<string, string>,
  extension: string,
  options: readonly string[] = [],
): Exported {
  const place = mkdtempSync(join(tmpdir(), `offprint-bytes-${concurrency}-`));
  // The expected bundle of a fixture is not part of the site.
  cpSync(site, join(place, "site"), { recursive: true, filter: (path) => path !== join(site, "expected") });
  const args = [
    "export",
    join(place, "site"),
    "--archive",
    join(place, `x${extension}`),
    "--concurrency",
    String(concurrency),
    "--report",
    join(place, "report.json"),
    "--quiet",
    "--no-cache",
    ...options,
  ];
  execFileSync(process.execPath, [cli, ...args], { stdio: "ignore", env: { ...process.env, ...environment } });
  return JSON.parse(readFileSync(join(place, "report.json"), "utf8")) as Exported;
}

const [far, plain] = [
  { TZ: "Pacific/Auckland", LC_ALL: "tr_TR.UTF-8" },
  { TZ: "America/St_Johns", LC_ALL: "C" },
];

// In this order, the first difference shows the cause.
function assertSame(second: Exported, first: Exported): void {
  assert.deepEqual(second.diagnostics, first.diagnostics);
  assert.deepEqual(second.manifest.files, first.manifest.files);
  assert.equal(second.archive.sha256, first.archive.sha256);
}

/** With every kind of component, and with a specification; in a sweep also with live components, a large and a real site. */
const sites = [
  { name: "components", folder: fixture("sites/components"), extension: ".zip" },
  { name: "api-reference", folder: fixture("sites/api-reference"), extension: ".tar.gz" },
  ...(sweeping ? [{ name: "islands", folder: fixture("islands"), extension: ".zip" }] : []),
  ...realSites.slice(0, sweeping ? 1 : 0).map(({ name, folder }) => ({ name, folder, extension: ".zip" })),
];
for (const { name, folder, extension } of sites)
  test(`${name}${extension}: other folders, time zones, locales and 1 or 4 pages at once give the same bytes`, () => {
    assertSame(exportCopy(folder, 4, plain, extension), exportCopy(folder, 1, far, extension));
  });

test.runIf(sweeping)(
  "handbook.tar.gz: another folder, time zone and locale, 4 pages at once and no cache give the same bytes",
  async () => {
    const { result } = await sharedExport("handbook");
    const other = exportCopy(fixture("handbook"), 4, far, ".tar.gz", ["--base-url", sharedBaseUrl]);
    assertSame(other, result as unknown as Exported);
  },
);
