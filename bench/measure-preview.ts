// How soon is a preview ready, and how long after a save does the browser load the page again?
//
//   node bench/measure-preview.ts                   1,000 pages, 100 saves
//   node bench/measure-preview.ts --pages 4000 --saves 30
//   node bench/measure-preview.ts --titles          each save also changes the title, and so every sidebar
//
// Starts `offprint preview` twice, because the first start fills the caches, and opens a page in Chromium. `readyMs` is
// counted from the start of the process to the first answered page; `reloadMs` from the save to the start of the new
// navigation, `shownMs` to the end of the parsing of the new page. Checks that each save is on the page. One JSON line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findChromium, launchBrowser } from "../test/support/browser.ts";
import { writeSyntheticSite } from "./synthetic-site.ts";

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000" },
    saves: { type: "string", default: "100" },
    titles: { type: "boolean", default: false },
  },
});
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "offprint-preview-bench-"));
const site = join(folder, "site");
const [path, file] = ["area-0/topic-3/page-7", join(site, "area-0/topic-3/page-7.mdx")];
writeSyntheticSite(site, Number(values.pages));
const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache"), NODE_COMPILE_CACHE: join(folder, "compiled") };
const browser = await launchBrowser(findChromium()!);
try {
  const cold = await start();
  await cold.stop();
  const preview = await start();
  const figures = await measureSaves(preview.port, preview.events);
  const stopMs = await preview.stop();
  const { pages } = values;
  console.log(
    JSON.stringify({
      pages: Number(pages),
      titles: values.titles,
      coldReadyMs: cold.readyMs,
      readyMs: preview.readyMs,
      ...figures,
      stopMs,
      node: process.version,
    }),
  );
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

interface Event {
  readonly type: string;
  readonly port?: number;
  readonly ms: number;
}

async function start() {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, "preview", site, "--json", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const events: Event[] = [];
  const port = await new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const event = JSON.parse(line) as Event;
      events.push(event);
      if (event.type === "ready") resolve(event.port!);
    });
  });
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, { headers: { accept: "text/html" } });
  if (response.status !== 200) throw new Error(`The page is answered with ${response.status}.`);
  await response.text();
  const readyMs = Math.round(performance.now() - startedAt);
  const stop = async (): Promise<number> => {
    const stoppedAt = performance.now();
    child.kill("SIGINT");
    await once(child, "exit");
    return Math.round(performance.now() - stoppedAt);
  };
  return { port, events, readyMs, stop };
}

async function measureSaves(port: number, events: readonly Event[]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`http://localhost:${port}/${path}`, { waitUntil: "load" });
  await page.locator("offprint-preview .pill").waitFor();
  const text = readFileSync(file, "utf8");
  const reloadMs: number[] = [];
  const shownMs: number[] = [];
  for (let save = 0; save < Number(values.saves); save++) {
    // Time between saves, in which the page connects again.
    await page.waitForTimeout(150 + (save % 7) * 20);
    const mark = `Saved ${save} times.`;
    const title = values.titles ? text.replace(/^title: .*$/m, `title: "Title ${save}"`) : text;
    const savedAt = performance.timeOrigin + performance.now();
    writeFileSync(file, `${title}\n\n${mark}\n`);
    const times = await (
      await page.waitForFunction(
        (wanted) => {
          const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
          if (!document.body?.textContent?.includes(wanted) || !navigation!.domContentLoadedEventStart)
            return undefined;
          return { begun: performance.timeOrigin, shown: performance.timeOrigin + navigation!.domInteractive };
        },
        mark,
        { polling: 10 },
      )
    ).jsonValue();
    reloadMs.push(times!.begun - savedAt);
    shownMs.push(times!.shown - savedAt);
  }
  const made = events.filter(({ type }) => type === "page").map(({ ms }) => ms);
  const planned = events.filter(({ type }) => type === "changed").map(({ ms }) => ms);
  return {
    saves: reloadMs.length,
    reloadMs: summary(reloadMs),
    shownMs: summary(shownMs),
    pageMs: summary(made),
    planMs: summary(planned),
  };
}

function summary(list: readonly number[]) {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!);
  return { median: at(0.5), p95: at(0.95), worst: at(1) };
}
