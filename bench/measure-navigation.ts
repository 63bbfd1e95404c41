// How long after a click is the next page shown over http?
//
//   node bench/measure-navigation.ts ./out              after pointing at its link for a second, with speculation rules
//   node bench/measure-navigation.ts ./out --script     the same on a host without the rules: our script fetches the page
//   node bench/measure-navigation.ts ./out --at-once    without pointing first
//   node bench/measure-navigation.ts ./out --delay 200  with answers that come 200 ms later (default: 80)
//
// Serves the bundle with `offprint serve` behind a proxy that delays each answer. Prints when the second page begins to
// arrive, and its largest contentful paint in Chromium, both counted from the navigation, as one JSON line. Chromium prerenders nothing while a program
// controls it: with the rules, it only fetches the page.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Manifest } from "offprint";
import { findChromium, launchBrowser } from "../test/support/browser.ts";

const { values, positionals } = parseArgs({
  options: { "at-once": { type: "boolean" }, script: { type: "boolean" }, delay: { type: "string", default: "80" } },
  allowPositionals: true,
});
const [bundle = "out"] = positionals;
const delayMs = Number(values.delay);
const mostPages = 20;
const pointingMs = 1000;

const { files } = JSON.parse(readFileSync(join(bundle, "offprint.json"), "utf8")) as Manifest;
const pages = files
  .map(({ path }) => path)
  .filter((path) => /(?<!^404)\.html$/.test(path) && !path.startsWith("_"))
  .filter((path) => readFileSync(join(bundle, path), "utf8").includes('class="pagination-next"'))
  .slice(0, mostPages);
const data = mkdtempSync(join(tmpdir(), "offprint-bench-"));
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const server = spawn(process.execPath, [cli, "serve", bundle, "--port", "0", "--data", data], {
  stdio: ["ignore", "ignore", "pipe"],
});
const browser = await launchBrowser(findChromium()!);
let proxy: ReturnType<typeof createServer> | undefined;
try {
  let stderr = "";
  while (!stderr.includes("Serving")) stderr += String((await once(server.stderr, "data"))[0]);
  const port = Number(/:(\d+)\/"/.exec(stderr)![1]);
  proxy = createServer((asked, answer) => {
    const { url: path, method, headers } = asked;
    const forwarded = request({ port, path, method, headers }, (response) => {
      if (values.script) for (const name of ["speculation-rules", "server-timing"]) delete response.headers[name];
      setTimeout(() => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      }, delayMs);
    });
    asked.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const root = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (const path of pages) measured.push(await measure(root + encodeURI(path)));
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
  proxy?.close();
  await browser.close();
  server.kill();
  rmSync(data, { recursive: true, force: true });
}

function summary(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)]!);
  return { median: at(0.5), p95: at(0.95), worst: at(1) };
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
