import { mkdirSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../../quality/axe.js";
import { sweeping } from "../../quality/bundle.js";
import { findChromium } from "../../support/browser.js";
import { type FilledConsole, pagesOf } from "../../support/console-data.js";
import { openConsolePage } from "../../support/console-in-browser.js";
import { password } from "../../support/console-world.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);

/** In that folder, what every page looks like. */
const pictures = process.env["OFFPRINT_CONSOLE_SHOTS"];

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
  test("no page has an accessibility fault, in light and dark colours and on a phone", async () => {
    const { filled, page } = await openConsolePage(browser(), undefined, { reducedMotion: "reduce" });
    const faults: string[] = [];
    // Each page is checked in both colours and both widths, for all rules in the first; in a sweep in all four combinations.
    const looks = [
      ["light", 1280],
      ["dark", 320],
      ["light", 320],
      ["dark", 1280],
    ] as const;
    const taken = looks.slice(0, sweeping || pictures !== undefined ? 4 : 2);
    for (const address of pagesOf(filled)) {
      for (const [index, [colorScheme, width]] of taken.entries()) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        if (index === 0) await page.goto(address);
        await picture(page, `${nameOf(address, filled)}-${colorScheme}-${width}`);
        const found = await violationsOf(page, { onlyColors: index > 0 && !sweeping });
        faults.push(...found.map((fault) => `${address} ${colorScheme} ${width}: ${fault}`));
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) faults.push(`${address} ${width}: ${overflow} px too wide`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("the receipt of a deleted organization is accessible, on a phone, too", async () => {
    const { page } = await openConsolePage(browser());
    await page.goto("/console/organization/delete");
    await page.fill('[name="organization"]', "Acme");
    await page.fill('[name="password"]', password);
    await page.click("text=Delete the organization");
    await page.waitForSelector(".receipt");
    for (const [colorScheme, width, rules] of [
      ["light", 1280, {}],
      ["dark", 1280, { onlyColors: true }],
      ["light", 320, { withoutColors: true }],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await picture(page, `receipt-${colorScheme}-${width}`);
      expect(await violationsOf(page, rules)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });

  test("the keyboard alone creates a key", actsAsReader, async () => {
    const { page, world } = await openConsolePage(browser());
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

  test("an agent job shows what happens as it happens, and keeps a message that is being written", async () => {
    const { page, world, filled } = await openConsolePage(browser());
    const { agents, jobs } = world.store;
    await agents.addMessage(filled.agentJob, { prompt: "And this.", domain: "docs.acme.com" });
    await page.goto(`/console/agent/${filled.agentJob}`);
    await page.getByLabel("Message to the agent").fill("Half a");
    const { runId } = (await agents.get(filled.agentJob))!;
    await jobs.addLog(runId, "info", "edit_file was used.");
    await page.getByText("edit_file was used.").waitFor();
    await agents.cancel(filled.agentJob, "The job was cancelled by Ada.");
    await page.getByText("The job was cancelled by Ada.").first().waitFor();
    expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    expect(await page.getByLabel("Message to the agent").inputValue()).toBe("Half a");
  });

  test("the keyboard alone cancels a job", actsAsReader, async () => {
    const { page, world, filled } = await openConsolePage(browser());
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
