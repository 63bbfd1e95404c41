// Measures the pages of a bundle with Lighthouse, which is not a dependency of this project.
//
//   npm install --prefix ../lighthouse lighthouse@12
//   node bench/measure-lighthouse.ts ./out --lighthouse ../lighthouse                     five pages of the bundle, on a phone
//   node bench/measure-lighthouse.ts ./out --lighthouse ../lighthouse --page guide.html   this page; can be repeated
//   node bench/measure-lighthouse.ts ./out --lighthouse ../lighthouse --runs 5 --desktop  medians of five runs; as a desktop
//   node bench/measure-lighthouse.ts --console --lighthouse ../lighthouse                  accessibility of all console pages
//
// Serves the bundle with `offprint serve`. The environment may name the folder in `LIGHTHOUSE` and a browser in `CHROMIUM`.
// Prints one JSON line for each page: the scores, the metrics of the median run, and the audits below 0.9. Lighthouse
// slows the processor down by a factor: compare scores only if `benchmarkIndex`, the measured speed, is about the same.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Manifest } from "offprint";
import { findChromium } from "../test/support/browser.ts";

interface Audit {
  readonly score: number | null;
  readonly numericValue?: number;
  readonly displayValue?: string;
}

interface Report {
  readonly categories: Readonly<
    Record<string, { score: number; auditRefs: readonly { id: string; weight: number; group?: string }[] }>
  >;
  readonly audits: Readonly<Record<string, Audit>>;
  readonly environment: { readonly benchmarkIndex: number };
}

type Lighthouse = (
  url: string,
  flags: Readonly<Record<string, unknown>>,
  config?: unknown,
) => Promise<{ lhr: Report } | undefined>;

const { values, positionals } = parseArgs({
  options: {
    lighthouse: { type: "string", default: process.env["LIGHTHOUSE"] },
    page: { type: "string", multiple: true },
    runs: { type: "string", default: "3" },
    desktop: { type: "boolean" },
    console: { type: "boolean" },
  },
  allowPositionals: true,
});
if (values.lighthouse === undefined)
  throw new Error("Name the folder into which Lighthouse was installed: --lighthouse");
if (values.console) {
  // The tests fill a console with one of everything.
  const { status } = spawnSync("npx", ["vitest", "run", "test/service/console/lighthouse.test.ts"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, LIGHTHOUSE: resolve(values.lighthouse) },
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}
const [bundle = "out"] = positionals;
const from = createRequire(join(resolve(values.lighthouse), "package.json"));
const { default: lighthouse, desktopConfig } = (await import(pathToFileURL(from.resolve("lighthouse")).href)) as {
  default: Lighthouse;
  desktopConfig: unknown;
};

const { files } = JSON.parse(readFileSync(join(bundle, "offprint.json"), "utf8")) as Manifest;
const all = files.map(({ path }) => path).filter((path) => path.endsWith(".html") && path !== "404.html");
const pages = values.page ?? Array.from({ length: 5 }, (_, i) => all[Math.floor((i * all.length) / 5)]!);
const data = mkdtempSync(join(tmpdir(), "offprint-bench-"));
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const server = spawn(process.execPath, [cli, "serve", bundle, "--port", "0", "--data", data], {
  stdio: ["ignore", "ignore", "pipe"],
});
const browser = spawn(
  process.env["CHROMIUM"] ?? findChromium()!,
  [
    ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
    ...["--remote-debugging-port=0", `--user-data-dir=${join(data, "profile")}`, "about:blank"],
  ],
  { stdio: ["ignore", "ignore", "pipe"] },
);
try {
  const [root, port] = await Promise.all([
    said(server, /"(http:[^"]+)"[\s\S]*Serving/),
    said(browser, /DevTools listening on ws:\/\/[^:]+:(\d+)/),
  ]);
  for (const page of pages) {
    const reports: Report[] = [];
    for (let i = 0; i < Number(values.runs); i++) {
      const result = await lighthouse(
        root + encodeURI(page),
        { port: Number(port), output: "json", logLevel: "error" },
        values.desktop ? desktopConfig : undefined,
      );
      reports.push(result!.lhr);
    }
    reports.sort((a, b) => a.categories["performance"]!.score - b.categories["performance"]!.score);
    console.log(JSON.stringify({ page, ...summary(reports) }));
  }
} finally {
  browser.kill();
  server.kill();
  await once(browser, "exit");
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
}

function summary(reports: readonly Report[]) {
  const median = reports[Math.floor(reports.length / 2)]!;
  const { categories, audits } = median;
  const scoresOf = (report: Report) => report.categories["performance"]!.score;
  const metricOf = (id: string, digits = 0) => Number((audits[id]?.numericValue ?? 0).toFixed(digits));
  const failed = Object.entries(categories).flatMap(([category, { auditRefs }]) =>
    auditRefs
      .filter(({ id, weight }) => (category === "performance" || weight > 0) && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${id}${audits[id]!.displayValue ? ` (${audits[id]!.displayValue})` : ""}`),
  );
  return {
    performance: Math.round(scoresOf(median) * 100),
    spread: [Math.round(scoresOf(reports[0]!) * 100), Math.round(scoresOf(reports.at(-1)!) * 100)],
    accessibility: Math.round(categories["accessibility"]!.score * 100),
    bestPractices: Math.round(categories["best-practices"]!.score * 100),
    seo: Math.round(categories["seo"]!.score * 100),
    fcpMs: metricOf("first-contentful-paint"),
    lcpMs: metricOf("largest-contentful-paint"),
    blockedMs: metricOf("total-blocking-time"),
    shift: metricOf("cumulative-layout-shift", 3),
    speedIndexMs: metricOf("speed-index"),
    benchmarkIndex: Math.round(median.environment.benchmarkIndex),
    failed: [...new Set(failed)],
  };
}

/** What the program prints on stderr in place of the group of the pattern. */
async function said(program: typeof server, pattern: RegExp): Promise<string> {
  let text = "";
  for (;;) {
    const found = pattern.exec(text);
    if (found) return found[1]!;
    text += String((await once(program.stderr!, "data"))[0]);
  }
}
