/** Anchors that other documentation systems have for the parts of an API, on our overview page, in Chromium. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";

const chromium = findChromium();
const operation = (operationId: string | undefined, summary: string, tag: string) => ({
  ...(operationId && { operationId }),
  summary,
  tags: [tag],
  responses: { 200: { description: "OK" } },
});
const spec = {
  openapi: "3.1.0",
  info: { title: "Orchard", version: "1", description: "About it.\n\n# Authentication\n\nWith a key." },
  tags: [{ name: "Fruit trees", description: "All about them." }],
  paths: {
    "/trees/{id}": {
      get: operation("TreeGet", "Get one", "Fruit trees"),
      put: operation("treeget", "Put", "Fruit trees"),
    },
    "/trees/{id}/prune": { post: operation(undefined, "Prune", "Fruit trees") },
    "/health": { get: operation("Image", "Health", "Image") },
  },
  webhooks: { felled: { post: operation("wasFelled", "Felled", "Image") } },
};
const settings = { name: "O", theme: "mint", colors: { primary: "#335577" }, navigation: { openapi: "api.json" } };

describe.skipIf(chromium === undefined)("an anchor of another documentation system", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  let folder: string;
  let page: Page;
  const overview = (): string => pathToFileURL(join(folder, "out/api-reference/overview.html")).href;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
    const site = join(folder, "site");
    mkdirSync(site);
    writeFileSync(join(site, "docs.json"), JSON.stringify(settings));
    writeFileSync(join(site, "api.json"), JSON.stringify(spec));
    expect((await exportInProcess({ source: site, output: join(folder, "out") })).ok).toBe(true);
    page = await browser().newPage();
  });
  afterAll(async () => {
    await page?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Case = readonly [anchor: string, address: string];
  const cases: readonly Case[] = [
    // Redoc
    ["operation/TreeGet", "fruit-trees/get-one.html"],
    ["tag/Fruit-trees/operation/treeget", "fruit-trees/put.html"],
    ["tag/Fruit-trees", "fruit-trees.html"],
    ["tag/Image", "image/health.html"],
    ["tag/Fruit-trees/paths/~1trees~1{id}~1prune/post", "fruit-trees/prune.html"],
    ["section/Authentication", "overview.html#authentication"],
    // Scalar
    ["tag/fruit-trees/GET/trees/{id}", "fruit-trees/get-one.html"],
    ["orchard/tag/fruit-trees/POST/trees/{id}/prune", "fruit-trees/prune.html"],
    ["webhook/POST/felled", "image/felled.html"],
    ["description/authentication", "overview.html#authentication"],
    // Swagger UI
    ["/Image/Image", "image/health.html"],
    ["/Fruit%20trees/TreeGet", "fruit-trees/get-one.html"],
    ["/Fruit%20trees/post_trees__id__prune", "fruit-trees/prune.html"],
    ["/Fruit%20trees", "fruit-trees.html"],
    ["/operations/Fruit%20trees/TreeGet", "fruit-trees/get-one.html"],
    // A part that the API does not have
    ["operation/nothing", "overview.html#operation/nothing"],
  ];
  for (const [anchor, address] of cases)
    test(`#${anchor} leads from a file to ${address}`, async () => {
      await page.goto("about:blank");
      await page.goto(`${overview()}#${anchor}`);
      await expect.poll(() => page.url().split("/api-reference/")[1]).toBe(address);
    });

  test("is kept by the page at the root of the site, where the former documentation was", async () => {
    await page.goto("about:blank");
    await page.goto(`${pathToFileURL(join(folder, "out/index.html")).href}#operation/TreeGet`);
    await expect.poll(() => page.url()).toMatch(/get-one\.html$/);
  });

  test("is followed when a link on the page has it, and the table is loaded only then", async () => {
    await page.goto("about:blank");
    await page.goto(overview());
    expect(await page.locator("head script:not([defer])[src*='_offprint/anchors/']").count()).toBe(0);
    await page.evaluate(() => {
      location.hash = "operation/TreeGet";
    });
    await expect.poll(() => page.url()).toMatch(/get-one\.html$/);
  });
});
