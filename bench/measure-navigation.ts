// How long after a click is the next page shown over http?
//
//   node bench/measure-navigation.ts ./out              after pointing at its link for a second, with speculation rules
//   node bench/measure-navigation.ts ./out --script     the same on a host without the rules: our script fetches the page
//   node bench/measure-navigation.ts ./out --at-once    without pointing first
//   node bench/measure-navigation.ts ./out --delay 200  with answers that come 200 ms later (default: 80)
//
// Serves the bundle with `offprint serve` behind a proxy that delays each answer. Prints when the second page begins to
// arrive, and its largest contentful paint in Chromium, both counted from the navigation, as one JSON line. Chromium
// prerenders nothing while a program controls it: with the rules, it only fetches the page. See measure-prerender.ts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Manifest } from "offprint";
import { findChromium, launchBrowser } from "../test/support/browser.ts";
import { serveDelayed, summary } from "./delayed-bundle.ts";

const { values, positionals } = parseArgs({
  options: { "at-once": { type: "boolean" }, script: { type: "boolean" }, delay: { type: "string", default: "80" } },
  allowPositionals: true,
});
const [bundle = "out"] = positionals;
const delayMs = Number(values.delay);
const maxPages = 20;
const pointingMs = 1000;

const { files } = JSON.parse(readFileSync(join(bundle, "offprint.json"), "utf8")) as Manifest;
const pages = files
  .map(({ path }) => path)
  .filter((path) => /(?<!^404)\.html$/.test(path) && !path.startsWith("_"))
  .filter((path) => readFileSync(join(bundle, path), "utf8").includes('class="pagination-next"'))
  .slice(0, maxPages);
const browser = await launchBrowser(findChromium()!);
const served = await serveDelayed(bundle, {
  delayMs,
  without: values.script ? ["speculation-rules", "server-timing"] : [],
});
try {
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (const path of pages) measured.push(await measure(served.root + encodeURI(path)));
  console.log(
    JSON.stringify({
      pages: measured.length,
      delayMs,
      pointed: !values["at-once"],
      rules: !values.script,
      responseMs: summary(measured.map(({ responseMs }) => responseMs)),
      lcpMs: summary(measured.map(({ lcpMs }) => lcpMs)),
      node: process.version,
    }),
  );
} finally {
  await browser.close();
  served.close();
}

/** A new browser context has an empty cache; styles and scripts are in it after the first page, as for a reader. */
async function measure(address: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  const link = page.locator(".pagination-next");
  await link.scrollIntoViewIfNeeded();
  if (!values["at-once"]) {
    await link.hover();
    await page.waitForTimeout(pointingMs);
  }
  await Promise.all([page.waitForNavigation(), link.evaluate((each: HTMLElement) => each.click())]);
  await page.waitForTimeout(300);
  const times = await page.evaluate(async () => {
    const lcpMs = await new Promise<number>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime));
      observer.observe({ type: "largest-contentful-paint", buffered: true });
    });
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return { lcpMs, responseMs: navigation!.responseStart };
  });
  await context.close();
  return times;
}
