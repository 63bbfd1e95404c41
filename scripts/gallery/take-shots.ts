import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Look, screens } from "../../test/quality/scenes.ts";

export interface Shot {
  readonly group: "pages" | "themes" | "opened";
  /** What the index calls it; with `group` and `look` it names the picture. */
  readonly name: string;
  readonly look: Look;
  /** Page, relative to the output folder. */
  readonly file: string;
  /** What is done to the page first; then only what a screen shows is photographed, otherwise the whole page. */
  readonly act?: (page: Page) => Promise<void>;
}

/** Pictures taken at once. */
const hands = 3;

export const pictureOf = (shot: Shot): string => `shots/${shot.group}/${shot.name}.${shot.look}.png`;

/** Takes all of them into `out`, several at once in one browser; a page that logs an error fails the run. */
export async function takeShots(browser: Browser, out: string, shots: readonly Shot[]): Promise<void> {
  const queue = [...shots];
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    for (let shot = queue.shift(); shot !== undefined; shot = queue.shift())
      await takeShot(browser, out, shot, (what) => problems.push(`${shot!.file}: ${what}`));
  };
  await Promise.all(Array.from({ length: hands }, work));
  if (problems.length > 0) throw new Error(`Pages of the gallery have faults:\n  ${problems.join("\n  ")}`);
}

async function takeShot(browser: Browser, out: string, shot: Shot, report: (what: string) => void): Promise<void> {
  const path = join(out, pictureOf(shot));
  mkdirSync(dirname(path), { recursive: true });
  const context = await newContext(browser, shot.look);
  try {
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && report(message.text()));
    page.on("pageerror", (error) => report(error.message));
    await page.goto(pathToFileURL(join(out, shot.file)).href);
    await page.evaluate(() => document.fonts.ready);
    await shot.act?.(page);
    await page.screenshot({ path, fullPage: shot.act === undefined, animations: "disabled" });
  } finally {
    await context.close();
  }
}

function newContext(browser: Browser, look: Look): Promise<BrowserContext> {
  const phone = look === "phone" && { isMobile: true, hasTouch: true };
  return browser.newContext({
    viewport: screens[look],
    colorScheme: look === "dark" ? "dark" : "light",
    reducedMotion: "reduce",
    offline: true,
    ...phone,
  });
}
