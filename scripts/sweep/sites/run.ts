// `npm run sweep -- sites FOLDER`: every documentation site of a folder, one after the other.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findChromium, launchBrowser } from "../../../test/support/browser.ts";
import { checkSite, type SiteResult } from "./check-site.ts";
import { hasMisses, reportOf, summaryOf } from "./print-site.ts";
import { findSites } from "./source-site.ts";

/** @returns the exit code: 1 if something is missing, 2 for wrong arguments. */
export async function sweepSites(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      skip: { type: "string" },
      json: { type: "string" },
      keep: { type: "string" },
      seconds: { type: "string", default: "900" },
      pages: { type: "string", default: "6" },
      seed: { type: "string", default: "1" },
      examples: { type: "string", default: "3" },
    },
  });
  const [folder] = positionals;
  const { sites, without } = folder === undefined ? { sites: [], without: [] } : findSites(resolve(folder));
  const isChosen = (name: string) =>
    (!values.only || name.match(values.only)) && !(values.skip && name.match(values.skip));
  const chosen = sites.filter(isChosen);
  const unsearched = without.filter(isChosen);
  for (const name of unsearched) console.error(`${name}: no docs.json or mint.json in it and three levels below`);
  if (folder === undefined || chosen.length === 0) {
    const reason =
      folder === undefined
        ? "Name a folder of sites"
        : `${folder} has no site of that name, which is a folder with a docs.json or mint.json`;
    console.error(
      `${reason}: npm run sweep -- sites FOLDER [--only WORD] [--pages COUNT] [--seed NUMBER] [--json FILE]`,
    );
    return 2;
  }
  const samples = Number(values.pages);
  const chromium = samples > 0 ? findChromium() : undefined;
  if (samples > 0 && chromium === undefined) {
    console.error("No page would be opened. Install Chromium, or pass --pages 0 to compare only the files.");
    return 2;
  }
  const browser = chromium === undefined ? undefined : await launchBrowser(chromium);
  const temporary = mkdtempSync(join(tmpdir(), "offprint-sweep-"));
  const results: SiteResult[] = [];
  try {
    for (const name of chosen) {
      const source = join(resolve(folder), name);
      const label = name === "" ? basename(source) : name;
      const result = await checkSite(label, source, {
        folder: values.keep === undefined ? join(temporary, "site") : join(resolve(values.keep), label),
        exportSeconds: Number(values.seconds),
        browser,
        samples,
        seed: Number(values.seed),
        examplesOfKind: Number(values.examples),
      });
      results.push(result);
      console.log(reportOf(result));
      if (values.json) writeFileSync(values.json, JSON.stringify(results.map(jsonOf), null, 1));
    }
  } finally {
    await browser?.close();
    rmSync(temporary, { recursive: true, force: true });
  }
  console.log(summaryOf(results));
  return unsearched.length > 0 || results.some(hasMisses) ? 1 : 0;
}

const jsonOf = ({ counts, ...rest }: SiteResult) => ({ ...rest, kinds: Object.fromEntries(counts.kinds) });
