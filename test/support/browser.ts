import { spawnSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

/** As `scripts/ensure-test-programs.js` looks for them. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The system's Chromium, or undefined with a printed reason; with `CI` set its absence is an error. */
export function findChromium(): string | undefined {
  const found = names
    .map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim())
    .find((path) => path !== "");
  if (found === undefined) {
    const reason = "There is no Chromium; install it with: sudo apt-get install chromium-headless-shell";
    if (process.env["CI"]) throw new Error(reason);
    console.warn(`Browser tests are left out. ${reason}`);
  }
  return found;
}

/** A browser that reaches nothing outside: pages come from file:// or from loopback. */
export function launchBrowser(executablePath: string, options: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      ...options,
    ],
  });
}
