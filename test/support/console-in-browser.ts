import type { Browser, BrowserContextOptions } from "playwright-core";
import { onTestFinished } from "vitest";
import { listen } from "../../src/service/http/index.js";
import { fillConsole, type TextsOf } from "./console-data.js";
import { openConsoleWorld, password } from "./console-world.js";

/** A console with everything in it, on a port, and a page of an owner who has logged in. */
export async function openConsolePage(browser: Browser, texts?: TextsOf, options: BrowserContextOptions = {}) {
  const world = await openConsoleWorld({ system: { database: "SQLite", bundles: "a folder" } });
  const filled = await fillConsole(world, texts);
  const { personId } = await world.person("ada@acme.com", "owner");
  await world.store.people.changePerson(personId, { name: texts ? texts("person", []).join(" ") : "Ada" });
  const served = await listen({ api: world.console, port: 0, host: "127.0.0.1" });
  onTestFinished(() => served.close());
  const context = await browser.newContext({ baseURL: served.url, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto("/console/login");
  await page.fill('[name="email"]', "ada@acme.com");
  await page.fill('[name="password"]', password);
  await page.press('[name="password"]', "Enter");
  await page.waitForURL(/\/console$/);
  return { world, filled, page, url: served.url };
}
