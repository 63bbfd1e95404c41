import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.js";

/**
 * For tests that click and type as a reader does: the browser may not have finished one step when the next begins. They
 * have one retry, and the run lists the tests that needed it. Tests that look for faults have none.
 */
export const actsAsReader = { retry: 1 } as const;

let running: Promise<Browser> | undefined;

/**
 * The browser of this process, which all its test files share. One for all processes would run Playwright's server in
 * another process, and every message between the two would be written and read twice. Contexts that the tests leave open
 * are closed after them.
 */
export function sharedBrowser(chromium: string | undefined): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (chromium !== undefined) browser = await launched(chromium);
  });
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  return () => browser!;
}

/** Starts another after a crash, so that one file does not fail all later ones. */
async function launched(chromium: string): Promise<Browser> {
  const last = await running?.catch(() => undefined);
  if (last?.isConnected()) return last;
  // Frames of other origins share the process of the page.
  running = launchBrowser(chromium, ["--disable-site-isolation-trials"]);
  return running;
}

/** Resets a page: empties it and clears the storage of its origin. */
export async function forget(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto("about:blank");
}

/** A file that a page gave to the reader. */
export async function downloadedBytes(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
