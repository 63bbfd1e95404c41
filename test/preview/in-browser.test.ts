import { renameSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { page as source } from "../support/cli.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { type PreviewSite, previewSite } from "./preview-site.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);
const long = "A line of text.\n\n".repeat(200);

async function open({ preview }: PreviewSite, path = ""): Promise<Page & { readonly faults: string[] }> {
  const context = await browser().newContext();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`http://localhost:${preview.port}/${path}`);
  await page.locator("offprint-preview .pill").waitFor();
  return Object.assign(page, { faults });
}
/** Long enough for a slow machine. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look);
const pill = (page: Page) => page.locator("offprint-preview .pill");
const panel = (page: Page) => page.locator("offprint-preview .panel");

describe.skipIf(chromium === undefined)("a page in the preview", () => {
  test("reloads when it is saved, stays where it was scrolled to, and leaves other pages alone", async () => {
    const site = await previewSite({
      "index.mdx": source("Start", long),
      "other.mdx": source("Other", "Other text."),
    });
    const page = await open(site);
    const other = await open(site, "other");
    await other.evaluate(() => Object.assign(window, { wasKept: true }));
    await page.evaluate(() => scrollTo(0, 1500));
    site.write("index.mdx", source("Start", `${long}The end is new.`));
    await page.getByText("The end is new.").waitFor({ state: "attached" });
    await soon(() => page.evaluate(() => scrollY)).toBe(1500);
    site.write("index.mdx", source("Start", `${long}The end is newer.`));
    await page.getByText("The end is newer.").waitFor({ state: "attached" });
    expect(await other.evaluate(() => "wasKept" in window)).toBe(true);
    site.write("index.mdx", source("Another start", long));
    await other.getByText("Another start").first().waitFor({ state: "attached" });
    expect([...page.faults, ...other.faults]).toEqual([]);
  });

  test("keeps its last good text under an error with its line, which goes away when it is fixed", async () => {
    const site = await previewSite({ "index.mdx": source("Start", "Good text.") });
    const page = await open(site);
    await soon(() => pill(page).getAttribute("class")).toBe("pill good");
    site.write("index.mdx", source("Start", "<Card title={>\n\nNew text."));
    await panel(page).waitFor();
    expect(await panel(page).textContent()).toMatch(
      /2 errors[\s\S]*last version of the page[\s\S]*index\.mdx:5:\d+[\s\S]*MDX_SYNTAX/,
    );
    expect(await panel(page).locator("pre").first().textContent()).toMatch(/^5 \| <Card title=\{>\n +\| +\^+\n/);
    expect(await panel(page).textContent()).toContain("Fix: ");
    expect(await page.locator("#content").textContent()).toContain("Good text.");
    await page.keyboard.press("Escape");
    site.write("index.mdx", source("Start", "Mended text."));
    await page.getByText("Mended text.").waitFor();
    await soon(() => pill(page).getAttribute("class")).toBe("pill good");
    expect(await panel(page).count()).toBe(0);
    expect(page.faults).toEqual([]);
  });

  test("shows the location that explains an error, too, and which Markdown is shown as typed", async () => {
    const site = await previewSite({ "index.mdx": source("Start", "<Card>\n\nText.\n\n</Crad>\n\n[a] (/index)\n") });
    const page = await open(site);
    await panel(page).waitFor();
    const frame = panel(page).locator("pre").first();
    expect(await frame.locator(".related").textContent()).toBe("------ <Card> opens here");
    expect(await frame.locator(".fault").textContent()).toBe("^^^^^^^");
    expect(await panel(page).textContent()).toMatch(/LINK_AS_TEXT[\s\S]*The link is shown as text/);
    if (process.env["PICTURES"]) await page.screenshot({ path: `${process.env["PICTURES"]}/overlay.png` });
    expect(page.faults).toEqual([]);
  });

  test("counts hints, lists them in the panel, and stays good if there are only hints", async () => {
    const site = await previewSite({ "index.mdx": source("Start", "![](https://example.com/a.png)\n\n# One\n") });
    const page = await open(site);
    await soon(() => pill(page).textContent()).toContain("2 hints");
    expect(await pill(page).getAttribute("class")).toBe("pill good");
    await pill(page).click();
    expect(await panel(page).locator(".badge").allTextContents()).toEqual(["Hint", "Hint"]);
    if (process.env["PICTURES"]) await page.screenshot({ path: `${process.env["PICTURES"]}/hints.png` });
    expect(page.faults).toEqual([]);
  });

  test("leads to its new address when its file is renamed", async () => {
    const site = await previewSite({ "index.mdx": source("Start", "Text."), "old.mdx": source("Words", "Here.") });
    const page = await open(site, "old");
    await page.getByText("Here.").waitFor();
    renameSync(join(site.folder, "old.mdx"), join(site.folder, "new.mdx"));
    await page.waitForURL("**/new");
    await page.getByText("Here.").waitFor();
  });

  test("shows an error of docs.json over the last plan, and shows hostile text as text", async () => {
    const site = await previewSite({ "index.mdx": source("Start", "Text."), "<img src=x onerror=alert(1)>.mdx": "x" });
    const page = await open(site);
    site.write("docs.json", '{\n  "name": <img src=x onerror=alert(1)>\n}');
    await panel(page).waitFor();
    expect(await panel(page).textContent()).toMatch(/This is the last version of the site[\s\S]*docs\.json:2:11/);
    expect(await panel(page).locator("img").count()).toBe(0);
    expect(page.faults).toEqual([]);
  });

  test("marks pages outside of the navigation and drafts, and lists them", async () => {
    const site = await previewSite({
      "index.mdx": source("Start", "Text."),
      "secret.mdx": source("Secret plan", "Text."),
      "next.mdx": '---\ntitle: "Next"\ndraft: true\n---\n\nText.',
      "docs.json": JSON.stringify({
        theme: "mint",
        name: "Acme",
        colors: { primary: "#0a6c5b" },
        navigation: { pages: ["index", "next"] },
      }),
    });
    const page = await open(site);
    expect(await pill(page).locator(".mark").count()).toBe(0);
    await pill(page).click();
    await panel(page).getByText("Hidden pages and drafts: 2").click();
    await panel(page).getByRole("link", { name: "Secret plan" }).click();
    await page.waitForURL("**/secret");
    await soon(() => pill(page).textContent()).toContain("Hidden page");
    await page.goto(`${site.preview.url}next`);
    await soon(() => pill(page).textContent()).toContain("Draft");
  });

  test("swaps a changed style sheet without reloading", async () => {
    const site = await previewSite({
      "index.mdx": source("Start", "Text."),
      "own.css": "#content { color: rgb(1, 2, 3) }",
    });
    const page = await open(site);
    await page.evaluate(() => Object.assign(window, { wasKept: true }));
    site.write("own.css", "#content { color: rgb(4, 5, 6) }");
    const color = () => page.locator("#content").evaluate((element) => getComputedStyle(element).color);
    await soon(color).toBe("rgb(4, 5, 6)");
    expect(await page.evaluate(() => "wasKept" in window)).toBe(true);
  });

  test("reloads for a picture that it shows, and not for another", async () => {
    const picture = (color: string): string => `<svg xmlns="http://www.w3.org/2000/svg"><rect fill="${color}"/></svg>`;
    const site = await previewSite({
      "index.mdx": source("Start", "![Shown](/shown.svg)"),
      "shown.svg": picture("red"),
      "other.svg": picture("red"),
    });
    const page = await open(site);
    await page.evaluate(() => Object.assign(window, { wasKept: true }));
    const wasKept = () => page.evaluate(() => "wasKept" in window);
    site.write("other.svg", picture("blue"));
    await site.changes(1);
    expect(await wasKept()).toBe(true);
    site.write("shown.svg", picture("blue"));
    await soon(wasKept).toBe(false);
    expect(await (await site.get("/shown.svg")).text()).toContain("blue");
  });

  test("begins with the faults if there is no site yet, and shows the site once there is one", async () => {
    const site = await previewSite({ "docs.json": "{", "index.mdx": source("Start", "Here I am.") });
    const page = await open(site);
    expect(await panel(page).textContent()).toContain("docs.json:1:1");
    site.write(
      "docs.json",
      '{ "theme": "mint", "name": "Acme", "colors": { "primary": "#0a6c5b" }, "navigation": { "pages": ["index"] } }',
    );
    await page.getByText("Here I am.").waitFor();
  });

  test("a page that is removed becomes the 404 page, and comes back", async () => {
    const site = await previewSite({
      "index.mdx": source("Start", "Text."),
      "gone.mdx": source("Gone", "Still here."),
    });
    const page = await open(site, "gone");
    site.remove("gone.mdx");
    await soon(() => page.title()).not.toContain("Gone");
    site.write("gone.mdx", source("Gone", "Back again."));
    await page.getByText("Back again.").waitFor();
  });
});
