// Pages of a bundle in Chromium: light and dark, on a desktop and a phone, over HTTP and from a file.

import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { violationsOf } from "../../../test/quality/axe.ts";
import { shiftsOf, watchShifts } from "../../../test/quality/shifts.ts";
import { serveFolder } from "../../../test/support/serve-folder.ts";
import type { Counts } from "../specs/tally.ts";
import type { MatchedPage } from "./check-pages.ts";
import { contrastOnPicture, type Inspection, inspectPage } from "./in-page.ts";

/** The limit of layout shift in Chromium for a good page. */
const mostShift = 0.1;

interface View {
  readonly name: string;
  readonly isDark: boolean;
  readonly isPhone: boolean;
  readonly isFile: boolean;
}
const views: readonly View[] = [
  { name: "light", isDark: false, isPhone: false, isFile: false },
  { name: "dark", isDark: true, isPhone: false, isFile: false },
  { name: "phone", isDark: false, isPhone: true, isFile: false },
  { name: "dark phone", isDark: true, isPhone: true, isFile: false },
  { name: "from disk", isDark: false, isPhone: false, isFile: true },
];

/** Kinds that result from authors' choices or from other hosts: they are counted, but are not misses. */
export const notes: ReadonlySet<string> = new Set([
  "error of the author's script",
  "contrast that the author chose",
  "picture of another host",
  "words in a component of the site",
]);

/** @param limitMs longest that one page in one view may take; a slower one is named, and the next page follows. */
export async function checkInBrowser(
  browser: Browser,
  bundle: string,
  pages: readonly MatchedPage[],
  counts: Counts,
  limitMs = 60_000,
): Promise<void> {
  const server = await serveFolder(bundle);
  try {
    for (const view of views) {
      const context = await browser.newContext({
        viewport: view.isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        colorScheme: view.isDark ? "dark" : "light",
        reducedMotion: "reduce",
        ...(view.isPhone && { isMobile: true, hasTouch: true }),
      });
      // A reader without a network: nothing of another host arrives.
      await context.route(
        (url) => /^https?:$/.test(url.protocol) && !url.href.startsWith(server.url),
        (route) => route.abort("internetdisconnected"),
      );
      for (const page of pages) {
        const root = view.isFile ? `${pathToFileURL(bundle).href}/` : server.url;
        const url = root + page.path.split("/").map(encodeURIComponent).join("/");
        await checkView(context, url, page, view, counts, limitMs);
      }
      await withinLimit(limitMs, context.close());
    }
  } finally {
    await server.close();
  }
}

async function checkView(
  context: BrowserContext,
  url: string,
  { file, path, source }: MatchedPage,
  view: View,
  counts: Counts,
  limitMs: number,
): Promise<void> {
  const check: Check = (kind, isThere, what) => counts.check(kind, isThere, file, () => what, `${path}, ${view.name}`);
  const page = await context.newPage();
  /** The result before the limit; a page that is too slow has only this result. */
  const found: Parameters<typeof check>[] = [];
  const measured = measureView(page, url, source.written, view, (...each) => found.push(each));
  const isMeasured = await withinLimit(limitMs, measured);
  check("not measured", isMeasured, `the browser was still busy after ${limitMs / 1_000} s`);
  if (isMeasured) for (const each of found) check(...each);
  await withinLimit(limitMs, page.close());
}

/** @returns false if the limit passed first. */
function withinLimit(limitMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  return Promise.race([work.then(() => true), limit]).finally(() => clearTimeout(timer));
}

/** A module of another host, or what the script of an author requests: no file has it from disk, which is reported. */
const request = /dynamically imported module: https:|Fetch API cannot load|TypeError: Failed to fetch/;

type Check = (kind: string, isThere: boolean, what: string) => void;

