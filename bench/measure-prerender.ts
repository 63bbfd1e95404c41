// How long after a click is a page shown that the browser has prerendered?
//
//   node bench/measure-prerender.ts ./out                      seven clicks on the link to the next page of the first page
//   node bench/measure-prerender.ts ./out --page guide.html    from this page
//   node bench/measure-prerender.ts ./out --bare               pages of a heading and a link: the least that this browser takes
//   node bench/measure-prerender.ts ./out --runs 20 --pointing 250 --delay 200    in milliseconds; default: 1000 and 80
//
// Chromium prerenders nothing while a program controls it, so this one has no debugger: it runs on a virtual screen, and
// the mouse and the keys are those of the system. Serves the bundle as measure-navigation.ts does. Prints one JSON line:
// how many pages were prerendered, and their largest contentful paint, counted from the click's activation.
// Needs Xvfb, xdotool and a full Chromium, which the environment may name in `CHROMIUM`.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Manifest } from "offprint";
import { serveDelayed, summary } from "./delayed-bundle.ts";

interface Finding {
  readonly kind: "link" | "shown";
  /** Middle of the link on the screen. */
  readonly x: number;
  readonly y: number;
  readonly lcpMs: number;
  /** 0 if the page was not prerendered. */
  readonly activationMs: number;
}

const { values, positionals } = parseArgs({
  options: {
    page: { type: "string" },
    runs: { type: "string", default: "7" },
    pointing: { type: "string", default: "1000" },
    delay: { type: "string", default: "80" },
    bare: { type: "boolean" },
  },
  allowPositionals: true,
});
const [bundle = "out"] = positionals;
const xvfb = programOf(["Xvfb"], "sudo apt-get install xvfb");
const xdotool = programOf(["xdotool"], "sudo apt-get install xdotool");
const chromium =
  process.env["CHROMIUM"] ??
  programOf(["chromium", "chromium-browser", "google-chrome"], "sudo apt-get install chromium");
const page = values.page ?? firstPage();

const findings: Finding[] = [];
const served = await serveDelayed(bundle, {
  delayMs: Number(values.delay),
  ...(values.bare && { change: bare }),
  script: `(${report})(${JSON.stringify(`/${encodeURI(page)}`)})`,
  onFinding: (json) => findings.push(JSON.parse(json) as Finding),
});
const profile = mkdtempSync(join(tmpdir(), "offprint-bench-"));
// With -displayfd, Xvfb chooses a free display and writes its number.
const screen = spawn(xvfb, ["-displayfd", "1", "-screen", "0", "1300x950x24"], { stdio: ["ignore", "pipe", "ignore"] });
const env = { ...process.env, DISPLAY: `:${String((await once(screen.stdout, "data"))[0]).trim()}` };
const browser = spawn(
  chromium,
  [
    ...["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--window-position=0,0"],
    ...["--window-size=1280,900", `--user-data-dir=${profile}`, served.root + encodeURI(page)],
  ],
  { env, stdio: "ignore" },
);
try {
  const shown: Finding[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const { x, y } = await found("link");
    press("mousemove", 600, 130);
    await sleep(200);
    press("mousemove", x, y);
    press("mousemove", x + 2, y);
    await sleep(Number(values.pointing));
    findings.length = 0;
    press("click", 1);
    shown.push(await found("shown"));
    await sleep(300);
    findings.length = 0;
    press("key", "alt+Left");
  }
  const lcpMs = shown.map((each) => Math.max(0, each.lcpMs - each.activationMs));
  console.log(
    JSON.stringify({
      clicks: shown.length,
      prerendered: shown.filter(({ activationMs }) => activationMs > 0).length,
      bare: values.bare === true,
      delayMs: Number(values.delay),
      pointingMs: Number(values.pointing),
      lcpMs: { ...summary(lcpMs), all: lcpMs.map(Math.round) },
      node: process.version,
    }),
  );
} finally {
  browser.kill();
  await once(browser, "exit");
  screen.kill();
  served.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

function programOf(names: readonly string[], install: string): string {
  const path = names.map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim()).find(Boolean);
  if (path) return path;
  console.error(`${names[0]} is missing. Install it: ${install}`);
  process.exit(1);
}

function firstPage(): string {
  const { files } = JSON.parse(readFileSync(join(bundle, "offprint.json"), "utf8")) as Manifest;
  return files
    .map(({ path }) => path)
    .find(
      (path) => path.endsWith(".html") && readFileSync(join(bundle, path), "utf8").includes('class="pagination-next"'),
    )!;
}

/** The page's title and its link to the next page, without styles and scripts. */
function bare(html: string): string {
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
  const next = /<a\b[^>]*\bclass="pagination-next"[^>]*>/.exec(html)?.[0] ?? "<a>";
  return `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${next}Next</a></body></html>`;
}

function press(...command: readonly (string | number)[]): void {
  const words = command.map((word) => String(typeof word === "number" ? Math.round(word) : word));
  execFileSync(xdotool, words, { env });
}

/** Waits for a message from a page. */
async function found(kind: Finding["kind"]): Promise<Finding> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 50) {
    const finding = findings.find((each) => each.kind === kind);
    if (finding) return finding;
    await sleep(50);
  }
  throw new Error(`After 30 s no page has sent "${kind}".`);
}

/** Runs in each page: sends the place of the link on the first page, and the times of the next page. */
function report(firstPath: string): void {
  const send = (finding: Partial<Finding>) => navigator.sendBeacon("/__bench", JSON.stringify(finding));
  const isFirst = location.pathname === firstPath;
  const showLink = () => {
    const link = document.querySelector(".pagination-next")!;
    link.scrollIntoView({ block: "center", behavior: "instant" });
    setTimeout(() => {
      const { x, y, width, height } = link.getBoundingClientRect();
      const top = screenY + outerHeight - innerHeight;
      send({ kind: "link", x: screenX + x + width / 2, y: top + y + height / 2 });
    }, 500);
  };
  let lcpMs = 0;
  new PerformanceObserver((list) => {
    lcpMs = list.getEntries().at(-1)!.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const sendTimes = (): unknown =>
    setTimeout(() => {
      if (lcpMs === 0) return sendTimes();
      const [navigation] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
        activationStart: number;
      })[];
      send({ kind: "shown", lcpMs, activationMs: navigation!.activationStart });
    }, 700);
  const isPrerendering = (document as Document & { prerendering?: boolean }).prerendering;
  // Also fires for a page that comes back from the cache.
  if (isFirst) addEventListener("pageshow", () => setTimeout(showLink, 400));
  else if (isPrerendering) document.addEventListener("prerenderingchange", sendTimes, { once: true });
  else addEventListener("load", sendTimes);
}
