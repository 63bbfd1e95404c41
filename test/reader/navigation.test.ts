/** Navigation in Chromium: by mouse, by keyboard, on a phone, right-to-left, and without scripts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { newFolder, writeSite } from "../security/site-folder.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";
import { waitUntil } from "../support/wait-until.js";
import { navigationSite } from "./navigation-site.js";

const chromium = findChromium();
const phone = { width: 390, height: 844 };

let folder: string;
let served: ServedFolder;
let context: BrowserContext;
let page: Page;
let problems: string[];
/** Paths that the server was asked for. */
const asked: string[] = [];

const address = (path: string) => pathToFileURL(join(folder, path)).href;
const open = (path: string) => page.goto(address(path));
const path = () => new URL(page.url()).pathname.slice(new URL(address("")).pathname.length + 1);
const isShown = (selector: string) => page.isVisible(selector);
const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
const isFocused = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((each) => document.activeElement === each);
const isFocusIn = (selector: string) =>
  page.evaluate((each) => document.activeElement?.closest(each) !== null, selector);
const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

async function opened(where: BrowserContext): Promise<Page> {
  const made = await where.newPage();
  problems = [];
  made.on("console", (message) => {
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) problems.push(message.text());
  });
  made.on("pageerror", (error) => problems.push(error.message));
  return made;
}

