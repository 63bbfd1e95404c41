import type { BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Case, Step } from "./cases.ts";
import { describeSections } from "./sections.ts";

export interface Expected {
  /** Before any script. Missing for a section that only a browser can render. */
  readonly server?: string;
  /** After loading, if that differs. */
  readonly loaded?: string;
  /** After each step of the case. */
  readonly steps?: readonly string[];
}

export const readerOptions: BrowserContextOptions = {
  viewport: { width: 1400, height: 900 },
  locale: "en-US",
  timezoneId: "UTC",
  colorScheme: "light",
};

/** Fixes clock and random numbers, so that their values on the pages are known. */
export async function fixChance(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const now = Date.UTC(2025, 4, 1, 10, 30);
    const Real = Date;
    Math.random = () => 0.4;
    globalThis.Date = class extends Real {
      constructor(...given: [number]) {
        super(...((given.length > 0 ? given : [now]) as [number]));
      }
      static override now = () => now;
    } as DateConstructor;
  });
}

/** What matches the selector in the section under a heading. */
export function inSection(page: Page, id: string, selector: string): Locator {
  const section = `//h2[@id="${id}"]/following-sibling::*[preceding-sibling::h2[1]/@id="${id}"]`;
  const found = page.locator(selector);
  return (selector === "body" ? found : found.and(page.locator(`xpath=${section}/descendant-or-self::*`))).first();
}

export async function takeStep(page: Page, id: string, [action, selector, value = ""]: Step): Promise<void> {
  const target = inSection(page, id, selector);
  if (action === "click") await target.click();
  else if (action === "hover") await target.hover();
  else if (action === "fill") await target.fill(value);
  else if (action === "select") await target.selectOption(value);
  else await target.press(value);
}

export async function stylesOf(page: Page, id: string, styles: NonNullable<Case["styles"]>): Promise<string[]> {
  return Promise.all(
    styles.map(([selector, property]) =>
      inSection(page, id, selector).evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property),
    ),
  );
}

export const sectionsOf = (page: Page, name: string, html?: string): Promise<Record<string, string>> =>
  page.evaluate(describeSections, { address: `/${name}.html`, ...(html !== undefined && { html }) });
