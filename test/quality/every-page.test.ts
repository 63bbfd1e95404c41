/**
 * Visits every page of the gallery once (four outside a sweep), below a path of a simple host and under the
 * strictest policy. Checks that nothing fails, and that the page is small, fits every window, is accessible and prints.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { hooks } from "../../src/page/theme/chrome/hooks.js";
import { findChromium } from "../support/browser.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { violationsOf } from "./axe.js";
import { collect, exportedGallery, sampleOf, sweeping } from "./bundle.js";
import { applyStyles, columnFaults, faultsOnPaper, misplacedHooks, outsideWindow, unfold } from "./look.js";
import { type Look, scenes, screens } from "./scenes.js";
import { openWatched, type WatchedPage } from "./watched-page.js";

/** Limits for what a page loads, in bytes after gzip; fonts in files. */
const kB = 1024;
const budgets = { script: 15 * kB, style: 15 * kB, fonts: 1 };
/** Counts as content, as a picture does: the colors of each diagram, the fonts of formulas, classes that pages write. */
const ofContent = /_offprint\/(?:diagrams\/|fonts\/math\/|math\.|diagram\.|utilities\.)/;

/** Every page is tested in the narrowest and one more; in all of them in a sweep. */
const widths = [320, 375, 768, 1024, 1360, 1920];

const questions = [
  "runs without an error, a policy violation, or a request to another host",
  "stays within its budgets",
  "is never wider than its window",
  "has no axe violation",
  "can be printed",
  "nests the elements that style sheets of sites select",
] as const;

const chromium = findChromium();

describe.skipIf(chromium === undefined)("each page of the gallery", () => {
  const gallery = exportedGallery();
  const answers = questions.map((): string[] => []);
  const browser = sharedBrowser(chromium);
  let served: ServedFolder;

  beforeAll(async () => {
    // Pages with audio files play them.
    served = await serveFolder(gallery().folder, { base: "/a/b/", policy: `${strictPolicy}; media-src 'self'` });
    const indexes = sampleOf([...gallery().pages.keys()], 4);
    await collect(indexes, () => openLane(), visit);
    // A sweep takes 17 minutes on a machine that other work keeps busy.
  }, 3_600_000);
  afterAll(() => served?.close());

  questions.forEach((question, index) => {
    test(question, () => assert.deepEqual(answers[index], []));
  });

  async function visit(lane: WatchedPage, index: number): Promise<readonly string[]> {
    const { page, problems, requests } = lane;
    const path = gallery().pages[index]!;
    const answer = (question: number, found: readonly string[]) =>
      answers[question]!.push(...found.map((each) => `${path} | ${each}`));

    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    await page.setViewportSize(screens.light);
    await page.goto(served.url + path);
    await page.evaluate(() => document.fonts.ready);
    answer(1, overBudget(requests.splice(0)));
    answer(5, await misplacedHooks(page, hooks));
    answer(3, await violationsOf(page));
    for (const width of widthsOf(index)) answer(2, await outsideWindow(page, width));
    await unfold(page);
    for (const width of sweeping ? widths : [320]) answer(2, await outsideWindow(page, width));
    await page.setViewportSize(screens.dark);
    await page.emulateMedia({ colorScheme: "dark" });
    answer(3, await violationsOf(page, { within: "#content-area", onlyColors: true }));
    if (sweeping || index % 2 === 0) answer(4, await faultsOnPaper(page));
    answer(0, problems.splice(0));
    return [];
  }

  const widthsOf = (index: number): readonly number[] =>
    sweeping ? widths : [widths[0]!, widths[1 + (index % (widths.length - 1))]!];

  function overBudget(loaded: readonly string[]): string[] {
    const files = loaded
      .filter((url) => url.startsWith(served.url) && !ofContent.test(url))
      .map((url) => url.slice(served.url.length));
    const sizeOf = (path: string): number =>
      gzipSync(readFileSync(join(gallery().folder, decodeURI(path))), { level: 9 }).length;
    const sum = (ending: string): number =>
      files.filter((path) => path.endsWith(ending)).reduce((total, path) => total + sizeOf(path), 0);
    // A page with seven style sheets uses nearly every kind of component, which is unusual.
    if (files.filter((path) => path.endsWith(".css")).length > 6) return [];
    const facts = {
      script: sum(".js"),
      style: sum(".css"),
      fonts: files.filter((path) => path.endsWith(".woff2")).length,
    };
    return (Object.keys(budgets) as (keyof typeof budgets)[])
      .filter((name) => facts[name] > budgets[name])
      .map((name) => `${name}: ${facts[name]}, allowed are ${budgets[name]}`);
  }

  test("has no axe violation in anything that opens on a click", async () => {
    const openLanes = async () => ({
      light: await openLane("light"),
      dark: await openLane("dark"),
      phone: await openLane("phone"),
    });
    const found = await collect(sampleOf(scenes, 4), openLanes, async (lanes, { name, page: path, look, act }) => {
      const { page, problems } = lanes[look];
      await page.goto(served.url + path);
      await act(page);
      // A control half covered by an open menu cannot be a target before the menu closes.
      const violations = (await violationsOf(page)).filter((each) => !/^target-size .* partially obscured/.test(each));
      return [...problems.splice(0), ...violations].map((each) => `${name}, ${look} | ${each}`);
    });
    assert.deepEqual(found, []);
  });

  test("keeps a readable text column with the style sheets of sites", async () => {
    const folder = fileURLToPath(new URL("../../fixtures/site-styles", import.meta.url));
    const sheets = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
    const pages = ["components/cards.html", "api/create-station.html", "modes/wide.html", "modes/custom.html"];
    const found = await collect(
      pages,
      () => openLane(),
      async ({ page, problems }, path) => {
        await page.goto(served.url + path);
        const faults: string[] = problems.splice(0);
        for (const [turn, width] of [390, 1024, 1360].entries()) {
          await page.setViewportSize({ width, height: 900 });
          for (const [index, [name, css]] of [["no style sheet", ""] as const, ...sheets].entries()) {
            // Each style sheet meets each page and each width; in a sweep each page in each width.
            if (!sweeping && (pages.indexOf(path) + index + turn) % 3 !== 0) continue;
            await applyStyles(page, css);
            faults.push(...(await columnFaults(page)).map((fault) => `${path}, ${name}, ${width} px | ${fault}`));
          }
        }
        return faults;
      },
    );
    assert.deepEqual(found, []);
  });

  test("has every element that style sheets of sites select on some page", () => {
    const unseen = new Set(Object.keys(hooks).filter((hook) => !hook.includes("mobile-nav")));
    for (const path of gallery().pages) {
      const html = readFileSync(join(gallery().folder, path), "utf8");
      for (const hook of unseen)
        if (new RegExp(`<[^>]* ${hook[0] === "#" ? "id" : "class"}="(?:[^"]* )?${hook.slice(1)}[ "]`).test(html))
          unseen.delete(hook);
    }
    assert.deepEqual([...unseen], []);
  });

  async function openLane(look: Look = "light"): Promise<WatchedPage> {
    const context: BrowserContext = await browser().newContext({
      viewport: screens[look],
      colorScheme: look === "dark" ? "dark" : "light",
      reducedMotion: "reduce",
    });
    return openWatched(context, served.url);
  }
});
