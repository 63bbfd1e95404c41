import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { realSites } from "../support/corpora.js";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

interface Exported {
  readonly diagnostics: readonly unknown[];
  readonly manifest: { readonly files: readonly unknown[] };
  readonly archive: { readonly sha256: string };
}

/** Exports in a process of its own, from a fresh copy of the site in another folder. */
function exportCopy(
  site: string,
  concurrency: number,
  environment: Record<string, string>,
  extension: string,
): Exported {
  const place = mkdtempSync(join(tmpdir(), `offprint-bytes-${concurrency}-`));
  // The bundle that a fixture comes out as is no part of it.
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
  ];
  execFileSync(process.execPath, [cli, ...args], { stdio: "ignore", env: { ...process.env, ...environment } });
  return JSON.parse(readFileSync(join(place, "report.json"), "utf8")) as Exported;
}

/** The handbook and a site with every kind of component; in a sweep also a real one. */
const sites = [
  { name: "handbook", folder: fixture("handbook"), extension: ".tar.gz" },
  { name: "components", folder: fixture("sites/components"), extension: ".zip" },
  ...realSites.slice(0, sweeping ? 1 : 0).map(({ name, folder }) => ({ name, folder, extension: ".zip" })),
];
for (const { name, folder, extension } of sites)
  test(`${name}${extension}: other folders, time zones, locales and 1 or 4 pages at once give the same bytes`, () => {
    const first = exportCopy(folder, 1, { TZ: "Pacific/Auckland", LC_ALL: "tr_TR.UTF-8" }, extension);
    const second = exportCopy(folder, 4, { TZ: "America/St_Johns", LC_ALL: "C" }, extension);
    // In this order, the first difference shows the cause.
    assert.deepEqual(second.diagnostics, first.diagnostics);
    assert.deepEqual(second.manifest.files, first.manifest.files);
    assert.equal(second.archive.sha256, first.archive.sha256);
  }, 120_000);
