import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { findChromium } from "../../support/browser.js";
import { openConsolePage } from "../../support/console-in-browser.js";
import { sharedBrowser } from "../../support/shared-browser.js";

/** The folder of the handbook's pictures; `scripts/console-pictures.js` sets it. */
const folder = process.env["OFFPRINT_PICTURES"];
const chromium = folder === undefined ? undefined : findChromium();
const browser = sharedBrowser(chromium);

test.skipIf(chromium === undefined)("the handbook's pictures of the console are taken", async () => {
  const options = { viewport: { width: 1280, height: 800 }, timezoneId: "UTC", locale: "en-US" } as const;
  const { page, filled, world } = await openConsolePage(browser(), undefined, options);
  await page.clock.setFixedTime(world.clock.ms);
  for (const [name, address, colorScheme] of [
    ["overview", "", "light"],
    ["job", `/jobs/${filled.completed}`, "light"],
    ["site", `/sites/${filled.site}`, "light"],
    ["views", "/views?site=docs.acme.com", "light"],
    ["questions", `/questions/${filled.thread}`, "dark"],
    ["keys", "/keys", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/console${address}`);
    writeFileSync(join(folder!, `console-${name}.png`), await page.screenshot());
  }
});
