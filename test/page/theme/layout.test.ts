/** The layout of themes in Chromium: which elements are beside each other, and which cover others. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, test } from "vitest";
import { chromeIds, hooks } from "../../../src/page/theme/chrome/hooks.js";
import { applyStyles, columnFaults, misplacedHooks } from "../../quality/look.js";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();
const themes = ["mint", "palm", "luma"] as const;
type Theme = (typeof themes)[number];

const text = `## First\n\n${"Some words to fill the page. ".repeat(300)}\n\n## Second\n\n${"More. ".repeat(900)}\n`;
const pageOf = (title: string, more = "") => `---\ntitle: ${title}\n${more}---\n\n${text}`;
const callouts = '\n<Note>One</Note>\n\n<Callout icon="star" color="#8b5cf6">Two</Callout>\n';
const response = (status: string) => ({
  [status]: { description: "", content: { "application/json": { example: {} } } },
});
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="26"><rect width="400" height="26"/></svg>';

const site = (theme: Theme) => ({
  "docs.json": {
    theme,
    name: "Acme",
    colors: { primary: "#0f766e" },
    logo: "/logo.svg",
    banner: { content: "Version 2 is here" },
    contextual: { options: ["copy", "view"] },
    navbar: {
      links: [{ label: "Support", href: "https://acme.example/support" }],
      primary: { type: "github", href: "https://github.com/acme/docs" },
    },
    footer: {
      socials: { github: "https://github.com/acme" },
      // The other form of the footer.
      links: theme === "palm" ? [{ items: [{ label: "About", href: "https://acme.example/about" }] }] : undefined,
    },
    navigation: {
      languages: ["en", "fr"].map((language) => ({
        language,
        tabs: [
          {
            tab: "Guides",
            groups: [{ group: "Start", pages: ["start", "center", "wide"].map((name) => `${language}/${name}`) }],
          },
          { tab: "API", openapi: { source: "api.json", directory: `${language}/api` } },
        ],
      })),
    },
  },
  "logo.svg": logo,
  "api.json": {
    openapi: "3.1.0",
    info: { title: "Jobs", version: "1" },
    paths: {
      "/jobs": {
        get: {
          summary: "List all the scheduled jobs",
          parameters: [{ name: "page", in: "query" }],
          responses: response("200"),
        },
      },
    },
  },
  ...Object.fromEntries(
    ["en", "fr"].flatMap((language) => [
      [`${language}/start.mdx`, pageOf("A start")],
      [`${language}/center.mdx`, pageOf("In the center", "mode: center\n")],
      [`${language}/wide.mdx`, pageOf("Wide", "mode: wide\n") + callouts],
    ]),
  ),
});

const apiPage = "en/api/list-all-the-scheduled-jobs.html";
const desktop = { width: 1360, height: 800 };

describe.skipIf(chromium === undefined)("the layout", () => {
  const browser = sharedBrowser(chromium);
  const folders = new Map<Theme, string>();
  let page: Page;
  beforeAll(async () => {
    for (const theme of themes) {
      const source = writeSite(newFolder("layout-site"), site(theme));
      const folder = newFolder("layout");
      const { diagnostics } = await exportInProcess({ source, output: folder });
      assert.deepEqual(diagnostics, []);
      folders.set(theme, folder);
    }
    page = await (await browser().newContext({ viewport: desktop, reducedMotion: "reduce" })).newPage();
  });

  const open = async (theme: Theme, path: string, size = desktop): Promise<void> => {
    await page.setViewportSize(size);
    await page.emulateMedia({ media: "screen" });
    await page.goto(pathToFileURL(join(folders.get(theme)!, path)).href);
  };
  const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
  const middleOf = ({ x, width }: { x: number; width: number }): number => x + width / 2;

  for (const theme of themes)
    test(`nests the elements that sites select, and keeps the width of the text, in ${theme}`, async () => {
      const found: string[] = [];
      for (const path of ["en/start.html", apiPage, "en/wide.html", "en/center.html"]) {
        await open(theme, path);
        found.push(...(await misplacedHooks(page, hooks)).map((each) => `${path}: ${each}`));
        for (const width of [390, 1100, 1360]) {
          await page.setViewportSize({ width, height: 800 });
          found.push(...(await columnFaults(page)).map((each) => `${path}, ${width}: ${each}`));
        }
      }
      assert.deepEqual(found, []);
    });

  test("a site's page margin replaces the sidebar's width in maple, and its body's colors are below the page", async () => {
    const folder = newFolder("layout");
    const source = writeSite(newFolder("layout-site"), {
      "docs.json": { theme: "maple", name: "Acme", colors: { primary: "#0f766e" }, navigation: { pages: ["index"] } },
      "index.mdx": pageOf("Start"),
      "own.css":
        "#content-container { margin-inline-start: 20rem; }\nbody { background: #1e1e1e; color: #fff; }\n" +
        "#sidebar { background: rgb(0, 0, 128); }\n" +
        ".dark body { background: #fff; color: #000; }\n",
    });
    assert.deepEqual((await exportInProcess({ source, output: folder })).diagnostics, []);
    await page.setViewportSize(desktop);
    await page.goto(pathToFileURL(join(folder, "index.html")).href);
    assert.equal((await boxOf("#content-container")).x, 320);
    const seen = await page.evaluate(() => [
      getComputedStyle(document.documentElement).backgroundColor,
      getComputedStyle(document.querySelector("#content p")!).color,
      // The site's background of the sidebar is behind the logo, too.
      getComputedStyle(document.querySelector("#sidebar")!, "::before").backgroundColor,
    ]);
    assert.deepEqual(seen, ["rgba(0, 0, 0, 0)", "rgb(58, 60, 68)", "rgb(0, 0, 128)"]);
  });

  test("headings with the ids of the layout change nothing around them", async () => {
    const folder = newFolder("layout");
    const headings = [...chromeIds].map((id) => `## ${id} {#${id}}`).join("\n\ntext\n\n");
    const source = writeSite(newFolder("layout-site"), {
      "docs.json": {
        theme: "willow",
        name: "Acme",
        colors: { primary: "#0f766e" },
        navigation: { pages: ["plain", "named"] },
        navbar: { links: [{ label: "A long link", href: "/plain" }], primary: { label: "Start", href: "/named" } },
      },
      "plain.mdx": `---\ntitle: Start\n---\n\n${headings.replaceAll("{#", "{#of-")}`,
      "named.mdx": `---\ntitle: Start\n---\n\n${headings}`,
      "own.css": ".navbar-link, .search-button { display: flex !important }",
    });
    assert.deepEqual((await exportInProcess({ source, output: folder })).diagnostics, []);
    const boxes: unknown[] = [];
    for (const name of ["plain", "named"]) {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
      await page.locator(".mobile-nav-trigger").click();
      boxes.push(
        await page.evaluate(() => [
          document.documentElement.scrollWidth,
          ...[...document.querySelectorAll(".site-header *, dialog[open], dialog[open] > *, .mdx-content > h2")].map(
            (each) => JSON.stringify(each.getBoundingClientRect()),
          ),
        ]),
      );
    }
    assert.deepEqual(boxes[1], boxes[0]);
    assert.equal((boxes[0] as number[])[0], 390);
  });

  test("the search is in the middle of the header beside a wide logo", async () => {
    for (const theme of ["mint", "palm"] as const) {
      await open(theme, "en/start.html");
      const [search, header] = [await boxOf("#search-bar-entry"), await boxOf("#navbar")];
      assert.ok(Math.abs(middleOf(search) - middleOf(header)) < 2, `${theme}: ${middleOf(search)}`);
      assert.ok((await boxOf(".nav-logo")).width > 180);
    }
  });

  test("a button in the header keeps its icon if there is little room, and fills its entry, which sites paint", async () => {
    await open("mint", "en/start.html", { width: 1100, height: 800 });
    await page.locator(".topbar-cta-button div > span").evaluate((label) => label.append(" and its developers, all"));
    assert.equal((await boxOf(".topbar-cta-button svg")).width, 16);
    assert.deepEqual(await boxOf("#topbar-cta-button"), await boxOf(".topbar-cta-button"));
    await page.addStyleTag({ content: "html:not(.dark) #navbar div { background: #f7f5f2 }" });
    const words = page.locator(".topbar-cta-button > div");
    assert.equal(await words.evaluate((box) => getComputedStyle(box).backgroundColor), "rgba(0, 0, 0, 0)");
  });

  test("the language menu of palm covers no entry, text or footer", async () => {
    for (const path of ["en/start.html", apiPage, "en/wide.html", "en/center.html"]) {
      await open("palm", path);
      for (const atEnd of [false, true]) {
        await page.evaluate((atEnd) => scrollTo(0, atEnd ? document.documentElement.scrollHeight : 0), atEnd);
        const covered = await page.evaluate(() => {
          const menu = document.querySelector(".menu-language")!.getBoundingClientRect();
          const header = document.querySelector("#navbar")!.getBoundingClientRect();
          if (menu.bottom <= header.bottom) return [];
          return [...document.querySelectorAll("#sidebar, #content-container, #footer, #banner, .nav-tabs a")]
            .filter((each) => each.checkVisibility())
            .filter((each) => {
              const { top, right, bottom, left } = each.getBoundingClientRect();
              return left < menu.right && right > menu.left && top < menu.bottom && bottom > menu.top;
            })
            .map((each) => each.id || each.textContent);
        });
        assert.deepEqual(covered, [], `${path}, ${atEnd ? "end" : "start"}`);
      }
    }
  });

  test("the Tab key moves through the header of luma in visual order", async () => {
    for (const width of [1360, 1100]) {
      await open("luma", "en/start.html", { width, height: 800 });
      await page.locator(".nav-home").focus();
      const places: { row: number; x: number; name: string }[] = [];
      while (await page.evaluate(() => document.activeElement!.closest("#navbar") !== null)) {
        places.push(
          await page.evaluate(() => {
            const { left, top, height } = document.activeElement!.getBoundingClientRect();
            const row = Math.round((top + height / 2) / 30);
            return { row, x: left, name: document.activeElement!.textContent!.trim() };
          }),
        );
        await page.keyboard.press("Tab");
      }
      assert.ok(places.length > 6);
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a.row - b.row || a.x - b.x),
        String(width),
      );
    }
  });

  test("the header is never printed, even if a site shows it by its id", async () => {
    for (const theme of themes) {
      await open(theme, apiPage);
      await page.emulateMedia({ media: "print" });
      for (const css of ["", "#navbar, #sidebar { display: flex }"])
        for (const width of [718, 1400]) {
          await applyStyles(page, css);
          await page.setViewportSize({ width, height: 1000 });
          for (const id of ["#navbar", "#sidebar", "#banner", "#footer"])
            assert.equal(await page.isVisible(id), false, `${theme}, ${width}: ${id}`);
          assert.ok(await page.isVisible("#panel"));
        }
    }
  });

  test("a cookie bar and other parts that a site fixes to the screen are not printed, the text is", async () => {
    for (const path of ["en/start.html", "en/center.html"]) {
      await open("mint", path);
      await page.evaluate(() => {
        document.body.insertAdjacentHTML("beforeend", '<div id="consent">We use <b>cookies</b></div>');
        document.querySelector("#content")!.insertAdjacentHTML("beforeend", '<button id="chat">Chat</button>');
      });
      await applyStyles(page, "#consent, #chat { position: fixed; bottom: 0 }");
      for (const id of ["#consent", "#chat"]) assert.ok(await page.isVisible(id), `${path}: ${id}`);
      await page.emulateMedia({ media: "print" });
      for (const id of ["#consent", "#chat"]) await page.locator(id).waitFor({ state: "hidden" });
      assert.ok(await page.isVisible("#content h2"));
    }
  });

  test("the copy button has no row of its own beside a title", async () => {
    await open("mint", apiPage);
    for (const width of [360, 1024, 1280, 1360]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal((await boxOf(".page-title-row")).height, (await boxOf("#page-title")).height, String(width));
    }
  });

  test("a callout with a custom colour is as large as others", async () => {
    await open("mint", "en/wide.html");
    const boxes = await page.$$eval(".callout", (callouts) =>
      callouts.map((callout) => {
        const outside = callout.getBoundingClientRect();
        const { left, right, height } = (callout.querySelector(".tinted-ground") ?? callout).getBoundingClientRect();
        return { left, right, isWhole: height === outside.height };
      }),
    );
    assert.equal(boxes.length, 2);
    assert.deepEqual(boxes[1], boxes[0]);
  });

  test("examples are beside the text, or between title and text on narrow screens", async () => {
    await open("mint", apiPage);
    const [panel, content] = [await boxOf("#panel"), await boxOf("#content")];
    assert.ok(panel.x > content.x + content.width);
    await open("mint", apiPage, { width: 1100, height: 800 });
    const [above, title, below] = [await boxOf("#panel"), await boxOf("#page-title"), await boxOf("#content")];
    assert.ok(title.y + title.height < above.y && above.y + above.height < below.y);
  });
});
