import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.js";

/** Nothing takes this long, but a machine may be slow and busy with other tests. */
const waitMs = 120_000;

/** A frame with the address of another host gets no process of its own. */
const options = ["--disable-site-isolation-trials"];

/**
 * For tests that press and type as a reader does: between two steps of theirs a browser may not have come to what follows
 * from the first. They have a second try, and the run names those that needed it. What looks for faults has none.
 */
export const actsAsReader = { retry: 1 } as const;

let running: Promise<Browser> | undefined;

/**
 * The browser for the tests around: one for all files that follow each other in a process. Contexts that the tests leave
 * open are closed after them; the browser ends with the process.
 */
export function sharedBrowser(chromium: string | undefined): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (chromium !== undefined) browser = await connected(chromium);
  });
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  return () => browser!;
}

/** Another one after a crash, so that one file's end is not that of all that follow. */
async function connected(chromium: string): Promise<Browser> {
  const last = await running?.catch(() => undefined);
  if (last?.isConnected()) return last;
  running = launchBrowser(chromium, options);
  const browser = await running;
  browser.on("context", (context) => context.setDefaultTimeout(waitMs));
  return browser;
}

/** Makes a page as good as new: nothing is open in it, and its origin remembers nothing of the reader. */
export async function forget(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto("about:blank");
}
