/** Pages fit every screen, and nothing on them moves once it is there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium, launchBrowser } from "../support/browser.js";
import { type ServedFolder, serveFolder } from "../support/serve-folder.js";
import { unfold } from "./axe.js";
import { collect, exportedGallery, sampleOf, sweeping } from "./bundle.js";

const widths = [320, 375, 768, 1024, 1360, 1920];

const chromium = findChromium();

describe.skipIf(chromium === undefined)("a page of the gallery", () => {
  const gallery = exportedGallery();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(chromium!);
  });
  afterAll(() => browser?.close());

  test(`is never wider than its window, from ${widths[0]} to ${widths.at(-1)} px, folded and unfolded`, async () => {
    const found = await collect(gallery().pages, openPage, async (page, path) => {
      await page.goto(pathToFileURL(join(gallery().folder, path)).href);
      const wide: string[] = [];
      const measure = async (state: string, all: readonly number[]): Promise<void> => {
        for (const width of all) {
          await page.setViewportSize({ width, height: 900 });
          wide.push(...(await outsideWindow(page)).map((what) => `${path}, ${state}, ${width} px | ${what}`));
        }
      };
      await measure("folded", widths);
      await unfold(page);
      await measure("unfolded", sweeping ? widths : [320, 1360]);
      return wide;
    });
    assert.deepEqual(found, []);
  });

  test("does not move while its pictures and scripts arrive", async () => {
    const late = /\.(?:svg|png|js)$/;
    const served = await serveFolder(gallery().folder, {
      kept: /\.woff2$/,
      delayMs: (path) => (late.test(path) ? 150 : 0),
    });
    const screens = [1360, 390];
    const views = gallery().pages.flatMap((path, index) =>
      (sweeping ? screens : [screens[index % 2]!]).map((width) => ({ path, width })),
    );
    try {
      const openLane = () => openWithFonts(served);
      const found = await collect(views, openLane, async (page, { path, width }) => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(served.url + path);
        return (await shiftsAfter(page)).map(({ value, what }) => `${path}, ${width} px | ${value} | ${what}`);
      });
      assert.deepEqual(found, []);
    } finally {
      await served.close();
    }
  });

  test("moves less than an eye sees when fonts arrive late, on a first visit", async () => {
    const served = await serveFolder(gallery().folder, { delayMs: (path) => (path.endsWith(".woff2") ? 400 : 0) });
    try {
      for (const path of sampleOf(gallery().pages, 8)) {
        const page = await openPage();
        await watchShifts(page);
        await page.goto(served.url + path);
        const all = await shiftsAfter(page);
        const sum = all.reduce((total, { value }) => total + value, 0);
        assert.ok(sum <= 0.01, `${path} moves by ${sum}: ${all.map(({ what }) => what).join(", ")}`);
        await page.context().close();
      }
    } finally {
      await served.close();
    }
  });

  /** A page that knows all fonts from a first visit, as it is for a reader who goes on. */
  async function openWithFonts(served: ServedFolder): Promise<Page> {
    const page = await openPage();
    for (const path of ["text/long-words.html", "components/formulas.html"]) {
      await page.goto(served.url + path);
      await page.evaluate(() => document.fonts.ready);
    }
    await watchShifts(page);
    return page;
  }

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, colorScheme: "light" });
    return context.newPage();
  }
});

interface Shift {
  readonly value: number;
  readonly what: string;
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        const nodes = entry.sources.map(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.localName ?? "removed"}.${element?.getAttribute("class") ?? ""}`;
        });
        shifts.push({ value: entry.value, what: nodes.join(" ") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

interface LayoutShift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** All that moved until everything is there and two frames more are painted. */
async function shiftsAfter(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { shifts: Shift[] }).shifts;
  });
}

/** What sticks out of the window, or is cut off by a box that does not scroll. */
function outsideWindow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width)
      found.push(`the document is ${document.documentElement.scrollWidth} px wide`);
    const nameOf = (element: Element): string => `${element.localName}.${element.getAttribute("class") ?? ""}`;
    const overflowOf = (element: Element): string => getComputedStyle(element).overflowX;
    const scrolls = (element: Element): boolean => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
        if (/auto|scroll/.test(overflowOf(at)) || isHiddenFromEyes(at)) return true;
      return isHiddenFromEyes(element);
    };
    const isHiddenFromEyes = (element: Element): boolean =>
      /hidden|clip/.test(overflowOf(element)) && element.getBoundingClientRect().width <= 2;
    for (const element of document.body.querySelectorAll("*")) {
      if (
        element.closest("svg svg, svg *") ||
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue;
      const { left, right, height } = element.getBoundingClientRect();
      if (height > 1 && right > left && (right > width + 1 || left < -1) && !scrolls(element))
        found.push(`${nameOf(element)} stands from ${Math.round(left)} to ${Math.round(right)}`);
      const { overflowX, textOverflow } = getComputedStyle(element);
      const cut = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
      if (cut && textOverflow !== "ellipsis" && !isHiddenFromEyes(element))
        found.push(`${nameOf(element)} cuts off ${element.scrollWidth - element.clientWidth} px`);
    }
    return found;
  });
}
