import { mkdirSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/service/api/index.js";
import { violationsOf } from "../../quality/axe.js";
import { findChromium } from "../../support/browser.js";
import { type FilledConsole, fillConsole, pagesOf, type TextsOf } from "../../support/console-data.js";
import { openConsoleWorld, password } from "../../support/console-world.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);

/** A console with everything in it, on a port, and a page of an owner who has logged in. */
async function openFilled(texts?: TextsOf, colorScheme: "light" | "dark" = "light") {
  const world = await openConsoleWorld();
  const filled = await fillConsole(world, texts);
  await world.person("ada@acme.com", "owner");
  const served = await listen({ api: world.console, port: 0, host: "127.0.0.1" });
  onTestFinished(() => served.close());
  const context = await browser().newContext({ baseURL: served.url, colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto("/console/login");
  await page.fill('[name="email"]', "ada@acme.com");
  await page.fill('[name="password"]', password);
  await page.press('[name="password"]', "Enter");
  await page.waitForURL(/\/console$/);
  return { world, filled, page, url: served.url };
}

const pictures = process.env["OFFPRINT_PICTURES"];

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  writeFileSync(`${pictures}/${name}.png`, await page.screenshot({ fullPage: true }));
}

const nameOf = (address: string, filled: FilledConsole): string =>
  Object.entries(filled)
    .reduce((text, [name, id]) => text.replace(id, name), address)
    .replace(/\W+/g, "-")
    .slice(1);

describe.skipIf(chromium === undefined)("in a browser", () => {
  test.each(["light", "dark"] as const)(
    "no page has an accessibility fault, in %s colours and on a phone",
    async (mode) => {
      const { filled, page } = await openFilled(undefined, mode);
      const faults: string[] = [];
      for (const address of pagesOf(filled)) {
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          if (width === 1280) await page.goto(address);
          await picture(page, `${nameOf(address, filled)}-${mode}-${width}`);
          const found = await violationsOf(page);
          faults.push(...found.map((fault) => `${address} ${width}: ${fault}`));
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (overflow > 0) faults.push(`${address} ${width}: ${overflow} px too wide`);
        }
      }
      expect(faults).toEqual([]);
    },
  );

  test("the keyboard alone creates a key", actsAsReader, async () => {
    const { page, world } = await openFilled();
    await page.goto("/console/keys");
    await tabTo(page, "New key");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/keys\/new/);
    await tabTo(page, "Name");
    await page.keyboard.type("made by keyboard");
    await tabTo(page, "Create key");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Save the new key" }).waitFor();
    const secret = (await page.locator(".command code").first().textContent())!;
    expect((await world.store.accounts.findKey(secret))!.name).toBe("made by keyboard");
  });

  test("the keyboard alone cancels a job", actsAsReader, async () => {
    const { page, world, filled } = await openFilled();
    await page.goto(`/console/jobs/${filled.running}`);
    await tabTo(page, "Cancel");
    await page.keyboard.press("Enter");
    await page.getByText("cancelled", { exact: false }).first().waitFor();
    expect(await world.store.jobs.get(filled.running)).toMatchObject({ status: "failed" });
  });
});

/** Presses Tab until the element with that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> };
      return (element.labels?.[0]?.textContent ?? element.textContent ?? "").trim();
    });
    if (focused.startsWith(name)) return;
  }
  throw new Error(`Tab does not reach "${name}".`);
}
