import type { Page } from "playwright-core";

export type Look = "light" | "dark" | "phone";

export const screens: Readonly<Record<Look, { readonly width: number; readonly height: number }>> = {
  light: { width: 1360, height: 900 },
  dark: { width: 1360, height: 900 },
  phone: { width: 390, height: 844 },
};

/** A page of the gallery after a click, for what is visible only then. */
export interface Scene {
  readonly name: string;
  readonly look: Look;
  readonly page: string;
  readonly act: (page: Page) => Promise<void>;
}

const press =
  (selector: string): Scene["act"] =>
  (page) =>
    page.locator(selector).first().click();

const acts: readonly (readonly [name: string, page: string, looks: readonly Look[], act: Scene["act"]])[] = [
  ["menu of products", "index.html", ["light", "dark"], press(".menu-product > summary")],
  ["menu of versions", "index.html", ["light", "dark"], press(".menu-version > summary")],
  ["menu of languages", "index.html", ["light", "dark", "phone"], press("#localization-select-trigger")],
  ["menu of a tab", "index.html", ["light", "dark"], press(".menu-tab > summary")],
  ["menu of dropdowns", "firmware/radar/overview.html", ["light", "dark"], press(".menu-dropdown > summary")],
  ["navigation of a phone", "components/cards.html", ["phone"], press("#mobile-nav-trigger")],
  ["navigation of a phone, right to left", "ar/components.html", ["phone"], press("#mobile-nav-trigger")],
  ["tooltip", "components/badges-icons-tooltips.html", ["light", "dark", "phone"], openTooltip],
  ["zoomed picture", "components/frames-and-images.html", ["light", "dark", "phone"], press(".frame img")],
  ["second view", "components/views.html", ["light", "dark"], chooseView],
  ["filtered changelog", "changelog.html", ["light", "dark"], press(".changelog-filter")],
  ["page menu", "components/tabs.html", ["light", "dark", "phone"], press("#page-context-menu-button")],
  ["diagram over the window", "components/diagrams.html", ["light", "dark", "phone"], enlargeDiagram],
  ["wrapped code", "components/code-blocks.html", ["light", "phone"], press(".code-block-wrap-button")],
  ["opened accordion", "components/accordions.html", ["light", "dark", "phone"], press(".accordion > summary")],
];

export const scenes: readonly Scene[] = acts.flatMap(([name, page, looks, act]) =>
  looks.map((look) => ({ name, page, look, act })),
);

async function openTooltip(page: Page): Promise<void> {
  await page.locator(".tooltip-trigger").nth(1).focus();
}

async function enlargeDiagram(page: Page): Promise<void> {
  await page.locator(".mermaid-frame").first().hover();
  await page.locator('[data-diagram="full"]').first().click();
}

async function chooseView(page: Page): Promise<void> {
  await page.locator("#multi-view-dropdown").selectOption({ index: 1 });
}
