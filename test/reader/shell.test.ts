import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { serveFolder, strictPolicy } from "../support/serve-folder.js";
import { actsAsReader, forget, sharedBrowser } from "../support/shared-browser.js";
import { writeBundle } from "./page.js";

const chromium = findChromium();

let folder: string;
let context: BrowserContext;
let page: Page;
let problems: string[];
const address = (fragment = "") => `file://${folder}/index.html${fragment}`;
const attribute = (selector: string, name: string) => page.getAttribute(selector, name);
const isShown = (selector: string) => page.isVisible(selector);
const shownPanels = () => page.locator('[data-tabs] > [role="tabpanel"]:visible').allInnerTexts();
const click = (selector: string) => page.click(selector);

describe.skipIf(chromium === undefined)("the script of a page", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  beforeAll(async () => {
    folder = await writeBundle();
    context = await browser().newContext({ reducedMotion: "reduce" });
    page = await open(context);
  });
  afterAll(async () => {
    await context.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    problems = [];
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.mouse.move(0, 0);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(address());
  });
  afterEach(async () => {
    await forget(page);
    assert.deepEqual(problems, []);
  });

  test("keeps the colour mode that the reader chose", async () => {
    assert.equal(await attribute("html", "class"), "js");
    await click(".theme-toggle");
    assert.equal(await attribute("html", "class"), "js dark");
    await page.goto(`file://${folder}/docs/page-1.html`);
    assert.equal(await attribute("html", "class"), "js dark");
  });

  test("follows the system until the reader chooses", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
  });

  test("switches tabs and code groups of the same title together, and remembers", async () => {
    await click('.tabs [data-tab-title="pnpm"]');
    assert.deepEqual(
      (await shownPanels()).map((each) => each.trim()),
      ["Panel pnpm", "run pnpm"],
    );
    assert.match(page.url(), /#pnpm$/);
    await page.goto(`file://${folder}/docs/page-1.html`);
    assert.deepEqual(
      (await shownPanels()).map((each) => each.trim()),
      ["Panel pnpm", "run pnpm"],
    );
  });

  test("measures all code blocks before adding the buttons that wrap lines, so the page is laid out once", async () => {
    const count = 60;
    const block = await page.evaluate(() => document.querySelector(".code-block:not(.code-group *)")!.outerHTML);
    const wide = block.replace("first line", "wide ".repeat(100)).repeat(count);
    const html = readFileSync(`${folder}/index.html`, "utf8");
    writeFileSync(`${folder}/wide.html`, html.replace('<h2 id="second">', `${wide}$&`));
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    await page.goto(`file://${folder}/wide.html`);
    const buttons = page.locator(".code-block-wrap-button");
    await buttons.nth(count - 1).waitFor();
    assert.equal(await buttons.count(), count);
    const { metrics } = await session.send("Performance.getMetrics");
    const layouts = metrics.find(({ name }) => name === "LayoutCount")!.value;
    assert.ok(layouts < count / 2, `${layouts} layouts`);
  });

  test("moves through tabs by arrow keys, Home and End", async () => {
    await page.focus('.tabs [data-tab-title="npm"]');
    for (const [key, panel] of [
      ["ArrowLeft", "yarn"],
      ["ArrowRight", "npm"],
      ["End", "yarn"],
      ["Home", "npm"],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal((await shownPanels())[0]!.trim(), `Panel ${panel}`, key);
      assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset["tabTitle"]), panel);
    }
  });

  test("opens the tab, accordion or view that the URL names", async () => {
    await page.goto(address("#yarn"));
    assert.equal((await shownPanels())[0]!.trim(), "Panel yarn");
    await page.evaluate(() => (location.hash = "#inside"));
    await page.waitForSelector("#inside", { state: "visible" });
    await page.evaluate(() => (location.hash = "#in-go"));
    await page.waitForSelector("#in-go", { state: "visible" });
    assert.equal(await page.inputValue("#multi-view-dropdown"), "view-go");
  });

  test("follows an anchor of another documentation system to its element, on load and from a link", async () => {
    await page.goto(address("#In:Side"));
    await page.waitForURL(/#inside$/);
    assert.ok(await isShown("#inside"));
    assert.equal(await page.evaluate(() => document.querySelector(":target")?.id), "inside");
    await page.evaluate(() => (location.hash = "#In-Go"));
    await page.waitForURL(/#in-go$/);
    await page.waitForSelector("#in-go", { state: "visible" });
    await page.evaluate(() => (location.hash = "#nothing-like-it"));
    await page.waitForURL(/#nothing-like-it$/);
  });

  test("puts an open accordion's id into the URL and removes it when the accordion closes", async () => {
    await click("#a-question > summary");
    await page.waitForURL(/#a-question$/);
    await click("#a-question > summary");
    await page.waitForURL(/index\.html$/);
  });

  test("copies code, also without the clipboard API", async () => {
    for (const denied of [false, true]) {
      await page.evaluate((isDenied) => {
        const taken: string[] = [];
        Object.assign(window, { taken });
        const writeText = async (value: string) => void taken.push(value);
        Object.defineProperty(navigator, "clipboard", {
          value: isDenied ? undefined : { writeText },
          configurable: true,
        });
        document.execCommand = () => taken.push((document.activeElement as HTMLTextAreaElement).value) > 0;
      }, denied);
      await click("#content > .code-block .code-block-copy-button");
      await page.waitForSelector(".code-block-copy-button[data-copied]", { state: "attached" });
      assert.deepEqual(await page.evaluate("taken"), ["first line\nsecond line"]);
      await page.reload();
    }
  });

  test("copies long code, whose lines are grouped", async () => {
    await page.evaluate(() => {
      document.querySelector("#content > .code-block code")!.innerHTML = '<span class="lines">a\nb\n</span>c\nd';
      const writeText = async (value: string) => void Object.assign(window, { taken: value });
      Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    });
    await click("#content > .code-block .code-block-copy-button");
    await page.waitForSelector(".code-block-copy-button[data-copied]", { state: "attached" });
    assert.equal(await page.evaluate("taken"), "a\nb\nc\nd");
  });

  test("copies the link of a heading, announces it and jumps to the heading", async () => {
    for (const denied of [false, true]) {
      await page.evaluate((isDenied) => {
        const taken: string[] = [];
        const writeText = async (value: string) => void taken.push(value);
        Object.defineProperty(navigator, "clipboard", {
          value: isDenied ? undefined : { writeText },
          configurable: true,
        });
        document.execCommand = () => taken.push((document.activeElement as HTMLTextAreaElement).value) > 0;
        // The message disappears after two seconds.
        const said: (string | null)[] = [];
        const status = document.getElementById("offprint-status")!;
        new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true });
        Object.assign(window, { taken, said });
      }, denied);
      await page.hover("#second");
      await click("#second > .heading-anchor");
      await page.waitForFunction("said.includes('Copied')");
      assert.deepEqual(await page.evaluate("taken"), [address("#second")]);
      assert.equal(page.url(), address("#second"));
      await page.goto(address("#first"));
      await page.reload();
    }
  });

  test("marks the current heading and its parents", async () => {
    await page.evaluate(() => document.getElementById("deeper")!.scrollIntoView({ behavior: "instant" }));
    await page.waitForSelector('.toc-item[data-active-deepest] a[href="#deeper"]');
    assert.deepEqual(await page.locator(".toc-item[data-active]").allInnerTexts(), ["Second", "Deeper"]);
  });

  test("closes menus on Escape, returning focus, and on a click outside", async () => {
    await click(".menu-version > summary");
    assert.ok(await isShown(".menu-version .menu-panel"));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    assert.ok(!(await isShown(".menu-version .menu-panel")));
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "SUMMARY");
    await click(".menu-version > summary");
    await click("#page-title");
    assert.ok(!(await isShown(".menu-version .menu-panel")));
  });

  test("loads a closed group of a large sidebar when it is opened", async () => {
    assert.equal(await page.locator('#sidebar a[href="docs/page-150.html"]').count(), 0);
    await click("a[data-nav-group]");
    await page.waitForSelector('#sidebar a[href="docs/page-150.html"]');
    await page.click('#sidebar a[href="docs/page-150.html"]');
    assert.match(page.url(), /docs\/page-150\.html$/);
    assert.equal(await page.textContent('[aria-current="page"]'), "Page-150");
  });

  test("shows the navigation in a dialog on a phone and moves it back", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(!(await isShown("#sidebar-content")));
    await click("#mobile-nav-trigger");
    assert.ok(await isShown("#mobile-nav #sidebar-content"));
    assert.ok(await isShown("#mobile-nav .mobile-nav-link"));
    await page.keyboard.press("Escape");
    await page.waitForSelector("#sidebar-content", { state: "hidden" });
    await page.waitForSelector("#sidebar > #sidebar-content", { state: "attached" });
    assert.equal(await page.locator("#sidebar > #sidebar-content").count(), 1);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "mobile-nav-trigger");
  });

  test("moves through a tree by keyboard", async () => {
    await page.focus('[role="treeitem"][tabindex="0"]');
    const focused = () => page.evaluate(() => document.activeElement?.querySelector(".tree-name")?.textContent);
    for (const [key, name] of [
      ["ArrowRight", "src"],
      ["ArrowRight", "main.ts"],
      ["ArrowLeft", "src"],
      ["End", "readme.md"],
      ["s", "src"],
      ["Enter", "src"],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await focused(), name, key);
    }
    assert.equal(await attribute(".tree-folder", "aria-expanded"), "false");
  });

  test("filters updates by their tags", async () => {
    await click('.changelog-filter[data-tag="ui"]');
    assert.ok((await isShown("#two")) && !(await isShown("#one")));
    await click('.changelog-filter[data-tag="ui"]');
    assert.ok(await isShown("#one"));
  });

  test("shows one view at a time and remembers which", async () => {
    assert.ok((await isShown("#view-python")) && !(await isShown("#view-go")));
    await page.selectOption("#multi-view-dropdown", "view-go");
    await page.reload();
    assert.ok(!(await isShown("#view-python")) && (await isShown("#view-go")));
  });

  test("shows a tooltip on focus and hides it on Escape", async () => {
    await page.focus(".tooltip-trigger");
    assert.ok(await isShown(".tooltip-content"));
    await page.keyboard.press("Escape");
    await page.waitForSelector(".tooltip-content", { state: "hidden" });
  });

  test("enlarges an image, also by keyboard", async () => {
    await page.focus("#content img");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".zoom-dialog img");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".zoom-dialog", { state: "detached" });
  });

  test("keeps a dismissed banner closed", async () => {
    assert.ok(await isShown("#banner"));
    await click(".banner-dismiss");
    assert.ok(!(await isShown("#banner")));
    await page.reload();
    assert.ok(!(await isShown("#banner")));
  });

  test("keeps every page within the width of the screen", async () => {
    for (const width of [320, 390, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, String(width));
    }
  });

  test("is optional: without it everything can be read and reached", async () => {
    const plain = await browser().newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const quiet = await open(plain);
    await quiet.goto(address());
    const words = (await quiet.locator("#content").allInnerTexts()).join();
    for (const each of ["Panel npm", "Panel pnpm", "In Python", "In Go"]) assert.ok(words.includes(each), each);
    await quiet.click("#mobile-nav-trigger");
    assert.ok(await quiet.isVisible("#sidebar-content"));
    assert.ok(!(await quiet.isVisible(".theme-toggle")));
    await plain.close();
  });

  test("runs over HTTP below a path, under a policy that forbids inline code", async () => {
    const served = await serveFolder(folder, { base: "/any/where/", policy: strictPolicy });
    try {
      await page.goto(`${served.url}index.html`);
      await click('.tabs [data-tab-title="pnpm"]');
      await click("a[data-nav-group]");
      await page.waitForSelector('#sidebar a[href="docs/page-150.html"]');
      await page.setViewportSize({ width: 390, height: 844 });
      await click("#mobile-nav-trigger");
      assert.ok(await isShown("#mobile-nav"));
    } finally {
      await served.close();
    }
  });
});

/** Opens a page and collects its console errors and failed requests in `problems`. */
async function open(where: BrowserContext): Promise<Page> {
  const opened = await where.newPage();
  opened.on("console", (message) => {
    const isFault = message.type() === "error" && !message.location().url.endsWith("/favicon.ico");
    if (isFault) problems.push(message.text());
  });
  opened.on("pageerror", (error) => problems.push(error.message));
  opened.on("requestfailed", (request) => {
    // A page that is left ends its requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(request.url());
  });
  return opened;
}
