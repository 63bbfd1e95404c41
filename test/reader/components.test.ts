/** Components in Chromium: by mouse and by keyboard, from disk and over http below a path. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { newFolder } from "../security/site-folder.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { actsAsReader, forget, sharedBrowser } from "../support/shared-browser.js";

const chromium = findChromium();
const source = fileURLToPath(new URL("site", import.meta.url));
const viewport = { width: 1400, height: 900 };
const folder = newFolder("alive");

let served: ServedFolder;
let page: Page;
let problems: string[];

const shown = (selector: string) => page.locator(selector).locator("visible=true").count();
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
const copiedText = () => page.evaluate(() => navigator.clipboard.readText());
const panels = async (selector: string) =>
  (await page.locator(`${selector} > .tab-panel:visible`).allInnerTexts()).map((text) => text.trim().split("\n")[0]);
/** The text as laid out, with its line breaks. */
const seenText = async (locator: Locator) => (await locator.allInnerTexts())[0];
const hash = () => new URL(page.url()).hash;

/** Opens a page and collects its console errors and failed requests in `problems`. */
async function opened(context: BrowserContext): Promise<Page> {
  const made = await context.newPage();
  problems = [];
  made.on("console", (message) => {
    const isFault = message.type() === "error" && !message.location().url.endsWith("/favicon.ico");
    if (isFault) problems.push(message.text());
  });
  made.on("pageerror", (error) => problems.push(error.message));
  made.on("requestfailed", (request) => {
    // Leaving the page aborts the loading of its images.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(request.url());
  });
  return made;
}

