import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { connectBrowser } from "./browser.js";
import { browserEndpoint } from "./chromium.js";

/**
 * For tests that click and type as a reader does: the browser may not have finished one step when the next begins. They
 * have one retry, and the run lists the tests that needed it. Tests that look for faults have none.
 */
export const actsAsReader = { retry: 1 } as const;

let running: Promise<Browser> | undefined;

/**
 * The browser of the run, through a connection that all files of this process share. Contexts that the tests leave open
 * are closed after them.
 */
export function sharedBrowser(chromium: string | undefined): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (chromium !== undefined) browser = await connected();
  });
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  return () => browser!;
}

/** Connects again after a crash, so that one file does not fail all later ones. */
async function connected(): Promise<Browser> {
  const last = await running?.catch(() => undefined);
  if (last?.isConnected()) return last;
  running = browserEndpoint().then(connectBrowser);
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

/** A file that a page gave to the reader. The browser is another process's, so its path is not available. */
export async function downloadedBytes(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
