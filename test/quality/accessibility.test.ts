/**
 * Nothing on a page keeps anybody from reading or using it, as far as a program can tell: axe, with the rules of
 * WCAG 2.2 AA, over every page of the gallery, over what opens on a press, and over pages of real sites. Pages are
 * looked at in light colours as they come, their content again in dark ones with everything unfolded.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportSite, loadSite } from "offprint";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium, launchBrowser } from "../support/browser.js";
import { findCorpora } from "../support/corpora.js";
import { axeSource, unfold, violationsOf } from "./axe.js";
import { collect, exportedGallery, pagesOf, sampleOf } from "./bundle.js";
import { type Look, scenes, screens } from "./scenes.js";

const corpora = findCorpora();
/** Pages taken of a real site, of all of them sixty. */
const corpusPages = Math.ceil(60 / corpora.length);

const chromium = findChromium();

describe.skipIf(chromium === undefined)("axe finds nothing", () => {
  const gallery = exportedGallery();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(chromium!);
  });
  afterAll(() => browser?.close());

  test("on the pages of the gallery", async () => {
    assert.deepEqual(await violationsIn(gallery().folder, gallery().pages, true), []);
  });

  test("on what opens on a press", async () => {
    const openLanes = async () => ({
      light: await openLane("light"),
      dark: await openLane("dark"),
      phone: await openLane("phone"),
    });
    const found = await collect(sampleOf(scenes, 12), openLanes, async (lanes, { name, page: path, look, act }) => {
      const page = lanes[look];
      await page.goto(pathToFileURL(join(gallery().folder, path)).href);
      await act(page);
      return (await violationsOf(page)).map((each) => `${name}, ${look} | ${each}`);
    });
    assert.deepEqual(found, []);
  });

  // In which order a site's own headings stand, and other good practice, is the site's business.
  for (const { name, folder: source } of corpora)
    test(`on pages of ${name}`, async () => {
      const output = join(tmpdir(), `offprint-axe-${name}`);
      try {
        const { site } = await loadSite({ source });
        const paths = sampleOf(site!.pages, corpusPages).map(({ urlPath }) => urlPath);
        await exportSite({ source, output, paths });
        // The page for unknown addresses finds its styles from the root of the site's host; the gallery's stands for all.
        const pages = pagesOf(output).filter((path) => path !== "404.html");
        assert.deepEqual(await violationsIn(output, pages, false), []);
      } finally {
        rmSync(output, { recursive: true, force: true });
      }
    });

  function violationsIn(folder: string, pages: readonly string[], bestPractice: boolean): Promise<string[]> {
    const openLanes = () => openLane("light");
    return collect(pages, openLanes, async (page, path) => {
      await page.goto(pathToFileURL(join(folder, path)).href);
      const light = await violationsOf(page, { bestPractice });
      await page.emulateMedia({ colorScheme: "dark" });
      await unfold(page);
      const dark = await violationsOf(page, { bestPractice, within: "#content-area" });
      await page.emulateMedia({ colorScheme: "light" });
      return [...light.map((each) => `${path}, light | ${each}`), ...dark.map((each) => `${path}, dark | ${each}`)];
    });
  }

  async function openLane(look: Look): Promise<Page> {
    const context = await browser.newContext({
      viewport: screens[look],
      colorScheme: look === "dark" ? "dark" : "light",
      reducedMotion: "reduce",
      offline: true,
    });
    await context.addInitScript(axeSource);
    return context.newPage();
  }
});
