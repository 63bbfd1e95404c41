/** The handbook, served without extensions and under its strict policy, as a browser sees it. */
import type { Manifest } from "offprint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundleServer, serveBundle } from "../../src/serve/serve-bundle.js";
import { sampleOf } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { sharedExport } from "../support/shared-export.js";
import { waitUntil } from "../support/wait-until.js";

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the handbook", () => {
  const browser = sharedBrowser(chromium);
  let served: BundleServer;
  let manifest: Manifest;
  const answered: string[] = [];

  beforeAll(async () => {
    const { archive, result } = await sharedExport("handbook");
    manifest = result.manifest!;
    served = await serveBundle({
      source: archive,
      port: 0,
      basePath: "/handbook",
      onAnswer: ({ path }) => answered.push(path),
    });
  });
  afterAll(() => served.close());

  test("shows its pages, in a sweep all of them, at addresses without extension, and breaks no rule of its policy", async () => {
    const page = await browser().newPage();
    const problems: string[] = [];
    let current = "";
    page.on("pageerror", (error) => problems.push(`${current}: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && problems.push(`${current}: ${message.text()}`));
    page.on(
      "response",
      (answer) => answer.status() >= 400 && problems.push(`${current}: ${answer.status()} ${answer.url()}`),
    );
    const paths = manifest.files
      .map(({ path }) => path)
      .filter((path) => path.endsWith(".html") && path !== "404.html");
    expect(paths.length).toBeGreaterThan(10);
    for (const path of sampleOf(paths, 8)) {
      current = path.replace(/(?:index)?\.html$/, "");
      const answer = await page.goto(served.url + current, { waitUntil: "load" });
      expect(answer!.headers()["content-security-policy"]).toContain("script-src 'self'");
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test("fetches the page behind a link once, before the click", async () => {
    const page = await browser().newPage();
    await page.goto(`${served.url}guides/publishing`);
    answered.length = 0;
    const link = page.locator('.sidebar-link[href$="hosting.html"]');
    await link.hover();
    await waitUntil("the page is fetched", () => answered.includes("/handbook/guides/hosting.html"));
    expect(await page.locator("link[rel=prefetch]").count()).toBe(0);
    await link.click();
    await page.waitForURL(/hosting\.html$/);
    await page.waitForSelector("#page-title");
    expect(answered.filter((path) => path.endsWith(".html"))).toEqual(["/handbook/guides/hosting.html"]);
    await page.close();
  });

  test("fetches the style sheets that only the page behind a link uses", async () => {
    const page = await browser().newPage();
    await page.goto(`${served.url}guides/publishing`);
    await page.locator('.sidebar-link[href$="writing-pages.html"]').hover();
    const links = page.locator("link[rel=prefetch][as=style]");
    await waitUntil("a style sheet is fetched", async () => (await links.count()) > 0);
    const fetched = await links.evaluateAll((each) => each.map((link) => (link as HTMLLinkElement).href));
    const used = await page
      .locator("link[rel=stylesheet]")
      .evaluateAll((each) => each.map((link) => (link as HTMLLinkElement).href));
    expect(fetched.filter((href) => used.includes(href))).toEqual([]);
    await page.goto(`${served.url}guides/writing-pages`);
    const there = await page
      .locator("link[rel=stylesheet]")
      .evaluateAll((each) => each.map((link) => (link as HTMLLinkElement).href));
    expect(there.filter((href) => !used.includes(href))).toEqual(fetched);
    await page.close();
  });

  test("is searched, and leads on from there", async () => {
    const page = await browser().newPage();
    await page.goto(`${served.url}guides/hosting`);
    await page.keyboard.press("Control+k");
    await page.waitForSelector("#search-dialog[open]");
    await page.keyboard.type("redirects");
    await page.locator("#search-list:not([aria-busy]) [role=option]").first().click();
    await page.waitForURL(/\/handbook\/(?!guides\/hosting$)/);
    expect((await page.title()).length).toBeGreaterThan(0);
    await page.close();
  });

  test("shows its page for unknown addresses, with its styles", async () => {
    const page = await browser().newPage();
    const answer = await page.goto(`${served.url}no/such/page`);
    expect(answer!.status()).toBe(404);
    expect(
      await page
        .locator("link[rel=stylesheet]")
        .first()
        .evaluate((link: HTMLLinkElement) => link.sheet !== null),
    ).toBe(true);
    await page.close();
  });
});
