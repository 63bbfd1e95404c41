/** The search as a reader meets it, in the real browser: opened from disk, and served below a path under a strict policy. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { sweeping } from "../../quality/bundle.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { actsAsReader, forget, sharedBrowser } from "../../support/shared-browser.js";
import { canary, writeSearchSite } from "./site.js";

const chromium = findChromium();
const viewport = { width: 1300, height: 800 };
const places = ["a folder", "a server, below a path"] as const;

describe.skipIf(chromium === undefined)("the search", actsAsReader, () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-search-dialog-"));
  const output = join(folder, "out");
  const browser = sharedBrowser(chromium);
  let served: ServedFolder;
  let context: BrowserContext;
  let page: Page;
  let base: string;
  let requests: string[];
  let problems: string[];

  beforeAll(async () => {
    writeSearchSite(join(folder, "site"));
    const { ok } = await exportInProcess({ source: join(folder, "site"), output });
    assert.ok(ok);
    served = await serveFolder(output, { base: "/a/b/", policy: strictPolicy });
  });
  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const visit = async (path: string): Promise<void> => void (await page.goto(base + path));
  const openByKey = async (): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.waitForSelector("#search-dialog[open]");
  };
  const type = async (query: string): Promise<void> => {
    await page.fill("#search-input", query);
    await settled();
  };
  /** The list shows results for the last query that was typed. */
  const settled = () =>
    page.waitForFunction(() => document.querySelector("#search-list")?.getAttribute("aria-busy") !== "true");
  const titles = () => page.locator(".search-title").allInnerTexts();
  const ask = async (query: string): Promise<string[]> => {
    await type(query);
    return titles();
  };
  const path = () => page.url().slice(base.length);

  for (const place of places)
    describe(`in ${place}`, () => {
      let turn = places.indexOf(place);
      /** Tests alternate between disk and http; in a sweep each runs in both. */
      const inTurn = (name: string, run: () => void | Promise<void>): void => {
        if (sweeping || turn++ % places.length === 0) test(name, run);
      };
      beforeAll(async () => {
        base = place === "a folder" ? `${pathToFileURL(output).href}/` : served.url;
        context = await browser().newContext({ viewport });
        page = await context.newPage();
        page.on("request", (request) => requests.push(request.url()));
        page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
        page.on("pageerror", (error) => problems.push(error.message));
      });
      afterAll(() => context.close());
      beforeEach(async () => {
        requests = [];
        problems = [];
        await visit("index.html");
      });
      afterEach(async () => {
        await forget(page);
        assert.deepEqual(problems, []);
      });

      test("loads nothing before its first use", () => {
        assert.deepEqual(
          requests.filter((url) => url.slice(base.length).includes("search")),
          [],
        );
      });

      inTurn("opens by its button, takes the focus, and returns it", async () => {
        await page.click("#search-bar-entry");
        await page.waitForSelector("#search-dialog[open]");
        assert.equal(await page.evaluate(() => document.activeElement?.id), "search-input");
        await page.keyboard.press("Escape");
        await page.waitForSelector("#search-dialog:not([open])", { state: "attached" });
        assert.equal(await page.evaluate(() => document.activeElement?.id), "search-bar-entry");
      });

      inTurn("opens by Ctrl+K and by a slash, and keeps what was typed", async () => {
        await openByKey();
        await type("proxy");
        await page.keyboard.press("Escape");
        await page.waitForSelector("#search-dialog:not([open])", { state: "attached" });
        // Where nothing had the focus before, the field keeps it until the next frame, and would take the slash.
        await page.waitForFunction(() => document.activeElement?.id !== "search-input");
        await page.keyboard.press("/");
        await page.waitForSelector("#search-dialog[open]");
        assert.equal(await page.inputValue("#search-input"), "proxy");
        await page.keyboard.type("a/b");
        assert.equal(await page.inputValue("#search-input"), "a/b");
      });

      test("treats text typed before and after it opens as one query", async () => {
        await page.evaluate(() => {
          const press = (key: string, ctrlKey = false) =>
            document.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
          press("k", true);
          press("p");
          press("r");
        });
        await page.waitForSelector("#search-dialog[open]");
        await page.keyboard.type("oxy");
        assert.equal(await page.inputValue("#search-input"), "proxy");
      });

      inTurn("closes by a click outside, and by its button", async () => {
        await openByKey();
        await page.mouse.click(20, 700);
        await page.waitForSelector("#search-dialog:not([open])", { state: "attached" });
        await openByKey();
        await page.click(".search-close");
        assert.equal(await page.isVisible("#search-dialog"), false);
      });

      inTurn("opens a clicked result at its section", async () => {
        await openByKey();
        assert.equal((await ask("configure proxy"))[0], "Configure a proxy");
        await page.click(".search-hit >> nth=0");
        await page.waitForURL(/install\.html#configure-a-proxy$/);
        assert.equal(path(), "guides/install.html#configure-a-proxy");
      });

      inTurn("moves by arrow keys and opens by Enter", async () => {
        await openByKey();
        const all = await ask("the");
        assert.ok(all.length > 2);
        const selected = () => page.locator('.search-hit[aria-selected="true"] .search-title').allInnerTexts();
        assert.deepEqual(await selected(), [all[0]]);
        await page.keyboard.press("ArrowUp");
        assert.deepEqual(await selected(), [all.at(-1)]);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        assert.deepEqual(await selected(), [all[1]]);
        const active = await page.getAttribute("#search-input", "aria-activedescendant");
        assert.equal(await page.textContent(`#${active} .search-title`), all[1]);
        const href = await page.getAttribute(`#${active}`, "href");
        await page.keyboard.press("Enter");
        await page.waitForURL(new URL(href ?? "", base).href);
      });

      inTurn("delays Enter until the results of the query are shown", async () => {
        await openByKey();
        await page.keyboard.type("certificates");
        await page.keyboard.press("Enter");
        await page.waitForURL(/domain\.html#certificates$/);
      });

      inTurn("opens a result of the same page and closes", async () => {
        await visit("guides/install.html");
        await openByKey();
        await type("why slow");
        await page.keyboard.press("Enter");
        await page.waitForSelector("#search-dialog:not([open])", { state: "attached" });
        assert.equal(path(), "guides/install.html#why-is-it-slow");
        await page.waitForSelector("text=The cache is cold.");
      });

      inTurn("finds prefixes, mistyped words, keywords and code, and marks them", async () => {
        await openByKey();
        assert.equal((await ask("certif"))[0], "Certificates");
        assert.deepEqual(await page.locator(".search-title mark").allInnerTexts(), ["Certif"]);
        assert.equal((await ask("certifcates"))[0], "Certificates");
        assert.equal((await ask("download"))[0], "Install the tool");
        assert.equal((await ask("localhost"))[0], "Configure a proxy");
        assert.match((await page.textContent("code.search-excerpt")) ?? "", /ACME_PROXY=http:\/\/localhost/);
        assert.equal((await page.textContent(".search-trail"))?.trim(), "Guides › Install the tool");
      });

      inTurn("shows results by the titles of their pages until their texts are read, when they are seen", async () => {
        await visit("v1/install.html");
        await openByKey();
        const found = await ask("zyzzyva");
        assert.equal(found.length, 10);
        const texts = () => requests.filter((url) => /\/search\/\d+\/s\d/.test(url)).length;
        assert.ok(texts() < 10, String(texts()));
        assert.ok(found.some((title) => /^Long page \d+$/.test(title)));
        await page.keyboard.press("ArrowUp");
        await page.waitForFunction(
          () =>
            document.querySelector(".search-hit[aria-selected=true] .search-title")?.textContent?.trim() ===
            "Many words",
        );
        const last = page.locator(".search-hit").last();
        assert.match((await last.locator(".search-excerpt").textContent()) ?? "", /A zyzzyva is here/);
        assert.match((await last.getAttribute("href")) ?? "", /v1\/long-\d+\.html#many-words$/);
      });

      inTurn("shows the method of an endpoint next to its title", async () => {
        await openByKey();
        const all = await ask("poplar");
        assert.deepEqual(all, ["DEL Fell a poplar", "Poplar errors"]);
        assert.equal(await page.getAttribute(".search-hit .method-nav-pill", "data-method"), "DELETE");
        assert.deepEqual((await ask("delete"))[0], "DEL Fell a poplar");
      });

      inTurn("does not find pages that are not searchable", async () => {
        await openByKey();
        assert.deepEqual(await ask(canary), []);
        assert.match((await page.textContent(".search-message")) ?? "", new RegExp(canary));
        assert.equal((await ask("attic"))[0], "Attic");
        for (const file of readdirSync(join(output, "_offprint/search"), { recursive: true, encoding: "utf8" }))
          if (file.endsWith(".js"))
            assert.ok(!readFileSync(join(output, "_offprint/search", file), "utf8").includes(canary), file);
      });

      inTurn("stays in the language and the version of the page", async () => {
        await openByKey();
        assert.deepEqual(await ask("floppy"), []);
        assert.ok(!(await ask("install")).includes("Install the tool of old"));
        await visit("v1/install.html");
        await openByKey();
        assert.deepEqual(await ask("install"), ["Install the tool of old"]);
        await visit("ja.html");
        await openByKey();
        // Its address has the word; the pages of other languages are not there.
        assert.deepEqual(await ask("install"), ["インストール"]);
        assert.equal((await ask("インストール"))[0], "インストール");
        assert.equal((await ask("設定"))[0], "インストール");
        assert.deepEqual(await page.locator(".search-excerpt mark").allInnerTexts(), ["設定"]);
        assert.equal((await ask("必要"))[0], "必要なもの");
        assert.equal(await page.getAttribute("#search-input", "placeholder"), "検索…");
      });

      inTurn("searches another version or language that the reader chooses", async () => {
        await openByKey();
        const filters = page.locator(".search-filter");
        await filters.first().waitFor();
        assert.deepEqual(await filters.allInnerTexts().then((all) => all.map((text) => text.split(/\s/)[0])), [
          "Version",
          "Language",
        ]);
        assert.equal(await page.inputValue(".search-filter >> nth=0 >> select"), "2.0");
        assert.deepEqual(await ask("floppy"), []);
        await page.selectOption(".search-filter >> nth=0 >> select", "1.0");
        await page.waitForSelector(".search-hit");
        assert.deepEqual(await titles(), ["Install the tool of old"]);
        await page.selectOption(".search-filter >> nth=1 >> select", "日本語");
        // The translation has no versions.
        assert.equal((await ask("設定"))[0], "インストール");
      });

      inTurn("offers the next pages before anything is typed", async () => {
        await visit("guides/install.html");
        await openByKey();
        await page.waitForSelector(".search-hit");
        assert.equal(
          await page
            .locator(".search-heading > span")
            .textContent()
            .then((text) => text?.trim()),
          "Pages",
        );
        assert.equal(
          await page
            .locator(".search-hit")
            .first()
            .textContent()
            .then((text) => text?.trim()),
          "Custom domain",
        );
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.waitForURL(/guides\/domain\.html$/);
      });

      inTurn("marks the words of the query on the page of the result, until Escape", async () => {
        const marked = () =>
          page.evaluate(() => [...(CSS.highlights.get("offprint-found") ?? [])].map((range) => range.toString()));
        await openByKey();
        await type("configure proxy");
        await page.keyboard.press("Enter");
        await page.waitForURL(/install\.html#configure-a-proxy$/);
        await page.waitForFunction(() => CSS.highlights.has("offprint-found"));
        assert.deepEqual([...new Set(await marked())].sort(), ["Configure", "PROXY", "proxy"]);
        await page.keyboard.press("Escape");
        assert.deepEqual(await marked(), []);
        await page.reload();
        await page.keyboard.press("Control+k");
        await page.waitForSelector("#search-dialog[open]");
        assert.deepEqual(await marked(), []);
      });

      inTurn("opens if the address asks for it", async () => {
        await visit("index.html?search=certificates");
        await page.waitForSelector(".search-hit");
        assert.equal(await page.inputValue("#search-input"), "certificates");
        assert.equal((await titles())[0], "Certificates");
      });

      inTurn("remembers queries and opened results", async () => {
        await openByKey();
        assert.equal(await page.locator(".search-hit[data-query]").count(), 0);
        await type("proxy");
        await page.keyboard.press("Enter");
        await page.waitForURL(/install\.html/);
        await openByKey();
        assert.deepEqual(await page.locator(".search-hit").allInnerTexts(), ["proxy"]);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.waitForSelector(".search-title");
        assert.equal(await page.inputValue("#search-input"), "proxy");
        await page.click(".search-clear");
        await page.click(".search-forget");
        assert.equal(await page.locator(".search-hit[data-query]").count(), 0);
      });

      inTurn("tells screen readers how many results there are", async () => {
        await openByKey();
        await type("certificates");
        const count = await page.locator(".search-hit").count();
        await page.waitForFunction(
          (text) => document.querySelector("#search-dialog [role=status]")?.textContent === text,
          `Results: ${count}`,
        );
      });

      inTurn("fills a phone", async () => {
        await page.setViewportSize({ width: 390, height: 700 });
        assert.equal(await page.isVisible("#search-bar-entry"), false);
        await page.click("#search-bar-entry-mobile");
        await page.waitForSelector("#search-dialog[open]");
        await page.waitForFunction(() => {
          const { x, y, width, height } = document.querySelector("#search-dialog")!.getBoundingClientRect();
          return x === 0 && y === 0 && width === 390 && height === 700;
        });
        await page.setViewportSize(viewport);
      });
    });

  test("reports that the index cannot be loaded, and tries again", async () => {
    context = await browser().newContext();
    page = await context.newPage();
    base = served.url;
    await page.route(/_offprint\/search\/.*\.js/, (route) => route.abort());
    await visit("index.html");
    await openByKey();
    await type("install");
    assert.match((await page.textContent(".search-message")) ?? "", /could not be loaded/);
    await page.unroute(/_offprint\/search\/.*\.js/);
    assert.equal((await ask("install the"))[0], "Install the tool");
    await context.close();
  });

  test("reports that its script cannot be loaded", async () => {
    context = await browser().newContext({ viewport });
    page = await context.newPage();
    await page.route(/_offprint\/search\.[^/]*\.js/, (route) => route.abort());
    await page.goto(`${served.url}index.html`);
    await page.click("#search-bar-entry");
    await page.waitForFunction(() =>
      /could not be loaded/.test(document.querySelector(".search-label")?.textContent ?? ""),
    );
    await context.close();
  });

  test("explains without JavaScript why there is no search", async () => {
    context = await browser().newContext({ javaScriptEnabled: false, viewport });
    page = await context.newPage();
    await page.goto(`${served.url}index.html`);
    assert.equal(await page.isVisible("#search-bar-entry"), false);
    assert.equal(await page.isVisible("#search-bar-entry-mobile"), false);
    assert.deepEqual(await page.locator(".search-entry").allInnerTexts(), ["Search needs JavaScript."]);
    await context.close();
  });

  test("has no animations for readers who prefer reduced motion", async () => {
    context = await browser().newContext({ reducedMotion: "reduce" });
    page = await context.newPage();
    await page.goto(`${served.url}index.html`);
    await openByKey();
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.querySelector("#search-dialog")!).animationName),
      "none",
    );
    await context.close();
  });
});
