// How long does it take until the live components of a page answer?
//
//   node bench/measure-islands.ts ./out          every page of the bundle with live components
//   node bench/measure-islands.ts ./out -n 9     median of 9 loads instead of 5
//
// Opens the pages from disk in Chromium. Prints one JSON line for each page: its islands, their elements, and the time of
// the hydration, which runs at once when the document is complete. Fails if a page reports an error.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { findChromium, launchBrowser } from "../test/support/browser.ts";

declare global {
  interface Window {
    times: number[];
  }
}

const { values, positionals } = parseArgs({
  options: { number: { type: "string", short: "n", default: "5" } },
  allowPositionals: true,
});
const bundle = resolve(positionals[0] ?? "out");
const pages = readdirSync(bundle, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".html") && readFileSync(join(bundle, path), "utf8").includes(" data-island="))
  .sort();
const browser = await launchBrowser(findChromium()!);
const page = await browser.newPage();
const faults: string[] = [];
page.on("pageerror", ({ message }) => faults.push(message));
// Of the listeners of this event, the first and the last.
await page.addInitScript(() => {
  window.times = [];
  for (const isFirst of [true, false])
    addEventListener("DOMContentLoaded", () => window.times.push(performance.now()), isFirst);
});

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
const medians: number[] = [];
for (const path of pages) {
  const runs: number[] = [];
  for (let run = 0; run < Number(values.number); run++) {
    await page.goto(pathToFileURL(join(bundle, path)).href, { waitUntil: "load" });
    const [start = 0, end = 0] = await page.evaluate(() => window.times);
    runs.push(end - start);
  }
  const [islands, elements] = await page.evaluate(() =>
    ["[data-island]", "[data-island] *"].map((selector) => document.querySelectorAll(selector).length),
  );
  medians.push(median(runs));
  const round = (ms: number): number => Math.round(ms * 10) / 10;
  console.log(JSON.stringify({ path, islands, elements, hydrationMs: round(median(runs)), runs: runs.map(round) }));
}
await browser.close();
if (faults.length > 0) throw new Error(`Pages reported errors: ${faults.join("; ")}`);
if (medians.length > 0)
  console.error(
    `${medians.length} pages, median ${median(medians).toFixed(1)} ms, most ${Math.max(...medians).toFixed(1)} ms`,
  );
