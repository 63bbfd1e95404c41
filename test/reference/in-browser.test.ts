/**
 * Pages of the API reference in Chromium: links into folded content, options, the remembered language, and no scripts.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";

const chromium = findChromium();
const source = fileURLToPath(new URL("../../fixtures/sites/api-reference", import.meta.url));

describe.skipIf(chromium === undefined)("a page of the API reference", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  let context: BrowserContext;
  let folder: string;
  const addressOf = (path: string): string => {
    const [file = "", hash] = path.split("#");
    return (
      pathToFileURL(join(folder, `${file}.html`)).href + (hash === undefined ? "" : `#${encodeURIComponent(hash)}`)
    );
  };
  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(addressOf(path));
    return page;
  };
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), "offprint-test-")), "out");
    const { ok } = await exportInProcess({ source, output: folder });
    expect(ok).toBe(true);
    context = await browser().newContext({ viewport: { width: 1300, height: 800 }, reducedMotion: "reduce" });
  });
  afterAll(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

  const create = "tideline/stations/create-a-station";
  for (const id of [
    "param-place:outline:0",
    "param-gauge:air:hectopascal",
    "param-fields",
    "param-quality",
    "response-422",
  ])
    test(`opens everything around #${id}`, async () => {
      const page = await open(`${create}#${id}`);
      const place = page.locator(`[id="${id}"]`).first();
      expect(await place.count()).toBe(1);
      expect(await place.isVisible()).toBe(true);
      const top = await place.evaluate((element) => element.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(800);
      await page.close();
    });

  test("shows one option at a time, by tabs or by the menu inside them", async () => {
    const page = await open(`${create}#param-gauge:air:hectopascal`);
    const menu = page.locator("#param-gauge\\:air select");
    await menu.selectOption({ label: "Measured" });
    expect(await page.locator('[id="param-gauge:air:hectopascal"]').isVisible()).toBe(false);
    expect(await page.locator('[id="param-gauge:air:sensor"]').isVisible()).toBe(true);
    await page.locator("#param-gauge").getByRole("tab", { name: "Float" }).click();
    expect(await page.locator('[id="param-gauge:well"]').isVisible()).toBe(true);
    expect(await page.locator('[id="param-gauge:air"]').isVisible()).toBe(false);
    await page.close();
  });

  test("remembers the language of samples from page to page", async () => {
    const page = await open("tideline/stations/list-stations");
    await page.locator("#request-example select").selectOption({ label: "Python" });
    expect(await page.getByText("import requests").isVisible()).toBe(true);
    await page.goto(addressOf("tideline/stations/get-a-station"));
    expect(await page.getByText("import requests").isVisible()).toBe(true);
    await page.close();
  });

  test("shows everything, or folds it, without a script", async () => {
    const plain = await browser().newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    const page = await plain.newPage();
    await page.goto(addressOf(create));
    for (const words of ["Something about it cannot be.", "A token with the scopes"])
      expect(await page.getByText(words).first().isVisible(), words).toBe(true);
    expect((await page.locator("#request-example pre").allInnerTexts()).join()).toContain("Bearer <token>");
    const folds = await page.locator("main details").count();
    for (let i = 0; i < folds; i++)
      await page
        .locator("main details")
        .nth(i)
        .evaluate((fold) => fold.setAttribute("open", ""));
    for (const words of ["Width in degrees.", "Diameter in metres.", "What the air weighs.", "Three gauges agree"])
      expect(await page.getByText(words).first().isVisible(), words).toBe(true);
    const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(wider).toBeLessThanOrEqual(0);
    await plain.close();
  });
});
