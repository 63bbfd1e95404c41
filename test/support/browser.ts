import { spawnSync } from "node:child_process";
import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { patienceMs } from "./patience.ts";

/** The same names as in `scripts/ensure-test-programs.js`. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** Path of the system's Chromium. If there is none, warns and returns undefined, or throws if `CI` is set. */
export function findChromium(): string | undefined {
  const found = names
    .map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim())
    .find((path) => path !== "");
  if (found === undefined) {
    const reason = "Chromium is missing. Install it: sudo apt-get install chromium-headless-shell";
    if (process.env["CI"]) throw new Error(reason);
    console.warn(`Skipped browser tests. ${reason}`);
  }
  return found;
}

/** Without network traffic of the browser itself. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A browser of the caller. Pages come from file:// or from loopback. */
export async function launchBrowser(executablePath: string, options: readonly string[] = []): Promise<Browser> {
  return patient(await chromium.launch({ timeout: patienceMs, executablePath, args: [...args, ...options] }));
}

/** A browser to which several processes connect. Frames of other origins share the process of the page. */
export function launchBrowserServer(executablePath: string): Promise<BrowserServer> {
  const options = ["--disable-site-isolation-trials"];
  return chromium.launchServer({ timeout: patienceMs, executablePath, args: [...args, ...options] });
}

export async function connectBrowser(endpoint: string): Promise<Browser> {
  return patient(await chromium.connect(endpoint, { timeout: patienceMs }));
}

function patient(browser: Browser): Browser {
  browser.on("context", (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}
