import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { findCorpora } from "../support/corpora.js";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const handbook = fileURLToPath(new URL("../../fixtures/handbook", import.meta.url));

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
  cpSync(site, join(place, "site"), { recursive: true });
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

const sites = [
  { name: "handbook", folder: handbook, archives: [".tar.gz"] },
  ...findCorpora()
    .filter(({ isOwn }) => !isOwn)
    .slice(0, 1)
    .map((site) => ({ ...site, archives: [".zip"] })),
];
for (const site of sites)
  for (const extension of site.archives)
    test(`${site.name}${extension}: other folders, time zones, locales and 1 or 4 pages at once give the same bytes`, () => {
      const first = exportCopy(site.folder, 1, { TZ: "Pacific/Auckland", LC_ALL: "tr_TR.UTF-8" }, extension);
      const second = exportCopy(site.folder, 4, { TZ: "America/St_Johns", LC_ALL: "C" }, extension);
      // In this order, the first difference shows the cause.
      assert.deepEqual(second.diagnostics, first.diagnostics);
      assert.deepEqual(second.manifest.files, first.manifest.files);
      assert.equal(second.archive.sha256, first.archive.sha256);
    }, 120_000);
