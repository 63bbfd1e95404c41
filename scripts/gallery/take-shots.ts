import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Look, screens } from "../../test/quality/scenes.ts";

export interface Shot {
  readonly group: "pages" | "themes" | "opened";
  /** Title in the index; with `group` and `look` it names the file. */
  readonly name: string;
  readonly look: Look;
  /** Path of the page, relative to the output folder. */
  readonly file: string;
  /** Acts on the page first. Then the screenshot shows only the visible part, otherwise the whole page. */
  readonly act?: (page: Page) => Promise<void>;
}

/** Screenshots taken at the same time. */
const concurrency = 3;

export const shotPath = (shot: Shot): string => `shots/${shot.group}/${shot.name}.${shot.look}.png`;

/** Writes all screenshots to `out`, several at a time in one browser. A page that logs an error fails the run. */
export async function takeShots(browser: Browser, out: string, shots: readonly Shot[]): Promise<void> {
  const queue = [...shots];
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    for (let shot = queue.shift(); shot !== undefined; shot = queue.shift())
      await takeShot(browser, out, shot, (problem) => problems.push(`${shot!.file}: ${problem}`));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (problems.length > 0) throw new Error(`Pages of the gallery have errors:\n  ${problems.join("\n  ")}`);
}

async function takeShot(browser: Browser, out: string, shot: Shot, report: (problem: string) => void): Promise<void> {
  const path = join(out, shotPath(shot));
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
