/** A bundle works at the root of a host, in a folder, without JavaScript, and on a slow line. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "parse5";
import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { type ServedFolder, type ServeOptions, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { collect, exportedGallery, sampleOf, sweeping } from "./bundle.js";
import { deadControls, unseenText } from "./look.js";
import { forgetShifts, type Shift, shiftsOf, watchShifts } from "./shifts.js";
import { openWatched } from "./watched-page.js";

const chromium = findChromium();
const fonts = /\.woff2$/;

describe.skipIf(chromium === undefined)("the gallery", () => {
  const gallery = exportedGallery();
  const browser = sharedBrowser(chromium);
  let folderUrl: string;
  let served: ServedFolder;
  beforeAll(async () => {
    folderUrl = `${pathToFileURL(gallery().folder).href}/`;
    // The site has an audio file, which that policy does not mention.
    served = await serveFolder(gallery().folder, { policy: `${strictPolicy}; media-src 'self'` });
  });
  afterAll(() => served?.close());

  for (const place of ["the root of a host", "a folder"] as const)
    test(`works in ${place}`, async () => {
      const url = place === "a folder" ? folderUrl : served.url;
      const open = async () => openWatched(await openContext({ viewport: low }), url);
      const found = await collect(sampleOf(gallery().pages, 4), open, async ({ page, problems }, path) => {
        await page.goto(url + path);
        await page.evaluate(() => document.fonts.ready);
        return problems.splice(0).map((problem) => `${path}: ${problem}`);
      });
      assert.deepEqual(found, []);
    });

  test("links from page to page in any place, with and without scripts", async () => {
    for (const url of [served.url, folderUrl])
      for (const javaScriptEnabled of [true, false]) {
        // Each place and each kind of reader once; in a sweep each reader in each place.
        if (!sweeping && javaScriptEnabled !== (url === folderUrl)) continue;
        const page = await (await openContext({ javaScriptEnabled })).newPage();
        await page.goto(`${url}index.html`);
        for (const [press, wanted] of [
          ['.card[href*="quickstart"]', "guide/quickstart.html"],
          [".pagination-next", "guide/install.html"],
          ["#sidebar-content a[href$='operate.html']", "guide/operate.html"],
          [".nav-tabs a[href*='components/']", "components/callouts.html"],
          [".nav-home", "index.html"],
        ] as const) {
          await page.locator(press).first().click();
          await page.waitForURL(`${url}${wanted}`);
        }
        await page.context().close();
      }
  });

  test("links only to files that exist, never by a path from the root", () => {
    const { folder, pages } = gallery();
    const faults = pages.flatMap((path) =>
      addressesOf(join(folder, path))
        .filter((address) => !/^(?:[a-z][\w+.-]*:|\/\/)/i.test(address))
        .filter((address) => {
          const written = decodeURI(address.replace(/[?#].*$/s, "")) || posix.basename(path);
          const target = posix.join(posix.dirname(path), written);
          return (
            address.startsWith("/") ||
            target.startsWith("..") ||
            !/\.\w+$/.test(target) ||
            !existsSync(join(folder, target))
          );
        })
        .map((address) => `${path}: ${address}`),
    );
    assert.deepEqual(faults, []);
  });

  test("shows all its text without JavaScript, and no dead control", async () => {
    const open = async () => (await openContext({ javaScriptEnabled: false, viewport: low })).newPage();
    const found = await collect(sampleOf(gallery().pages, 6), open, async (page, path) => {
      await page.goto(folderUrl + path);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll<HTMLDetailsElement>("#content-area details"))
          details.open = true;
      });
      const unseen = await unseenText(page, "#banner, #navbar, #content-container, #footer");
      const dead = await deadControls(page);
      return [...unseen.map((text) => `${path}: not seen: ${text}`), ...dead.map((html) => `${path}: dead: ${html}`)];
    });
    assert.deepEqual(found, []);
  });

  test("has its navigation on a phone without JavaScript", async () => {
    const page = await (
      await openContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    ).newPage();
    await page.goto(`${folderUrl}components/tabs.html`);
    await page.locator("#mobile-nav-trigger").click();
    await page.locator("#sidebar a[href$='steps.html']").click();
    await page.waitForURL(`${folderUrl}components/steps.html`);
  });

  test("does not shift when pictures and scripts load late", async () => {
    // The head script decides the first paint, so it is not delayed.
    const late = /\.(?:svg|png)$|\/app\.\w+\.js$/;
    // Its diagram is scaled down on a phone.
    const scaled = { path: "guide/operate/alarms.html", width: 390 };
    const moved = await shiftsOn([...views(4), scaled], late, { without: fonts });
    assert.deepEqual(moved, []);
  });

  test("hardly shifts while its text arrives in chunks", async () => {
    // A row cut in two grows by a line when the rest arrives: 24 of the window's 900 pixels.
    const moved = await shiftsOn(views(4), undefined, { without: fonts, pieces: 6 });
    assert.deepEqual(
      moved.filter(({ value }) => value > 24 / 900),
      [],
    );
  });

  test("loads the font of the text before the page needs it, except from disk, where browsers refuse", async () => {
    for (const [url, initiators] of [
      [served.url, ["link"]],
      [folderUrl, []],
    ] as const) {
      const { page, problems } = await openWatched(await openContext(), url);
      await page.goto(`${url}guide/quickstart.html`);
      await page.evaluate(() => document.fonts.ready);
      const asked = await page.evaluate(() =>
        (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
          .filter(({ name, initiatorType }) => name.endsWith(".woff2") && initiatorType === "link")
          .map(({ initiatorType }) => initiatorType),
      );
      assert.deepEqual(asked, initiators);
      assert.deepEqual(problems, []);
      await page.context().close();
    }
  });

  test("shifts by no more than a line when fonts load late", async () => {
    // The fallback font has the same metrics, but a line may break elsewhere.
    const moved = await shiftsOn(views(3), fonts);
    assert.deepEqual(
      moved.filter(({ value }) => value > 0.05),
      [],
    );
  });

  test("has a fallback font as wide as the page's font", async () => {
    const page = await (await openContext()).newPage();
    await page.goto(`${folderUrl}guide/quickstart.html`);
    const ratios = await page.evaluate(async () => {
      const text = document.body.appendChild(document.createElement("span"));
      text.append([...document.querySelectorAll("#content p")].map((each) => each.textContent).join(" "));
      // Chromium on Linux rounds the width of each letter to whole pixels.
      text.style.cssText = "position: absolute; font-size: 10rem; white-space: nowrap";
      const widthOf = async (family: string, weight: number): Promise<number> => {
        // Fails for fonts that this system does not have.
        await document.fonts.load(`${weight} 1rem ${family}`).catch(() => undefined);
        text.style.fontFamily = `${family}, monospace`;
        text.style.fontWeight = String(weight);
        return text.getBoundingClientRect().width;
      };
      const found: number[] = [];
      for (const weight of [400, 500, 600, 650, 700])
        found.push((await widthOf('"Inter Fallback"', weight)) / (await widthOf("Inter", weight)));
      return found;
    });
    await page.context().close();
    assert.deepEqual(
      ratios.filter((ratio) => Math.abs(ratio - 1) > 0.015),
      [],
    );
  });

  /** Pages on a wide and a narrow screen alternately; in a sweep on both. */
  function views(count: number): { readonly path: string; readonly width: number }[] {
    const widths = [1360, 390];
    return sampleOf(gallery().pages, count).flatMap((path, index) =>
      (sweeping ? widths : [widths[index % 2]!]).map((width) => ({ path, width })),
    );
  }

  /**
   * What shifts on these pages. With `late`, files of matching paths are held back until everything else is painted.
   */
  async function shiftsOn(
    all: ReturnType<typeof views>,
    late: RegExp | undefined,
    options: ServeOptions = {},
  ): Promise<(Shift & { readonly view: string })[]> {
    const lines: ServedFolder[] = [];
    const openLane = async () => {
      let held = Promise.withResolvers<void>();
      const heldBack = (path: string) => (late?.test(path) ? held.promise : undefined);
      const line = await serveFolder(gallery().folder, { ...options, heldBack });
      lines.push(line);
      const page = await (await openContext()).newPage();
      await watchShifts(page);
      const open = async (path: string): Promise<void> => {
        held = Promise.withResolvers();
        await page.goto(line.url + path, { waitUntil: late ? "commit" : "load" });
        if (late) await forgetShifts(page);
        held.resolve();
        await page.waitForLoadState();
      };
      return { page, open };
    };
    try {
      return await collect(all, openLane, async ({ page, open }, { path, width }) => {
        await page.setViewportSize({ width, height: 900 });
        await open(path);
        return (await shiftsOf(page)).map((shift) => ({ view: `${path}, ${width} px`, ...shift }));
      });
    } finally {
      for (const line of lines) await line.close();
    }
  }

  /** For what no height changes: painting takes a third of the time that a page needs. */
  const low = { width: 1360, height: 150 };
  const usual: BrowserContextOptions = { viewport: { width: 1360, height: 900 }, colorScheme: "light" };
  const openContext = (options: BrowserContextOptions = {}): Promise<BrowserContext> =>
    browser().newContext({ ...usual, ...options });
});

/** The links and resources of a document; its own canonical URL is not a link. */
function addressesOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: HtmlNode): void => {
    const attributes = new Map(node.attrs?.map(({ name, value }) => [name, value]));
    for (const name of ["href", "src", "poster"])
      if (attributes.has(name) && attributes.get("rel") !== "canonical") found.push(attributes.get(name)!);
    for (const part of attributes.get("srcset")?.split(",") ?? []) found.push(part.trim().split(/\s/)[0]!);
    node.childNodes?.forEach(visit);
  };
  visit(parse(readFileSync(file, "utf8")) as unknown as HtmlNode);
  return found;
}

interface HtmlNode {
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly HtmlNode[];
}
