/** The components with their style sheet in Chromium: what shows, what fits, what can be hit. */
import { readFileSync } from "node:fs";
import type { ElementContent } from "hast";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { componentDefinitions } from "../../../src/page/components/index.js";
import { findChromium } from "../../support/browser.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";
import { element, htmlOf, item, paragraph, render } from "./render.js";

const withImports = (file: URL): string =>
  readFileSync(file, "utf8").replace(/@import "(.+)";/g, (_, path: string) => withImports(new URL(path, file)));
const sheet = (name: string): string =>
  withImports(new URL(`../../../src/page/theme/styles/${name}.css`, import.meta.url));
const sheets = [...componentDefinitions.values()].flatMap(({ stylesheet }) => stylesheet ?? []);
const ofComponents = ["components", ...[...new Set(sheets)].map((name) => `on-demand/${name}`)].map(sheet).join("\n");
const styles = `* { box-sizing: border-box } body { margin: 16px } ${sheet("tokens")} ${ofComponents}`;

test("the style sheet uses only variables that the theme or the sheet itself sets", () => {
  const known = new Set(
    ["tokens", "layout", "sidebar"]
      .map(sheet)
      .concat(ofComponents)
      .join("\n")
      .match(/--[\w-]+(?=:)/g),
  );
  const used = ofComponents.match(/(?<=var\()--[\w-]+(?=\))/g) ?? [];
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

const long = "Averylongwordthatdoesnotbreak".repeat(3);
const link = { href: "#x", external: true };
const body: readonly ElementContent[] = [
  ...render("Note", { title: long }, paragraph(long)),
  ...render("Columns", { cols: 4 }, render("Card", { title: long, href: link }), render("Card", { title: "B" }, "b")),
  ...render("AccordionGroup", {}, render("Accordion", { title: long, id: "a" }, paragraph("Folded away"))),
  ...render("Steps", {}, item("Step", { title: long }, paragraph(long)), item("Step", { title: "B" })),
  ...render(
    "Tabs",
    {},
    item("Tab", { title: "One", id: "one" }, paragraph("First")),
    item("Tab", { title: "Two", id: "two" }, paragraph("Second")),
  ),
  ...render("Tabs", {}, item("Tab", { title: long, id: "long" }, paragraph("Alone"))),
  ...render("ParamField", { query: long, type: long, default: long, id: "param-x" }, render("Expandable", {}, "Inner")),
  ...render("Update", { label: "v1", id: "v1", description: "May", tags: ["API", long] }, paragraph(long)),
  ...render("Prompt", { description: long, actions: ["copy", "cursor"] }, paragraph(long)),
  ...render(
    "Color",
    { variant: "table" },
    render("Color.Row", { title: "A" }, render("Color.Item", { name: long, value: "#0af" })),
  ),
  ...render("Tree", {}, render("Tree.Folder", { name: "app" }, render("Tree.File", { name: long }))),
  ...render("Frame", { caption: long }, element("img")),
  paragraph(
    "A ",
    render("Tooltip", { tip: "Explained", id: "tip", cta: "More", href: link }, "word"),
    " and ",
    render("Badge", {}, long),
  ),
];

const chromium = findChromium();
describe.skipIf(chromium === undefined)("in Chromium", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  let page: Page;

  async function open(classes: string, width = 1000) {
    page = await browser().newPage({ viewport: { width, height: 800 } });
    await page.setContent(
      `<!doctype html><html lang="en" class="${classes}"><title>x</title><style>${styles}</style><main>${htmlOf(body)}</main>`,
    );
  }
  const visible = (text: string) => page.getByText(text, { exact: true }).last().isVisible();

  test("without scripts, every panel, folder and title is visible", async () => {
    await open("");
    expect(await visible("Second")).toBe(true);
    expect(await page.locator(".tab-title").first().isVisible()).toBe(true);
    expect(await page.locator(".tabs-list").first().isVisible()).toBe(false);
    expect(await page.locator(".tree-file").isVisible()).toBe(true);
    expect(await page.locator(".prompt-button[data-copy]").isVisible()).toBe(false);
    await page.close();
  });

  test("with scripts, only the selected panel and open folders are visible", async () => {
    await open("js");
    expect(await visible("First")).toBe(true);
    expect(await visible("Second")).toBe(false);
    expect(await page.locator(".tabs-list").first().isVisible()).toBe(true);
    expect(await page.locator(".tree-file").isVisible()).toBe(false);
    await page.close();
  });

  test("print shows everything that a click would show", async () => {
    await open("js");
    await page.emulateMedia({ media: "print" });
    expect(await visible("Second")).toBe(true);
    expect(await page.locator(".tree-file").isVisible()).toBe(true);
    const height = await page.getByText("Folded away").evaluate((node) => node.getBoundingClientRect().height);
    expect(height).toBeGreaterThan(10);
    expect(await page.locator(".tabs-list").first().isVisible()).toBe(false);
    await page.close();
  });

  test("a tooltip opens by keyboard without scripts, and its link can be focused", async () => {
    await open("");
    const tip = page.locator(".tooltip-content");
    expect(await tip.isVisible()).toBe(false);
    await page.locator(".tooltip-trigger").focus();
    expect(await tip.isVisible()).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("More");
    expect(await tip.isVisible()).toBe(true);
    await page.close();
  });

  for (const width of [320, 1000])
    test(`nothing is wider than a page of ${width} px, and every control is at least 24 px high`, async () => {
      await open("js", width);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("main :not(svg *)")]
          .filter(
            (node) =>
              node.checkVisibility() &&
              (node.getBoundingClientRect().right > innerWidth ||
                (node.scrollWidth > node.clientWidth && node.clientWidth > 0)) &&
              !node.closest(".tree"),
          )
          .map((node) => node.outerHTML.slice(0, 80)),
      );
      expect(wide).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("main :is(a, button, summary)")]
          .filter((node) => node.checkVisibility() && !node.closest("p"))
          .filter((node) => node.getBoundingClientRect().height < 24)
          .map((node) => node.outerHTML.slice(0, 80)),
      );
      expect(small).toEqual([]);
      await page.close();
    });
});
