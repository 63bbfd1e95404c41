/** What is written can be read: without JavaScript, and on paper. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium, launchBrowser } from "../support/browser.js";
import { collect, exportedGallery, sampleOf } from "./bundle.js";

/**
 * What is only said on demand (tooltips, what a screen reader hears, what is folded), what acts by script alone, one of
 * two that take turns, and what a diagram hides of itself.
 */
const exceptions = [
  ".tooltip-content, .sr-only, details:not([open]) > :not(summary)",
  "button:not(.color-item), select, .multi-view-label, .prompt-actions",
  ".code-block-more, .code-block-less, .when-closed, .when-open, .color-dark, .color-light",
  ".mermaid-drawing",
].join(", ");
/** What paper needs not: addresses of sections, the text of diagrams that are drawn above, views that were not chosen. */
const notPrinted = ".heading-anchor, .mermaid-source, #pagination, .view";
/** Paper of A4 between usual margins, in CSS pixels. */
const paper = { width: 718, height: 1047 };

/** What browsers break nowhere, a formula above all; what stands outside the page on purpose. */
const notBroken = ".math-display, .mermaid-drawing, .sr-only, .tooltip-content";

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the pages of the gallery", () => {
  const gallery = exportedGallery();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(chromium!);
  });
  afterAll(() => browser?.close());

  test("show all their text without JavaScript, and no control that would do nothing", async () => {
    const open = () => openPage({ javaScriptEnabled: false });
    const found = await collect(gallery().pages, open, async (page, path) => {
      await page.goto(address(path));
      await page.evaluate(() => {
        for (const details of document.querySelectorAll<HTMLDetailsElement>("#content-area details"))
          details.open = true;
      });
      const dead = await page
        .locator("button:visible:not(.tooltip-trigger, .color-item), select:visible, input:not(:disabled):visible")
        .evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 120)));
      return [
        ...(await unseenText(page, "#banner, #header, #content-area, #footer", exceptions)).map(
          (text) => `${path}: not seen: ${text}`,
        ),
        ...dead.map((html) => `${path}: dead: ${html}`),
      ];
    });
    assert.deepEqual(found, []);
  });

  test("can be gone through without JavaScript, on a phone too", async () => {
    for (const width of [1360, 390]) {
      const page = await openPage({ javaScriptEnabled: false, viewport: { width, height: 844 } });
      await page.goto(address("components/tabs.html"));
      if (width < 500) await page.locator("#mobile-nav-trigger").click();
      await page.locator("#sidebar a[href$='steps.html']").click();
      await page.waitForURL(address("components/steps.html"));
      await page.context().close();
    }
  });

  test("print all their content, in black on white, without what is for a screen", async () => {
    const open = () => openPage({ viewport: paper, colorScheme: "dark" });
    const found = await collect(sampleOf(gallery().pages, 30), open, async (page, path) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.goto(address(path));
      const chrome = await page
        .locator(
          ":is(#header, #sidebar, #banner, #footer, #pagination, #table-of-contents, button:not(.color-item, .tooltip-trigger)):visible",
        )
        .evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 100)));
      const dark = await page.evaluate(() =>
        [getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor].filter(
          (color) => !/^rgba?\(0, 0, 0|^rgb\(255, 255, 255/.test(color),
        ),
      );
      const beside = await textBeside(page, paper.width);
      return [
        ...(await unseenText(page, "#content-area", `${exceptions}, ${notPrinted}`)).map(
          (text) => `${path}: not on paper: ${text}`,
        ),
        ...chrome.map((html) => `${path}: for a screen: ${html}`),
        ...dark.map((color) => `${path}: printed in ${color}`),
        ...beside.map((text) => `${path}: beside the paper: ${text}`),
      ];
    });
    assert.deepEqual(found, []);
  });

  const address = (path: string): string => pathToFileURL(join(gallery().folder, path)).href;

  async function openPage(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, offline: true, ...options });
    return context.newPage();
  }
});

/** Text within the element that takes no room on the page, but for what stands in the exceptions. */
function unseenText(page: Page, within: string, exceptions: string): Promise<string[]> {
  return page.evaluate(
    ([scope, except]) => {
      const found: string[] = [];
      for (const root of document.querySelectorAll(scope)) {
        for (const drawing of root.querySelectorAll(".mermaid-drawing"))
          if (drawing.getBoundingClientRect().height < 20) found.push("a diagram");
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const text = walker.currentNode.textContent!.trim();
          const parent = walker.currentNode.parentElement!;
          // Signs that only say how a formula is read.
          if (
            /^[\u2061-\u2064]*$/.test(text) ||
            parent.closest(`script, style, template, title, annotation, ${except}`)
          )
            continue;
          const range = document.createRange();
          range.selectNode(walker.currentNode);
          const { width, height } = range.getBoundingClientRect();
          const seen = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
          if (!seen || width < 1 || height < 1)
            found.push(`"${text.slice(0, 60)}" in ${parent.localName}.${parent.getAttribute("class") ?? ""}`);
        }
      }
      return found;
    },
    [within, exceptions] as const,
  );
}

/** Text that ends further to the side than so many pixels, wherever it could be scrolled to on a screen. */
function textBeside(page: Page, width: number): Promise<string[]> {
  return page.evaluate(
    ([limit, except]) => {
      const found = new Set<string>();
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement!;
        if (!parent.checkVisibility() || parent.closest(except)) continue;
        const range = document.createRange();
        range.selectNode(walker.currentNode);
        const { left, right } = range.getBoundingClientRect();
        if (right > limit + 1 || left < -1)
          found.add(`${Math.round(right)} px in ${parent.closest("[class]")?.className}`);
      }
      return [...found];
    },
    [width, notBroken] as const,
  );
}
