import type { Page } from "playwright-core";

/** A visible layout shift: how much of the window moved how far, and what moved. */
export interface Shift {
  readonly value: number;
  readonly what: string;
}

/** Records every layout shift without a click, from the next page on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        const nodes = entry.sources.map(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.localName ?? "removed"}.${element?.getAttribute("class") ?? ""}`;
        });
        shifts.push({ value: entry.value, what: nodes.join(" ") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

interface LayoutShift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** All shifts until everything is loaded and painted. */
export function shiftsOf(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { shifts: Shift[] }).shifts;
  });
}

/** Waits until the whole document is parsed and painted, and drops the shifts before that. */
export async function forgetShifts(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.readyState !== "loading" && performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    (window as unknown as { shifts: Shift[] }).shifts.length = 0;
  });
}
