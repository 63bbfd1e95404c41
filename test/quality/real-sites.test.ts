/** Pages of real sites keep nobody out either: axe, with the rules of WCAG 2.2 AA, over sixty of them. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportSite, loadSite } from "offprint";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium, launchBrowser } from "../support/browser.js";
import { findCorpora } from "../support/corpora.js";
import { axeSource, violationsOf } from "./axe.js";
import { collect, pagesOf, sampleOf, sweeping } from "./bundle.js";
import { unfold } from "./look.js";
import { screens } from "./scenes.js";

const corpora = findCorpora();
const pageCount = Math.ceil(60 / corpora.length);
const chromium = findChromium();

describe.skipIf(chromium === undefined || corpora.length === 0)("axe finds nothing", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(chromium!);
  });
  afterAll(() => browser?.close());

  for (const { name, folder: source } of corpora)
    test(`on pages of ${name}`, async () => {
      const output = join(tmpdir(), `offprint-axe-${name}`);
      try {
        const { site } = await loadSite({ source });
        const paths = sampleOf(site!.pages, pageCount).map(({ urlPath }) => urlPath);
        await exportSite({ source, output, paths });
        // The page for unknown addresses finds its styles from the root of the site's host; the gallery's stands for all.
        const pages = pagesOf(output).filter((path) => path !== "404.html");
        const looks = sweeping ? ["light", "dark"] : undefined;
        const views = pages.flatMap((path, i) =>
          (looks ?? [i % 2 === 0 ? "light" : "dark"]).map((look) => ({ path, look })),
        );
        const found = await collect(views, openLane, async (page, { path, look }) => {
          await page.emulateMedia({ colorScheme: look as "light" | "dark" });
          await page.goto(pathToFileURL(join(output, path)).href);
          if (look === "dark") await unfold(page);
          // In which order a site's own headings stand, and other good practice, is the site's business.
          return (await violationsOf(page, { bestPractice: false })).map((each) => `${path}, ${look} | ${each}`);
        });
        assert.deepEqual(found, []);
      } finally {
        rmSync(output, { recursive: true, force: true });
      }
    }, 600_000);

  async function openLane() {
    const context = await browser.newContext({ viewport: screens.light, reducedMotion: "reduce", offline: true });
    await context.addInitScript(axeSource);
    return context.newPage();
  }
});