async function measureView(page: Page, url: string, written: string, view: View, check: Check): Promise<void> {
  try {
    const errors: string[] = [];
    /** Errors of scripts that the author added: they may need another host. */
    const authors: string[] = [];
    page.on("pageerror", ({ message, stack = "" }) => {
      // A module of another host has no stack of the script that imports it.
      const isOfOthers = /_offprint\/site\//.test(stack) || request.test(message);
      (isOfOthers ? authors : errors).push(message);
    });
    page.on("console", (message) => {
      // Failed requests are listed below, and what another host does not answer is no error of the page.
      if (message.type() !== "error" || /^Failed to load resource/.test(message.text())) return;
      const isOfOthers = /_offprint\/site\//.test(message.location().url) || request.test(message.text());
      (isOfOthers ? authors : errors).push(message.text());
    });
    page.on("response", (response) => {
      const isByScript = /^(?:fetch|xhr)$/.test(response.request().resourceType());
      if (response.status() >= 400)
        (isByScript ? authors : errors).push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await watchShifts(page);
    await page.goto(url, { waitUntil: "load" });
    await settle(page);
    const shifts = await shiftsOf(page);
    const moved = shifts.reduce((sum, { value }) => sum + value, 0);
    check(
      "layout shift",
      moved <= mostShift,
      `${moved.toFixed(3)}: ${shifts
        .map(({ what }) => what)
        .join(", ")
        .slice(0, 200)}`,
    );
    const inspection = await page.evaluate(inspectPage, view);
    addInspection(inspection, written, check);
    if (!view.isFile) await checkPictures(page, inspection, check);
    if (!view.isFile && view.isDark === view.isPhone) {
      // Contrast is measured above, where the colours of authors are told apart.
      const violations = await violationsOf(page, { bestPractice: false, withoutColors: true });
      if (violations.length === 0) check("axe", true, "");
      for (const each of violations) {
        const [rule, selector, , html] = each.split(" | ");
        check(`axe: ${rule}`, false, `${html?.slice(0, 160)}  at ${selector}`);
      }
    }
    check("error of the author's script", authors.length === 0, authors.slice(0, 3).join("; ").slice(0, 300));
    check("error in the console", errors.length === 0, errors.slice(0, 3).join("; ").slice(0, 300));
  } catch (error) {
    check("page that opens", false, (error as Error).message.slice(0, 200));
  }
}

/** Until live components have rendered and everything on the page has been near the window once. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const step = innerHeight * 4;
    const height = Math.min(document.documentElement.scrollHeight, 60_000);
    await new Promise((resolve) => setTimeout(resolve, 150));
    for (let y = 0; y < height; y += step) {
      scrollTo({ top: y, behavior: "instant" });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    scrollTo({ top: 0, behavior: "instant" });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

function addInspection({ faults, checked }: Inspection, written: string, check: Check): void {
  const missed = new Map<string, number>();
  for (const { kind, what, selector } of faults) {
    if (kind === "placeholder word" && written.includes(what)) continue;
    missed.set(kind, (missed.get(kind) ?? 0) + 1);
    check(kind, false, `${what}  at ${selector}`);
  }
  for (const [kind, count] of Object.entries(checked))
    for (let i = missed.get(kind) ?? 0; i < count; i++) check(kind, true, "");
}

async function checkPictures(page: Page, { onPictures }: Inspection, check: Check): Promise<void> {
  if (onPictures.length === 0) return;
  const hide = await page.addStyleTag({
    content: "*{color:transparent!important;-webkit-text-fill-color:transparent!important;text-shadow:none!important}",
  });
  for (const { box, color, least, region, selector, text } of onPictures) {
    if (box.y < 0 || box.x < 0 || box.y > 8_000) continue;
    // A picture of the window, since one of a page of 50,000 pixels takes minutes.
    const y = await page.evaluate((top) => {
      scrollTo({ top: top > innerHeight - 100 ? top - 300 : 0, behavior: "instant" });
      return top - scrollY;
    }, box.y);
    const clip = { x: box.x, y, width: Math.min(box.width, 400), height: Math.min(box.height, 100) };
    const picture = await page.screenshot({ clip, animations: "disabled" }).catch(() => undefined);
    if (picture === undefined) continue;
    const url = `data:image/png;base64,${picture.toString("base64")}`;
    const ratio = await page.evaluate(contrastOnPicture, [url, color] as const);
    check(
      `contrast in ${region}`,
      ratio >= least - 0.05,
      `${ratio.toFixed(2)} on a picture: rgb(${color.join(" ")}), "${text}"  at ${selector}`,
    );
  }
  await hide.evaluate((element) => (element as Element).remove());
}
