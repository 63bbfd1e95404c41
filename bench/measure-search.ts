// Exports one site, searches it in the browser from file://, and prints one JSON line: how long a reader waits, how much
// the heap grows, and the longest time for which the page is blocked.
import { pathToFileURL } from "node:url";
import { exportSite } from "offprint";
import type { Browser, Page } from "playwright-core";
import { findChromium, launchBrowser } from "../test/support/browser.ts";

/** Queries for the synthetic site: a frequent word, a rare one, two words, a mistyped one, one in code. */
const queries = ["webhook", "page 321", "rotates secret", "retreis", "createClient"];
const keyGapMs = 60;

const [source, output] = process.argv.slice(2);
if (source === undefined || output === undefined) throw new Error("usage: measure-search.ts <site> <output>");
const chromium = findChromium();
if (chromium === undefined) process.exit(3);
const result = await exportSite({ source, output });
if (!result.ok) throw new Error(`Nothing was exported: ${JSON.stringify(result.diagnostics.slice(0, 3))}`);
const first = result.manifest?.files.find(({ path }) => /page-0\.html$/.test(path));
const address = `${pathToFileURL(output).href}/${first?.path}`;

const browser = await launchBrowser(chromium);
try {
  const cold = [];
  for (const query of queries) cold.push(await waitsOf(browser, query));
  const waits = cold.map(({ firstMs }) => firstMs).toSorted((a, b) => a - b);
  const whole = cold.map(({ wholeMs }) => wholeMs).toSorted((a, b) => a - b);
  console.log(
    JSON.stringify({
      pages: result.pageCount,
      indexKilobytes: Math.round(
        (result.manifest?.files ?? [])
          .filter(({ path }) => path.startsWith("_offprint/search/"))
          .reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
      ),
      firstResultMs: waits[Math.floor(waits.length / 2)],
      worstFirstResultMs: waits.at(-1),
      wholeQueryMs: whole[Math.floor(whole.length / 2)],
      worstWholeQueryMs: whole.at(-1),
      ...(await costOf(browser)),
      node: process.version,
    }),
  );
} finally {
  await browser.close();
}

/** Loads the page and opens the dialog. */
async function openDialog(page: Page): Promise<void> {
  await page.goto(address);
  await page.keyboard.press("Control+k");
  await page.waitForSelector("#search-dialog[open]");
}

/** Times from the first and from the last key to the frame with the results, in a new browser context. */
async function waitsOf(browser: Browser, query: string): Promise<{ firstMs: number; wholeMs: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    await openDialog(page);
    await page.evaluate(() => {
      const list = document.querySelector("#search-list")!;
      const times = { first: 0, key: 0, painted: 0 };
      document.addEventListener("keydown", ({ timeStamp }) => (times.key = timeStamp), { capture: true });
      new MutationObserver(() => {
        if (list.childElementCount === 0) return;
        const { key } = times;
        requestAnimationFrame(() =>
          setTimeout(() => {
            times.first ||= performance.now() - key;
            times.painted = performance.now();
          }),
        );
      }).observe(list, { childList: true });
      Object.assign(window, { times });
    });
    const times = () => page.evaluate(() => (window as unknown as { times: Times }).times);
    await page.keyboard.press(query[0]!);
    await page.waitForFunction(() => (window as unknown as { times: Times }).times.first > 0);
    const { first } = await times();
    await page.keyboard.type(query.slice(1), { delay: keyGapMs });
    await page.waitForFunction(() => {
      const { key, painted } = (window as unknown as { times: Times }).times;
      return painted > key && document.querySelector("#search-list")?.getAttribute("aria-busy") !== "true";
    });
    const { key, painted } = await times();
    return { firstMs: Math.round(first), wholeMs: Math.round(painted - key) };
  } finally {
    await context.close();
  }
}
interface Times {
  readonly first: number;
  readonly key: number;
  readonly painted: number;
}

/** Heap growth after all queries in one page, and the longest time for which the page was blocked. */
async function costOf(browser: Browser): Promise<{ heapMegabytes: number; longestTaskMs: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const heap = async (): Promise<number> => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize;
  };
  try {
    await page.goto(address);
    const before = await heap();
    await page.evaluate(() => {
      const gaps = { longest: 0 };
      let last = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        const now = performance.now();
        gaps.longest = Math.max(gaps.longest, now - last);
        last = now;
        setTimeout(() => channel.port2.postMessage(0));
      };
      channel.port2.postMessage(0);
      Object.assign(window, { gaps });
    });
    await page.keyboard.press("Control+k");
    await page.waitForSelector("#search-dialog[open]");
    for (const query of queries) {
      await page.fill("#search-input", "");
      await page.keyboard.type(query, { delay: keyGapMs });
      await page.waitForFunction(() => document.querySelector("#search-list")?.hasAttribute("aria-busy") === false);
    }
    const longest = await page.evaluate(() => (window as unknown as { gaps: { longest: number } }).gaps.longest);
    const found = await page.locator("#search-list [role=option]").count();
    if (found === 0) throw new Error(`Nothing was found for ${queries.at(-1)}.`);
    const after = await heap();
    return { heapMegabytes: Number(((after - before) / 1e6).toFixed(2)), longestTaskMs: Math.round(longest) };
  } finally {
    await context.close();
  }
}
