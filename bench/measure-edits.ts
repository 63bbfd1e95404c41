// What does an export cost after the last one, if nothing has changed, the text of one page, the title of one page? Prints
// the processor time of each as a percentage of a cold export, which writes the cache, and of one without a cache, as one
// JSON line. Each export is a process of its own, so that start-up counts.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleModule } from "../test/support/bundle-module.ts";

const [site, output] = process.argv.slice(2);
if (site === undefined || output === undefined) throw new Error("usage: measure-edits.ts <site> <output>");
const cache = `${output}-cache`;
const script = bundleModule(fileURLToPath(new URL("./measure-export.ts", import.meta.url)));
const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => /\.mdx?$/.test(path));
const page = join(site, pages.toSorted()[Math.floor(pages.length / 2)]!);

async function exportMs(...cacheFolder: string[]): Promise<number> {
  // A file that has just changed may change again without a new time.
  await setTimeout(200);
  const args = [script, site!, output!, ...cacheFolder];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (run.status !== 0) throw new Error("An export failed.");
  const { pages: count, cpuMsPerPage } = JSON.parse(run.stdout) as { pages: number; cpuMsPerPage: number };
  return count * cpuMsPerPage;
}

function removeResults(): void {
  for (const folder of [output!, cache]) rmSync(folder, { recursive: true, force: true });
}

// A run that was interrupted may have left some.
removeResults();
const withoutCacheMs = await exportMs();
removeResults();
const coldMs = await exportMs(cache);
const nothingMs = await exportMs(cache);
writeFileSync(page, `${readFileSync(page, "utf8")}\nOne more sentence.\n`);
const textMs = await exportMs(cache);
const text = readFileSync(page, "utf8");
const titled = text.startsWith("---\n")
  ? text.replace(/^title:.*\n/m, "").replace("---\n", "---\ntitle: New\n")
  : `---\ntitle: New\n---\n${text}`;
writeFileSync(page, titled);
const titleMs = await exportMs(cache);
rmSync(cache, { recursive: true });

const percentOf = (whole: number, ms: number): number => Number(((100 * ms) / whole).toFixed(1));
const percent = (ms: number): number => percentOf(coldMs, ms);
const ofWithoutCache = (ms: number): number => percentOf(withoutCacheMs, ms);
console.log(
  JSON.stringify({
    pages: pages.length,
    coldMs: Math.round(coldMs),
    withoutCacheMs: Math.round(withoutCacheMs),
    /** What writing the cache costs, highlighted code included. */
    writingPercent: percent(coldMs - withoutCacheMs),
    nothingPercent: percent(nothingMs),
    textPercent: percent(textMs),
    titlePercent: percent(titleMs),
    ofWithoutCache: {
      nothingPercent: ofWithoutCache(nothingMs),
      textPercent: ofWithoutCache(textMs),
      titlePercent: ofWithoutCache(titleMs),
    },
  }),
);
