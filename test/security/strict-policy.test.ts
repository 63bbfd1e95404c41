/** Pages of the handbook, all of them in a sweep, work under the strictest content security policy: nothing is inline. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sampleOf } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { sharedBaseUrl, sharedExport } from "../support/shared-export.js";
import { filesIn } from "./site-folder.js";

const chromium = findChromium();
type Mode = "light" | "dark";
const base = `${new URL(sharedBaseUrl).pathname}/`;

describe.skipIf(chromium === undefined)("the handbook under a strict policy", () => {
  let output: string;
  const browser = sharedBrowser(chromium);
  let served: ServedFolder;

  beforeAll(async () => {
    output = (await sharedExport("handbook")).folder;
    served = await serveFolder(output, { base, policy: strictPolicy });
  });
  afterAll(() => served.close());

  test("shows its pages without a violation, in light and in dark mode", async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    let current = "";
    await page.exposeFunction("violated", (what: string) => problems.push(`${current}: ${what}`));
    await page.addInitScript(() =>
      addEventListener("securitypolicyviolation", (event) => {
        const { effectiveDirective, blockedURI, sample } = event;
        void (window as unknown as { violated(what: string): void }).violated(
          `${effectiveDirective} ${blockedURI} ${sample}`,
        );
      }),
    );
    page.on("pageerror", (error) => problems.push(`${current}: ${error.message}`));
    page.on("console", (message) => {
      // The page that redirects has no icon, and browsers ask for one.
      const isFault = message.type() === "error" && !message.location().url.endsWith("/favicon.ico");
      if (isFault) problems.push(`${current}: ${message.text()}`);
    });
    const all = filesIn(output).filter((path) => path.endsWith(".html"));
    const pages = sampleOf(
      all.filter((path) => !isRedirect(path)),
      11,
    );
    assert.ok(pages.length > 10);
    // By turns they are loaded in the one mode and put into the other.
    let mode: Mode = "light";
    for (const path of pages) {
      current = path;
      await page.goto(served.url + path, { waitUntil: "load" });
      assert.ok(await page.evaluate(isIn, mode), path);
      mode = mode === "dark" ? "light" : "dark";
      await page.emulateMedia({ colorScheme: mode });
      await page.waitForFunction(isIn, mode);
    }
    for (const path of all.filter(isRedirect)) {
      current = path;
      await page.goto(served.url + path, { waitUntil: "commit" });
      await page.waitForURL((url) => url.pathname !== base + path, { waitUntil: "load" });
    }
    await context.close();
    assert.deepEqual(problems, []);
  });

  const isIn = (mode: Mode): boolean => document.documentElement.classList.contains("dark") === (mode === "dark");
  const isRedirect = (path: string): boolean => /http-equiv="?refresh/i.test(readFileSync(join(output, path), "utf8"));
});
