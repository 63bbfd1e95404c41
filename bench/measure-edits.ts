// What does an export cost after the last one, if nothing has changed, the text of one page, the title of one page? Prints
// the processor time of each as a percentage of a cold export, as one JSON line. Each export is a process of its own, so
// that start-up counts.
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

async function exportMs(cacheFolder: string | undefined = cache): Promise<number> {
  // A file that has just changed may change again without a new time.
  await setTimeout(200);
  const args = [script, site!, output!, ...(cacheFolder === undefined ? [] : [cacheFolder])];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (run.status !== 0) throw new Error("An export failed.");
  const { pages: count, cpuMsPerPage } = JSON.parse(run.stdout) as { pages: number; cpuMsPerPage: number };
  return count * cpuMsPerPage;
}

// A run that was interrupted may have left one.
rmSync(cache, { recursive: true, force: true });
const withoutCacheMs = await exportMs(undefined);
const coldMs = await exportMs();
const nothingMs = await exportMs();
writeFileSync(page, `${readFileSync(page, "utf8")}\nOne more sentence.\n`);
const textMs = await exportMs();
const text = readFileSync(page, "utf8");
const titled = text.startsWith("---\n")
  ? text.replace(/^title:.*\n/m, "").replace("---\n", "---\ntitle: New\n")
  : `---\ntitle: New\n---\n${text}`;
writeFileSync(page, titled);
const titleMs = await exportMs();
rmSync(cache, { recursive: true });

const percent = (ms: number): number => Number(((100 * ms) / coldMs).toFixed(1));
console.log(
  JSON.stringify({
    pages: pages.length,
    coldMs: Math.round(coldMs),
    /** What writing the cache costs, highlighted code included. */
    writingPercent: percent(coldMs - withoutCacheMs),
    nothingPercent: percent(nothingMs),
    textPercent: percent(textMs),
    titlePercent: percent(titleMs),
  }),
);
