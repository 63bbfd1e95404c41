import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { findCorpora } from "../support/corpora.js";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const handbook = fileURLToPath(new URL("../../fixtures/handbook", import.meta.url));

/** Exports in a process of its own, from a fresh copy of the site in another folder, and gives the archive's hash. */
function exportCopy(site: string, concurrency: number, environment: Record<string, string>, extension: string): string {
  const place = mkdtempSync(join(tmpdir(), `offprint-bytes-${concurrency}-`));
  cpSync(site, join(place, "site"), { recursive: true });
  const args = [
    "export",
    join(place, "site"),
    "--archive",
    join(place, `x${extension}`),
    "--concurrency",
    String(concurrency),
    "--json",
    "--no-cache",
  ];
  const out = execFileSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...environment },
    maxBuffer: 1e9,
  });
  return (JSON.parse(out.trim().split("\n").at(-1) ?? "") as { archive: { sha256: string } }).archive.sha256;
}

const sites = [
  { name: "handbook", folder: handbook, archives: [".tar.gz"] },
  ...findCorpora()
    .slice(0, 1)
    .map((site) => ({ ...site, archives: [".zip"] })),
];
for (const site of sites)
  for (const extension of site.archives)
    test(`${site.name}${extension}: other folders, time zones, locales and 1 or 8 pages at once give the same bytes`, () => {
      const first = exportCopy(site.folder, 1, { TZ: "Pacific/Auckland", LC_ALL: "tr_TR.UTF-8" }, extension);
      const second = exportCopy(site.folder, 8, { TZ: "America/St_Johns", LC_ALL: "C" }, extension);
      assert.equal(first, second);
    }, 120_000);
