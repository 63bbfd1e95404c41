/**
 * Exports sites of random pages, settings, specifications and names, and judges each outcome by `oracles.ts`. Here the
 * seed and the number of sites are fixed; `npm run fuzz` goes on with other seeds. A failure writes its site to `out/fuzz`.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, test } from "vitest";
import { type ExportOptions, type exportSite as exportSiteType, runExport } from "../../src/export/index.js";
import { sweeping } from "../quality/bundle.js";
import { filesIn } from "../security/site-folder.js";
import { testMs } from "../support/patience.js";
import { createPoolInProcess } from "../support/pool-in-process.js";
import { exportCase, writeSources } from "./export-case.js";
import { faultsOf } from "./oracles.js";
import { type FuzzSite, kinds } from "./sites.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "out/fuzz");
const minutes = Number(process.env["OFFPRINT_FUZZ_MINUTES"] ?? 0);
const firstSeed = Number(process.env["OFFPRINT_FUZZ_SEED"] ?? 1);
const sitesARound = minutes > 0 ? 10 : sweeping ? 6 : 3;

/** Pages are made in this process: starting threads for each of so many small sites takes five times as long. */
const exportSite = ((options: ExportOptions) =>
  runExport(options, { pagePool: createPoolInProcess })) as typeof exportSiteType;
beforeAll(() => mkdirSync(out, { recursive: true }));

const names = (group: string): string[] => readdirSync(join(root, "fixtures", group)).toSorted();

const firstFault = async (site: FuzzSite): Promise<string | undefined> =>
  faultsOf(await exportCase(exportSite, site)).next().value ?? undefined;

describe("a site that was once exported with a fault is exported without one:", () => {
  // Another test exports the sites of mistakes too, so a few of them are enough here.
  for (const group of ["fuzz", "mistakes"])
    for (const name of names(group).filter((_, i) => group === "fuzz" || minutes > 0 || i % (sweeping ? 12 : 24) === 0))
      test(`${group}/${name}`, async () =>
        assert.equal(await firstFault(siteIn(join(root, "fixtures", group, name))), undefined));
});

describe("a site is exported without a fault, whatever its", () => {
  for (const [kind, sites] of Object.entries(kinds))
    test(
      `${kind}`,
      async () => {
        const end = performance.now() + (minutes * 60_000) / Object.keys(kinds).length;
        let seed = firstSeed;
        do await runRound(kind, sites, seed++);
        while (performance.now() < end);
      },
      minutes * 60_000 + testMs,
    );
});

async function runRound(kind: string, sites: fc.Arbitrary<FuzzSite>, seed: number): Promise<void> {
  const isFaultless = fc.asyncProperty(sites, async (site) => {
    // If the process dies or never ends, this file has the site.
    writeFileSync(join(out, "running.json"), JSON.stringify({ kind, seed, ...site }, null, 1));
    assert.equal(await firstFault(site), undefined);
  });
  // Also limits the time to find a smaller site with the same fault.
  const details = await fc.check(isFaultless, { seed, numRuns: sitesARound, interruptAfterTimeLimit: 200_000 });
  const site = details.counterexample?.[0];
  if (!details.failed || site === undefined) return;
  const { files, ...options } = site;
  const name = createHash("sha256").update(JSON.stringify(site)).digest("hex").slice(0, 8);
  const folder = join(out, `${kind}-${seed}-${name}`);
  const again = await firstFault(site).catch((error: Error) => error.stack);
  const fault = again ?? `Not found a second time; the first time: ${details.errorInstance}`;
  rmSync(join(out, "running.json"));
  writeSources(folder, files);
  writeFileSync(join(folder, "README"), `seed ${seed}, ${JSON.stringify(options)}\n\n${fault}\n`);
  assert.fail(`seed ${seed}, ${folder}\n${JSON.stringify(site, null, 1).slice(0, 3000)}\n${fault}`);
}

function siteIn(folder: string): FuzzSite {
  const files = Object.fromEntries(filesIn(folder).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  return { files, baseUrl: "https://docs.example.com", parser: "satteri", again: false, process: 1 };
}