describe.skipIf(chromium === undefined)("navigation", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  beforeAll(async () => {
    const source = writeSite(newFolder("navigation-site"), navigationSite);
    folder = newFolder("navigation");
    const result = await exportInProcess({ source, output: folder });
    assert.deepEqual(
      result.diagnostics.filter(({ severity }) => severity === "error"),
      [],
    );
    served = await serveFolder(folder, {
      base: "/a/b/",
      policy: strictPolicy,
      heldBack: (asking) => void asked.push(asking),
    });
  });
  afterAll(async () => {
    await served?.close();
  });
  beforeEach(async () => {
    context = await browser().newContext({
      viewport: { width: 1400, height: 900 },
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    page = await opened(context);
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });

  describe("the sidebar", () => {
    const group = (label: string) => `.sidebar-nested:has(> summary:has-text("${label}"))`;
    const isOpen = (label: string) => page.locator(group(label)).evaluate((each) => (each as HTMLDetailsElement).open);

    test("keeps its scroll position and its open groups on the next page", async () => {
      await open("en/v2/guides/install.html");
      assert.equal(await isOpen("Rarely needed"), false);
      await page.click(`${group("Rarely needed")} > summary`);
      await page.evaluate(() => {
        document.querySelector(".site-sidebar")!.scrollTop = 300;
      });
      await page.click('.sidebar-link:has-text("page-12")');
      await page.waitForURL(/page-12\.html$/);
      assert.equal(await isOpen("Rarely needed"), true);
      assert.equal(await page.evaluate(() => document.querySelector(".site-sidebar")!.scrollTop), 300);
    });

    test("is restored when a prerendered or cached page is shown, like the colour mode", async () => {
      await open("en/v2/many/page-12.html");
      await page.evaluate(() => {
        localStorage.setItem("offprint-mode", "dark");
        sessionStorage.setItem("offprint-sidebar", JSON.stringify({ top: 300, open: {} }));
        document.dispatchEvent(new Event("prerenderingchange"));
      });
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
      assert.equal(await isDark(), true);
      assert.equal(await page.evaluate(() => document.querySelector(".site-sidebar")!.scrollTop), 300);
      await page.evaluate(() => {
        localStorage.setItem("offprint-mode", "light");
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      });
      assert.equal(await isDark(), false);
    });

    test("is restored before the first paint, also over HTTP", async () => {
      await page.goto(`${served.url}en/v2/guides/install.html`);
      await page.click(`${group("Rarely needed")} > summary`);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(`${served.url}en/v2/guides/tune.html`);
      assert.equal(await isOpen("Rarely needed"), true);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      assert.ok((await page.evaluate<number[]>("shifts")).every((shift) => shift < 0.001));
    });

    test("shows the current page even if its group was closed or scrolled out of view", async () => {
      await open("en/v2/guides/deep.html");
      await page.click(`${group("Advanced")} > summary`);
      assert.equal(await isOpen("Advanced"), false);
      await page.reload();
      assert.equal(await isOpen("Advanced"), true);
      await open("en/v2/many/page-39.html");
      const [entry, box] = [await boxOf(".sidebar-link[aria-current]"), await boxOf(".site-sidebar")];
      assert.ok(entry.y >= box.y && entry.y + entry.height <= box.y + box.height);
    });

    test("is shown on a home page outside the navigation, with no entry marked", async () => {
      await open("index.html");
      assert.ok(await isShown('.sidebar-link:has-text("install")'));
      assert.equal(await page.locator("[aria-current=page]").count(), 0);
      assert.equal(await page.locator(".menu-item:not([href])").count(), 0);
    });
  });

  describe("switchers", () => {
    const choose = async (menu: string, entry: string) => {
      await page.click(`.menu-${menu} > summary`);
      await page.click(`.menu-${menu} .menu-item:has-text("${entry}")`);
      await page.waitForLoadState();
    };

    test("stay on the same page in another version and another language", async () => {
      await open("en/v2/guides/tune.html");
      await choose("version", "v1");
      assert.equal(path(), "en/v1/guides/tune.html");
      await choose("language", "العربية");
      assert.equal(path(), "ar/v1/guides/tune.html");
      await choose("language", "Deutsch");
      assert.equal(path(), "de/guides/tune.html");
      await choose("language", "English");
      assert.equal(path(), "en/v2/guides/tune.html");
    });

    test("lead to the first page if the current page does not exist there", async () => {
      await open("en/v1/many/page-07.html");
      await choose("language", "Deutsch");
      assert.equal(path(), "de/guides/install.html");
    });

    test("can be opened, used and closed by keyboard", async () => {
      await open("en/v2/guides/tune.html");
      await page.focus(".menu-version > summary");
      assert.equal(await page.getAttribute(".menu-version > summary", "aria-label"), "Version: v2 New");
      await page.keyboard.press("ArrowDown");
      assert.ok(await isFocused('.menu-version .menu-item:has-text("v2")'));
      await page.keyboard.press("ArrowDown");
      assert.ok(await isFocused('.menu-version .menu-item:has-text("v1")'));
      await page.keyboard.press("Escape");
      assert.ok(await isFocused(".menu-version > summary"));
      assert.equal(await isShown(".menu-version .menu-panel"), false);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForURL(/en\/v1\/guides\/tune\.html$/);
    });
  });

  describe("tabs", () => {
    test("scroll if they do not fit, while the page does not", async () => {
      for (const width of [1024, 1100, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        await open("en/v2/guides/tune.html");
        assert.equal(await isWider(), false, String(width));
      }
    });

    test("keep the menu of the last tab on the screen, in both text directions", async () => {
      for (const language of ["en", "ar"])
        for (const width of [1024, 1400]) {
          await page.setViewportSize({ width, height: 800 });
          await open(`${language}/v2/guides/tune.html`);
          await page.click(".menu-tab > summary");
          const { x, width: wide } = await boxOf(".menu-tab > .menu-panel");
          assert.ok(x >= 0 && x + wide <= width, `${language} ${width}: ${x} to ${x + wide}`);
          assert.equal(await isWider(), false);
          await page.click(`.menu-tab .menu-item:has-text("Python")`);
          await page.waitForURL(/py\.html$/);
          assert.ok(await page.locator(".menu-tab > summary[data-open-tab]").count());
        }
    });
  });

  describe("the next page", () => {
    const prefetched = () =>
      page.locator('link[rel="prefetch"]').evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
    /** Points at links, each for longer than a passing pointer does. */
    const pointAt = async (...selectors: string[]) => {
      for (const selector of selectors) {
        await page.locator(selector).first().hover();
        await page.waitForTimeout(150);
      }
    };
    const entry = (name: string) => `.sidebar-link:has-text("${name}")`;
    const others = [".navbar-link", ".heading-anchor", entry("guides/tune")];

    test("is fetched once, and no other, when the reader points at its link or focuses it", async () => {
      await page.goto(`${served.url}en/v2/guides/tune.html#first`);
      asked.length = 0;
      // On a slow machine the icon of the site comes this late.
      const pages = () => asked.filter((path) => path.endsWith(".html"));
      await pointAt(...others, entry("install"));
      await waitUntil("the first page is fetched", () => pages().length > 0);
      await pointAt("#page-title", entry("install"));
      await page.focus(".pagination-next");
      await waitUntil("the second page is fetched", () => pages().length > 1);
      const expected = ["install", "deep"].map((name) => `/a/b/en/v2/guides/${name}.html`);
      assert.deepEqual(pages(), expected);
      assert.deepEqual(
        await prefetched(),
        expected.map((path) => new URL(path, served.url).href),
      );
      await page.click(entry("install"));
      await page.waitForURL(/install\.html$/);
    });

    test("is not fetched from disk or for readers who save data", async () => {
      await open("en/v2/guides/tune.html");
      await pointAt(entry("install"));
      assert.deepEqual(await prefetched(), []);
      for (const connection of [{ saveData: true }, { effectiveType: "2g" }]) {
        await page.addInitScript(
          (value) => Object.defineProperty(navigator, "connection", { value, configurable: true }),
          connection,
        );
        await page.goto(`${served.url}en/v2/guides/tune.html`);
        await pointAt(entry("install"));
        assert.deepEqual(await prefetched(), []);
      }
    });
  });

  describe("the outline", () => {
    const active = () => page.locator(".toc-item[data-active-deepest]").textContent();

    test("marks the current heading: the first at the start, the last at the end", async () => {
      await open("en/v2/guides/tune.html");
      assert.equal(await active(), "First");
      await page.evaluate(() => document.getElementById("deeper")!.scrollIntoView());
      await page.waitForSelector('.toc-item[data-active-deepest] a[href="#deeper"]');
      assert.deepEqual(await page.locator(".toc-item[data-active]").allInnerTexts(), ["First", "Deeper"]);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForSelector('.toc-item[data-active-deepest] a[href="#second"]');
    });

    test("is above the page on a phone and opens by a tap", async () => {
      await page.setViewportSize(phone);
      await open("en/v2/guides/tune.html");
      assert.equal(await isShown(".toc"), false);
      await page.click(".toc-title > button");
      assert.equal(await page.getAttribute(".toc-title > button", "aria-expanded"), "true");
      await page.click('.toc a[href="#second"]');
      assert.equal(await isShown(".toc"), false);
      await page.waitForFunction(
        () => document.querySelector<HTMLElement>(".toc-title")?.dataset["current"] === "Second",
      );
      const [bar, heading] = [await boxOf(".side-column"), await boxOf("#second")];
      assert.ok(heading.y >= bar.y + bar.height, "the bar covers the heading");
    });

    test("opens and closes by keyboard", async () => {
      await page.setViewportSize(phone);
      await open("en/v2/guides/tune.html");
      await page.focus(".toc-title > button");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      assert.ok(await isFocusIn(".toc"));
      await page.keyboard.press("Escape");
      assert.ok(await isFocused(".toc-title > button"));
      assert.equal(await isShown(".toc"), false);
    });
  });

  describe("the drawer of a phone", () => {
    beforeEach(() => page.setViewportSize(phone));

    test("traps focus while it is open and returns it afterwards", async () => {
      await open("en/v2/guides/tune.html");
      await page.focus("#mobile-nav-trigger");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#mobile-nav[open]");
      assert.equal(await page.getAttribute("#mobile-nav-trigger", "aria-expanded"), "true");
      for (const key of ["Tab", "Shift+Tab"])
        for (let step = 0; step < 6; step++) {
          await page.keyboard.press(key);
          assert.ok((await isFocusIn("#mobile-nav")) || (await isFocused("body")), `${key} ${step}`);
        }
      await page.keyboard.press("Escape");
      await page.waitForSelector("#sidebar-content", { state: "hidden" });
      assert.ok(await isFocused("#mobile-nav-trigger"));
      await page.waitForSelector("#sidebar > #sidebar-content", { state: "attached" });
    });

    test("opens repeatedly, and closes by a click outside and when the window grows", async () => {
      await open("en/v2/guides/tune.html");
      for (let round = 0; round < 2; round++) {
        await page.click("#mobile-nav-trigger");
        await page.mouse.click(phone.width - 5, 500);
        await page.waitForSelector("#mobile-nav", { state: "hidden" });
      }
      await page.click("#mobile-nav-trigger");
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.waitForSelector("#sidebar > #sidebar-content", { state: "visible" });
    });

    test("keeps the tabs in view above the current entry, and has the links that do not fit into the header", async () => {
      await open("en/v2/many/page-39.html");
      await page.click("#mobile-nav-trigger");
      const entry = await boxOf("#mobile-nav [aria-current=page]");
      assert.ok(entry.y > 0 && entry.y + entry.height <= phone.height);
      assert.ok((await boxOf("#mobile-nav .sidebar-close")).y >= 0);
      const tabs = await boxOf("#mobile-nav .mobile-nav-tabs");
      assert.ok(tabs.y >= 0 && tabs.height > 20 && tabs.y + tabs.height <= entry.y);
      assert.ok(await isShown('#mobile-nav .mobile-nav-link:has-text("Support")'));
      for (const each of ["Guides", "Academy", "Python"])
        assert.ok(await isShown(`#mobile-nav .mobile-nav-tabs-item:has-text("${each}")`), each);
      await page.click('#mobile-nav .sidebar-link:has-text("page-38")');
      await page.waitForURL(/page-38\.html$/);
    });
  });

  test("the header blurs content below it, but not at the top of a page", async () => {
    const blur = () => page.locator(".site-header").evaluate((header) => getComputedStyle(header).backdropFilter);
    await open("en/v2/guides/tune.html");
    assert.equal(await blur(), "none");
    await page.evaluate(() => scrollTo(0, 200));
    await waitUntil("the blur", async () => (await blur()).startsWith("blur"));
    await page.evaluate(() => scrollTo(0, 0));
    await waitUntil("no blur", async () => (await blur()) === "none");
  });

  test("the first Tab focuses the link that skips the navigation", async () => {
    await open("en/v2/guides/tune.html");
    await page.keyboard.press("Tab");
    assert.ok(await isFocused(".skip-link"));
    await page.keyboard.press("Enter");
    assert.ok(await isFocused("#content-container"));
  });

  test("a dismissed banner stays closed", async () => {
    await open("en/v2/guides/tune.html");
    await page.click(".banner-dismiss");
    await open("en/v2/guides/install.html");
    assert.equal(await isShown("#banner"), false);
  });

  test("social links are labelled with their names", async () => {
    await open("en/v2/guides/tune.html");
    const names = await page.locator(".footer-socials a").evaluateAll((all) => all.map((each) => each.ariaLabel));
    assert.deepEqual(names, ["GitHub", "Hacker News"]);
  });

  test("a dark page is printed in light colours and is dark again afterwards", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await open("en/v2/guides/tune.html");
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
    assert.equal(await isDark(), true);
    for (const [media, dark] of [
      ["print", false],
      ["screen", true],
    ] as const) {
      await page.emulateMedia({ media, colorScheme: "dark" });
      await page.waitForFunction((wanted) => document.documentElement.classList.contains("dark") === wanted, dark);
    }
  });

  test("a right-to-left page is mirrored, except for code", async () => {
    await open("ar/v2/guides/tune.html");
    const middle = 700;
    assert.ok((await boxOf(".site-sidebar")).x > middle && (await boxOf(".nav-home")).x > middle);
    assert.ok((await boxOf(".side-column")).x < middle && (await boxOf(".theme-toggle")).x < middle);
    const code = await page.$eval(".code-block pre", (each) => getComputedStyle(each).direction);
    assert.equal(code, "ltr");
    const copy = await boxOf(".code-block-copy-button");
    const language = await boxOf(".code-block-language");
    assert.ok(copy.x + copy.width <= language.x, "the copy button covers the language");
    for (const width of [320, 390, 768, 1024, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await isWider(), false, String(width));
    }
    await page.setViewportSize(phone);
    await page.click("#mobile-nav-trigger");
    assert.ok((await boxOf("#mobile-nav")).x > 0);
  });

  test("without scripts menus open, the sidebar is reachable, and nothing covers the page", async () => {
    const plain = await browser().newContext({ javaScriptEnabled: false, viewport: phone });
    page = await opened(plain);
    await open("en/v2/guides/tune.html");
    assert.equal(await isShown(".side-column"), false);
    await page.click(".menu-version > summary");
    await page.click('.menu-version .menu-item:has-text("v1")');
    await page.waitForURL(/en\/v1\/guides\/tune\.html$/);
    await page.click("#mobile-nav-trigger");
    await page.click('#sidebar .sidebar-link:has-text("install")');
    await page.waitForURL(/en\/v1\/guides\/install\.html$/);
    assert.ok(await isShown(".nav-tabs-bar"));
    assert.equal(await isWider(), false);
    await plain.close();
  });
});