describe.skipIf(chromium === undefined)("components", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  beforeAll(async () => {
    const result = await exportInProcess({ source, output: folder, baseUrl: "https://docs.acme.com" });
    assert.deepEqual(
      result.diagnostics.filter(({ severity }) => severity !== "hint"),
      [],
    );
    served = await serveFolder(folder, { base: "/any/where/", policy: strictPolicy });
  });
  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const places = [
    ["from disk", () => pathToFileURL(folder).href],
    ["over http below a path, under the strictest policy", () => served.url.slice(0, -1)],
  ] as const;
  for (const [place, base] of places)
    describe(place, () => {
      let turn = places.findIndex(([name]) => name === place);
      /** Tests alternate between disk and http; in a sweep each runs in both. */
      const inTurn = (name: string, run: () => Promise<void>): void => {
        if (sweeping || turn++ % places.length === 0) test(name, run);
      };
      const open = (path: string) => page.goto(`${base()}/${path}`);
      let context: BrowserContext;
      beforeAll(async () => {
        context = await browser().newContext({ viewport, colorScheme: "light", reducedMotion: "reduce" });
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        page = await opened(context);
      });
      afterAll(() => context.close());
      afterEach(async () => {
        await forget(page);
        assert.deepEqual(problems.splice(0), []);
      });

      describe("tabs", () => {
        inTurn("by mouse: groups with the same titles follow, also on other pages", async () => {
          await open("index.html");
          await page.click('.tabs [data-tab-title="pnpm"]');
          assert.deepEqual(await panels(".tabs"), ["Panel pnpm"]);
          assert.deepEqual(await panels(".code-group"), ["pnpm add", "print(1)"]);
          assert.equal(hash(), "#pnpm");
          await open("second.html");
          assert.deepEqual(await panels(".tabs"), ["Here pnpm", "Alone yarn"]);
        });

        inTurn("by keyboard: arrows, Home and End select, and Tab moves to the panel", async () => {
          await open("index.html");
          await page.focus('.tabs [data-tab-title="npm"]');
          for (const [key, panel] of [
            ["ArrowLeft", "yarn"],
            ["ArrowRight", "npm"],
            ["End", "yarn"],
            ["Home", "npm"],
          ] as const) {
            await page.keyboard.press(key);
            assert.deepEqual(await panels(".tabs"), [`Panel ${panel}`], key);
            assert.equal(await focused(), panel, key);
          }
          await page.keyboard.press("Tab");
          assert.equal(await page.evaluate(() => document.activeElement?.id), "npm");
        });

        inTurn("are opened by an address that names a tab or a heading in one", async () => {
          await open("index.html#pnpm");
          assert.deepEqual(await panels(".tabs"), ["Panel pnpm"]);
          await page.evaluate(() => (location.hash = "#in-npm"));
          await page.waitForSelector("#in-npm", { state: "visible" });
          await page.click('a[href="#pnpm"]');
          await page.waitForSelector("text=Panel pnpm", { state: "visible" });
          assert.deepEqual(await panels(".tabs"), ["Panel pnpm"]);
        });

        inTurn("as a menu: have the usual keys and follow other groups", async () => {
          await open("index.html");
          await page.focus(".code-group-select");
          await page.selectOption(".code-group-select", "Go");
          assert.deepEqual((await panels(".code-group"))[1], "fmt.Println(1)");
          await page.keyboard.press("ArrowUp");
          assert.deepEqual((await panels(".code-group"))[1], "print(1)");
        });
      });

      describe("accordions and expandables", () => {
        inTurn("an accordion, opened by mouse or key, is in the address while it is open", async () => {
          await open("index.html");
          await page.click("#a-question > summary");
          await page.waitForURL(/#a-question$/);
          await page.focus("#a-question > summary");
          await page.keyboard.press("Enter");
          await page.waitForURL(/index\.html$/);
          assert.equal(await shown("#a-question > .accordion-content"), 0);
        });

        inTurn("open if the address names them, also if it is followed again", async () => {
          await open("index.html#a-question:a-deeper-question");
          assert.equal(await shown("text=A deeper answer."), 1);
          await page.evaluate(() => (location.hash = "#param-station:level"));
          await page.waitForSelector("[id='param-station:level']", { state: "visible" });
        });

        inTurn("an expandable says whether a click shows or hides", async () => {
          await open("index.html");
          const summary = page.locator(".expandable > summary");
          assert.equal(await seenText(summary), "Show station");
          await summary.click();
          assert.equal(await seenText(summary), "Hide station");
        });
      });

      describe("a tree", () => {
        inTurn("by mouse: a folder opens and closes", async () => {
          await open("index.html");
          assert.equal(await shown("text=app.ts"), 0);
          await page.click("text=client");
          assert.equal(await shown("text=app.ts"), 1);
          await page.click("text=client");
          assert.equal(await shown("text=app.ts"), 0);
        });

        inTurn("by keyboard: follows the ARIA tree pattern", async () => {
          await open("index.html");
          await page.focus('[role="tree"] [tabindex="0"]');
          const name = () => page.evaluate(() => document.activeElement?.querySelector(".tree-name")?.textContent);
          const isOpen = () => page.evaluate(() => document.activeElement?.getAttribute("aria-expanded"));
          for (const [key, item, expanded] of [
            ["ArrowDown", "client", "false"],
            ["ArrowRight", "client", "true"],
            ["ArrowRight", "app.ts", null],
            ["ArrowDown", "tabs.ts", null],
            ["ArrowDown", "theme", "false"],
            ["ArrowUp", "tabs.ts", null],
            ["ArrowLeft", "client", "true"],
            ["ArrowLeft", "client", "false"],
            ["*", "client", "true"],
            ["t", "tabs.ts", null],
            ["End", "package.json", null],
            ["Home", "src", "true"],
            ["m", "main.ts", null],
            ["ArrowLeft", "src", "true"],
            ["Enter", "src", "false"],
            [" ", "src", "true"],
          ] as const) {
            await page.keyboard.press(key);
            assert.equal(await name(), item, key);
            assert.equal(await isOpen(), expanded, key);
            // Keys typed quickly form one search text.
            await page.waitForTimeout(key.length === 1 ? 550 : 0);
          }
          // Sent at once, since the search text ends with a pause.
          await Promise.all([..."pac"].map((key) => page.keyboard.press(key)));
          assert.equal(await name(), "package.json");
          assert.equal(await page.locator('[role="tree"] [tabindex="0"]').count(), 1);
        });

        inTurn("is announced with the names of its items only", async () => {
          await open("index.html");
          const snapshot = await page.locator('[role="tree"]').ariaSnapshot();
          assert.match(snapshot, /tree "Files"/);
          assert.match(snapshot, /treeitem "src" \[expanded\]/);
        });
      });

      describe("a tooltip", () => {
        const tip = ".tooltip-content:visible";
        inTurn(
          "opens on hover, stays while the mouse moves to its link, and closes when the mouse leaves",
          async () => {
            await open("index.html");
            await page.hover("text=word");
            await page.waitForSelector(tip);
            await page.hover("text=Read on");
            assert.equal(await seenText(page.locator(tip)), "Said in a few words\nRead on");
            await page.mouse.move(5, 5);
            await page.waitForSelector(tip, { state: "hidden" });
          },
        );

        inTurn("opens on focus, its link is next in the tab order, and Escape closes it", async () => {
          await open("index.html");
          await page.focus("text=word");
          await page.waitForSelector(tip);
          await page.keyboard.press("Tab");
          assert.equal(await focused(), "Read on");
          await page.keyboard.press("Escape");
          await page.waitForSelector(tip, { state: "hidden" });
        });

        inTurn("is fully visible, also in a scrolling table", async () => {
          await page.setViewportSize({ width: 360, height: 700 });
          await open("index.html");
          await page.locator("text=over it").scrollIntoViewIfNeeded();
          await page.focus("text=over it");
          const box = (await page.locator(tip).boundingBox())!;
          assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
          const top = await page.evaluate(
            ([x, y]) => document.elementFromPoint(x!, y!)?.closest(".tooltip-content") !== null,
            [box.x + 4, box.y + 4],
          );
          assert.ok(top);
          await page.setViewportSize(viewport);
        });
      });

      describe("code and fields", () => {
        inTurn("a field has a link to itself, which is copied", async () => {
          await open("second.html");
          await page.getByRole("link", { name: "Link to size" }).focus();
          await page.keyboard.press("Enter");
          await page.waitForSelector(".field-anchor[data-copied]");
          assert.match(page.url(), /#param-size$/);
          assert.equal(await copiedText(), page.url());
        });

        const block = (title: string) => `.code-block:has(:text-is("${title}"))`;
        inTurn("code is copied without removed lines of a diff, and the button confirms it", async () => {
          await open("code.html");
          await page.click(`${block("diff.ts")} .code-block-copy-button`);
          await page.waitForSelector(".code-block-copy-button[data-copied]");
          assert.equal(await page.textContent('[role="status"]'), "Copied");
          assert.equal(await copiedText(), "const fresh = 2;");
        });

        inTurn("code is copied by keyboard", async () => {
          await open("code.html");
          await page.focus(`${block("short.ts")} .code-block-copy-button`);
          await page.keyboard.press("Enter");
          await page.waitForSelector(".code-block-copy-button[data-copied]");
          assert.equal(await copiedText(), "const short = 1;");
        });

        inTurn("code has no button where its author wants none", async () => {
          await open("second.html");
          assert.deepEqual(await page.locator(".code-block:has(.l8)").count(), 1);
          assert.equal(await page.locator(".code-block-copy-button").count(), 0);
        });

        inTurn("code can be wrapped if its lines are too long, and only then", async () => {
          await open("code.html");
          const button = page.locator(".code-block-wrap-button");
          assert.equal(await button.count(), 1);
          const scroll = page.locator(".code-block:has(.code-block-wrap-button) .code-block-scroll");
          const isWide = () => scroll.evaluate((each) => each.scrollWidth > each.clientWidth);
          assert.equal(await isWide(), true);
          await button.focus();
          await page.keyboard.press("Enter");
          assert.equal(await isWide(), false);
          assert.equal(await button.getAttribute("aria-pressed"), "true");
          await button.click();
          assert.equal(await isWide(), true);
        });

        inTurn("code is measured together, so that many blocks lay the page out a few times", async () => {
          const session = await context.newCDPSession(page);
          await session.send("Performance.enable");
          const layouts = async () =>
            (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "LayoutCount")!.value;
          const before = await layouts();
          await open("wide-code.html");
          await page.waitForFunction(() => document.querySelectorAll(".code-block-wrap-button").length === 30);
          const count = (await layouts()) - before;
          await session.detach();
          assert.ok(count < 20, String(count));
        });

        inTurn("code outside the focused lines is readable, and gets its colours on hover", async () => {
          await open("code.html");
          const line = page.locator(".has-focused .line").first();
          const colors = () => line.evaluate((each) => [getComputedStyle(each).color, getComputedStyle(each).opacity]);
          const muted = await page.evaluate(() => {
            const probe = document.createElement("i");
            probe.className = "eyebrow code-block-language";
            document.querySelector(".code-block-header")!.append(probe);
            return getComputedStyle(probe.parentElement!).color;
          });
          assert.deepEqual(await colors(), [muted, "1"]);
          await line.hover();
          assert.notEqual((await colors())[0], muted);
        });

        inTurn("code that is long is folded and opens by key", async () => {
          await open("code.html");
          const scroll = page.locator(".code-block-folded .code-block-scroll");
          const height = () => scroll.evaluate((each) => each.clientHeight);
          const folded = await height();
          const summary = page.locator(".code-block-fold > summary");
          assert.equal(await seenText(summary), "See all 12 lines");
          await summary.focus();
          await page.keyboard.press("Enter");
          assert.ok((await height()) > folded);
          assert.equal(await seenText(summary), "Collapse");
        });

        inTurn("that must not be copied has no button", async () => {
          await open("code.html");
          assert.equal(await page.locator('.code-block:has-text("rm -r") button').count(), 0);
        });
      });

      describe("diagrams", () => {
        const size = () =>
          page
            .locator(".mermaid svg")
            .first()
            .evaluate((svg) => svg.getBoundingClientRect().width);
        inTurn("are zoomed by button, key and wheel", async () => {
          await open("drawings.html");
          const before = await size();
          await page.hover(".mermaid-frame >> nth=0");
          await page.click('[data-diagram="in"]');
          assert.ok((await size()) > before * 1.2);
          await page.click('[data-diagram="own"]');
          assert.equal(await size(), before);
          await page.focus(".mermaid-drawing >> nth=0");
          await page.keyboard.press("-");
          assert.ok((await size()) < before);
          await page.keyboard.press("0");
          assert.equal(await size(), before);
          await page.hover(".mermaid-drawing >> nth=0");
          await page.keyboard.down("Control");
          await page.mouse.wheel(0, -100);
          await page.keyboard.up("Control");
          await page.waitForFunction(
            (width) => document.querySelector(".mermaid svg")!.getBoundingClientRect().width > width,
            before,
          );
        });

        inTurn(
          "that are wide fit the page, are named by their frame, and are zoomed to their natural size",
          async () => {
            await open("drawings.html");
            const frame = page.getByRole("group", { name: "How an order travels" });
            const widths = () =>
              frame.evaluate((each) => {
                const svg = each.querySelector("svg")!;
                return [
                  svg.getBoundingClientRect().width,
                  each.clientWidth,
                  each.scrollWidth,
                  svg.viewBox.baseVal.width,
                ];
              }) as Promise<[number, number, number, number]>;
            const [drawn, visible, scrolled, natural] = await widths();
            assert.ok(natural > visible * 1.2, `${natural} of ${visible}`);
            assert.deepEqual([drawn, scrolled], [visible, visible]);
            const controls = page.locator(".mermaid[data-low] .mermaid-controls");
            const below = (await controls.boundingBox())!;
            const box = (await frame.boundingBox())!;
            assert.ok(below.y >= box.y + box.height);
            for (let i = 0; i < 4; i++) await controls.locator('[data-diagram="in"]').click();
            assert.ok((await widths())[0] >= natural);
            await controls.locator('[data-diagram="own"]').click();
            assert.equal((await widths())[0], drawn);
          },
        );

        inTurn("are dragged with the mouse when they are large", async () => {
          await open("drawings.html");
          await page.focus(".mermaid-drawing >> nth=0");
          for (let i = 0; i < 6; i++) await page.keyboard.press("+");
          const frame = page.locator(".mermaid-drawing").first();
          const box = (await frame.boundingBox())!;
          const scrolled = () => frame.evaluate((each) => each.scrollTop);
          const before = await scrolled();
          await page.mouse.move(box.x + 200, box.y + 200);
          await page.mouse.down();
          await page.mouse.move(box.x + 200, box.y + 120, { steps: 4 });
          await page.mouse.up();
          assert.equal(await scrolled(), before + 80);
        });

        inTurn("open over the whole window; Escape closes them and returns focus", async () => {
          await open("drawings.html");
          await page.focus('[data-diagram="full"]');
          await page.keyboard.press("Enter");
          await page.waitForSelector("dialog.diagram-dialog[open] svg");
          await page.keyboard.press("Escape");
          await page.waitForSelector("dialog", { state: "detached" });
          assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset["diagram"]), "full");
        });

        inTurn("have no controls if the page turns them off", async () => {
          await open("drawings.html");
          assert.equal(await page.locator(".mermaid").count(), 3);
          assert.equal(await page.locator(".mermaid-controls").count(), 2);
        });

        inTurn("have other colours in dark mode", async () => {
          await open("drawings.html");
          const fill = () =>
            page
              .locator(".mermaid svg .node rect, .mermaid svg .node path")
              .first()
              .evaluate((shape) => getComputedStyle(shape).fill);
          const light = await fill();
          await page.click(".theme-toggle");
          assert.notEqual(await fill(), light);
        });
      });

      describe("an image", () => {
        const picture = 'img[alt="A wide picture"]';
        inTurn("is enlarged by mouse and closed by its button", async () => {
          await open("drawings.html");
          await page.waitForSelector(`${picture}[role="button"]`);
          await page.click(picture);
          await page.waitForSelector(".zoom-dialog img");
          await page.click(".dialog-close");
          await page.waitForSelector("dialog", { state: "detached" });
        });

        inTurn("is enlarged by key; Escape closes it and returns focus", async () => {
          await open("drawings.html");
          await page.focus(`${picture}[role="button"]`);
          await page.keyboard.press("Enter");
          await page.waitForSelector(".zoom-dialog img");
          await page.keyboard.press("Escape");
          await page.waitForSelector("dialog", { state: "detached" });
          assert.equal(await page.evaluate(() => (document.activeElement as HTMLImageElement).alt), "A wide picture");
        });

        inTurn("with `noZoom` is not enlarged", async () => {
          await open("drawings.html");
          assert.equal(await page.locator('img:not([alt="A wide picture"])[role="button"]').count(), 0);
        });
      });

      describe("updates", () => {
        const seen = () => page.locator(".update:visible .update-label").allInnerTexts();
        inTurn("are filtered by tags, all of which must match", async () => {
          await open("changelog.html");
          await page.click('.changelog-filter[data-tag="api"]');
          assert.deepEqual(await seen(), ["2.0", "1.1"]);
          assert.equal(await page.locator(".toc-item:visible").count(), 2);
          await page.focus('.changelog-filter[data-tag="ui"]');
          await page.keyboard.press("Enter");
          assert.deepEqual(await seen(), ["2.0"]);
          await page.click('.changelog-filter[data-tag="api"]');
          await page.click('.changelog-filter[data-tag="ui"]');
          assert.deepEqual(await seen(), ["2.0", "1.1", "1.0"]);
        });

        inTurn("are filtered by the address", async () => {
          await open("changelog.html?tags=api,ui");
          assert.deepEqual(await seen(), ["2.0"]);
          assert.equal(await page.locator('.changelog-filter[aria-pressed="true"]').count(), 2);
        });

        inTurn("named by the address are shown despite the filter", async () => {
          await open("changelog.html?tags=ui#1-0");
          assert.deepEqual(await seen(), ["2.0", "1.1", "1.0"]);
        });
      });

      describe("views", () => {
        inTurn("are shown one at a time, also on the next page, with their headings in the outline", async () => {
          await open("views.html");
          assert.deepEqual([await shown("text=In Python."), await shown("text=In Go.")], [1, 0]);
          await page.focus("#multi-view-dropdown");
          await page.keyboard.press("ArrowDown");
          assert.deepEqual([await shown("text=In Python."), await shown("text=In Go.")], [0, 1]);
          assert.deepEqual(await page.locator(".toc-item:visible").allInnerTexts(), ["Install with go"]);
          await page.reload();
          assert.equal(await shown("text=In Go."), 1);
        });

        inTurn("are switched by the address", async () => {
          await open("views.html#install-with-go");
          assert.equal(await shown("text=In Go."), 1);
          assert.equal(await page.locator("#multi-view-dropdown option:checked").textContent(), "Go");
        });
      });

      describe("prompts and colours", () => {
        inTurn("a prompt is copied as Markdown, by mouse and by key", async () => {
          await open("second.html");
          const button = page.locator(".prompt-button[data-copy]");
          await button.click();
          await page.waitForSelector(".prompt-button[data-copied]");
          assert.equal(await seenText(button), "Copied");
          assert.equal(await copiedText(), "Answer **briefly**:\n\n- one\n- two");
          await page.waitForSelector(".prompt-button:not([data-copied])[data-copy]");
          assert.equal(await seenText(button), "Copy");
          await button.focus();
          await page.keyboard.press("Space");
          await page.waitForSelector(".prompt-button[data-copied]");
        });

        inTurn("a prompt opens in an assistant with its text", async () => {
          await open("second.html");
          const href = (await page.getAttribute(".prompt a", "href"))!;
          assert.equal(new URL(href).searchParams.get("text"), "Answer **briefly**:\n\n- one\n- two");
        });

        inTurn("a colour is copied as displayed", async () => {
          await open("second.html");
          await page.click('.color-item:has-text("Paper")');
          await page.waitForSelector(".color-item[data-copied]");
          assert.equal(await copiedText(), "#ffffff");
          await page.click(".theme-toggle");
          await page.focus('.color-item:has-text("Paper")');
          await page.keyboard.press("Enter");
          await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "#111111");
        });
      });

      describe("the page menu", () => {
        const twin = () => readFileSync(join(folder, "index.md"), "utf8");
        inTurn("copies the page's Markdown by a click", async () => {
          await open("index.html");
          await page.click(".page-menu-button[data-page-copy]");
          await page.waitForSelector(".page-menu-button[data-copied]");
          assert.equal(await copiedText(), twin());
        });

        inTurn("can be opened, used and closed by keyboard", async () => {
          await open("index.html");
          await page.focus("#page-context-menu-button");
          await page.keyboard.press("ArrowDown");
          assert.match(await focused(), /^Copy page/);
          await page.keyboard.press("End");
          assert.match(await focused(), /^Hand on/);
          await page.keyboard.press("Home");
          await page.keyboard.press("Enter");
          await page.waitForSelector(".menu-item[data-copied]");
          assert.equal(await copiedText(), twin());
          await page.keyboard.press("Escape");
          assert.equal(await shown(".page-menu .menu-panel"), 0);
          assert.equal(await page.evaluate(() => document.activeElement?.id), "page-context-menu-button");
        });

        inTurn("links to the Markdown, to assistants, and to other sites with the text", async () => {
          await open("index.html");
          await page.click("#page-context-menu-button");
          await page.waitForSelector('a:has-text("Hand on")[href]');
          const hrefs = await page
            .locator(".page-menu a.menu-item")
            .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
          assert.equal(hrefs[0], `${base()}/index.md`);
          assert.match(hrefs[1]!, /^https:\/\/claude\.ai\/new\?q=Read%20https%3A%2F%2Fdocs\.acme\.com%2Findex\.md%20/);
          assert.equal(new URL(hrefs[2]!).searchParams.get("text"), twin());
          await page.click('a:has-text("View as Markdown")');
          assert.match((await seenText(page.locator("body")))!, /# Switching/);
        });
      });
    });

  test("without scripts all content is visible, and no control is dead", async () => {
    const context = await browser().newContext({ javaScriptEnabled: false, viewport });
    page = await opened(context);
    const words: Readonly<Record<string, readonly string[]>> = {
      "index.html": ["Panel npm", "Panel pnpm", "Panel yarn", "pnpm add", "fmt.Println(1)", "app.ts", "page.tsx"],
      "second.html": ["Here pnpm", "Answer", "#0a6c5b"],
      "code.html": ["const fresh = 2;", "select 12;"],
      "changelog.html": ["Both", "The first"],
      "views.html": ["In Python.", "In Go."],
    };
    for (const [path, expected] of Object.entries(words)) {
      await page.goto(pathToFileURL(join(folder, path)).href);
      const text = await seenText(page.locator("#content"));
      for (const each of expected) assert.ok(text?.includes(each), `${path}: ${each}`);
      const dead = page.locator(
        "[data-page-copy], [data-print], [data-page-href], .code-block-copy-button, .changelog-filter, " +
          "#multi-view-dropdown, [role=tab], .code-group-select, .prompt-button[data-copy], .mermaid-controls",
      );
      assert.equal(await dead.locator("visible=true").count(), 0, path);
    }
    await page.goto(pathToFileURL(join(folder, "index.html")).href);
    await page.click("#a-question > summary");
    assert.equal(await shown("text=Its answer."), 1);
    await page.hover("text=word");
    assert.equal(await shown("text=Said in a few words"), 1);
    await page.click("#page-context-menu-button");
    assert.equal(await shown("text=View as Markdown"), 1);
    await context.close();
    assert.deepEqual(problems, []);
  });

  test("the buttons of a code block do not cover its first line on touch screens, or where nothing points at it", async () => {
    for (const hasTouch of [true, false]) {
      const context = await browser().newContext({
        hasTouch,
        isMobile: hasTouch,
        viewport: { width: 390, height: 844 },
      });
      page = await opened(context);
      await page.goto(pathToFileURL(join(folder, "wide-code.html")).href);
      await page.waitForSelector(".code-block-wrap-button", { state: "attached" });
      const covers = await page
        .locator(".code-block-body")
        .first()
        .evaluate((body) => {
          const line = body.querySelector("pre")!.getBoundingClientRect();
          const buttons = [...body.querySelectorAll(":scope > button")];
          const shown = buttons.filter((button) => getComputedStyle(button).opacity !== "0");
          return {
            count: buttons.length,
            over: shown.filter((each) => each.getBoundingClientRect().left < line.right).length,
          };
        });
      assert.deepEqual(covers, { count: 2, over: 0 }, `touch: ${hasTouch}`);
      await context.close();
    }
  });

  test("a tap opens and closes a tooltip, and touch scrolls a large diagram", async () => {
    const context = await browser().newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
    page = await opened(context);
    await page.goto(pathToFileURL(join(folder, "index.html")).href);
    await page.tap("text=word");
    await page.waitForSelector(".tooltip-content:visible");
    await page.waitForTimeout(400);
    await page.tap("text=word");
    await page.waitForSelector(".tooltip-content:visible", { state: "hidden" });
    await page.tap("text=word");
    await page.waitForSelector(".tooltip-content:visible");
    await page.tap("#page-title");
    await page.waitForSelector(".tooltip-content:visible", { state: "hidden" });
    await context.close();
    assert.deepEqual(problems, []);
  });
});
