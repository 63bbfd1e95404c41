// One site: exported, its pages compared with their sources, and a sample of them opened in Chromium.
import { mkdirSync, rmSync } from "node:fs";
import type { Browser } from "playwright-core";
import { type ExportRun, runExport } from "../run-export.ts";
import { type Counts, createCounts } from "../specs/tally.ts";
import { checkInBrowser } from "./check-in-browser.ts";
import { checkPages } from "./check-pages.ts";
import { samplePages } from "./sample-pages.ts";
import { readSite } from "./source-site.ts";

export interface SiteOptions {
  /** Where the bundle is written; what it held is lost. */
  readonly folder: string;
  readonly exportSeconds: number;
  /** Absent: nothing is opened in a browser. */
  readonly browser: Browser | undefined;
  /** Pages to open. */
  readonly samples: number;
  readonly seed: number;
  readonly examplesOfKind: number;
}

export interface SiteResult {
  readonly name: string;
  /** Of the source. */
  readonly pages: number;
  /** Opened in a browser. */
  readonly opened: readonly string[];
  readonly run: ExportRun | undefined;
  readonly counts: Counts;
}

export async function checkSite(name: string, source: string, options: SiteOptions): Promise<SiteResult> {
  rmSync(options.folder, { recursive: true, force: true });
  mkdirSync(options.folder, { recursive: true });
  const run = await runExport(source, options.folder, options.exportSeconds);
  const counts = createCounts(options.examplesOfKind);
  counts.check("export", run.exitCode === 0, name, () => (run.isTimedOut ? "takes too long" : run.lastLines));
  if (run.exitCode !== 0) return { name, pages: 0, opened: [], run, counts };
  return { ...(await checkBundle(name, source, run.bundle, options, counts)), run };
}

/** Compares a bundle with its site. */
export async function checkBundle(
  name: string,
  source: string,
  bundle: string,
  { browser, samples, seed }: Pick<SiteOptions, "browser" | "samples" | "seed">,
  counts: Counts,
): Promise<SiteResult> {
  const site = readSite(source);
  const pages = checkPages(site, bundle, counts);
  counts.check("site with pages", pages.length > 0, name, () => `nothing of ${site.pages.length} pages to compare`);
  const opened = browser === undefined ? [] : samplePages(pages, samples, seed);
  if (browser !== undefined) await checkInBrowser(browser, bundle, opened, counts);
  return { name, pages: site.pages.length, opened: opened.map(({ path }) => path), run: undefined, counts };
}
