import type { Page } from "playwright-core";

/** Opens disclosures and shows every panel, so that all content is visible. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>(".mdx-content details")) details.open = true;
    for (const panel of document.querySelectorAll('[role="tabpanel"], [data-view]'))
      panel.setAttribute("data-active", "");
    for (const item of document.querySelectorAll('[role="treeitem"][aria-expanded]'))
      item.setAttribute("aria-expanded", "true");
  });
}

/** What overflows a window of this width, in pixels, or is cut off by a box that does not scroll. */
export async function outsideWindow(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > limit)
      found.push(`the document is ${document.documentElement.scrollWidth} px wide`);
    const nameOf = (element: Element): string => `${element.localName}.${element.getAttribute("class") ?? ""}`;
    const overflowOf = (element: Element): string => getComputedStyle(element).overflowX;
    const isHiddenFromEyes = (element: Element): boolean =>
      element.getBoundingClientRect().width <= 2 && /hidden|clip/.test(overflowOf(element));
    const mayStickOut = (element: Element): boolean => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
        if (/auto|scroll/.test(overflowOf(at)) || isHiddenFromEyes(at)) return true;
      return isHiddenFromEyes(element);
    };
    for (const element of document.body.querySelectorAll(":not(svg *)")) {
      const { left, right, height } = element.getBoundingClientRect();
      const sticksOut = height > 1 && right > left && (right > limit + 1 || left < -1);
      const isWide = element.scrollWidth > element.clientWidth + 1;
      if (!sticksOut && !isWide) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (sticksOut && !mayStickOut(element))
        found.push(`${nameOf(element)} stands from ${Math.round(left)} to ${Math.round(right)}`);
      const { overflowX, textOverflow } = getComputedStyle(element);
      if (isWide && /hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && !isHiddenFromEyes(element))
        found.push(`${nameOf(element)} cuts off ${element.scrollWidth - element.clientWidth} px`);
    }
    return found;
  });
}

/** Shown on demand (tooltips, text for screen readers, disclosures), and controls that need a script. */
const notText = [
  ".tooltip-content, .sr-only, details:not([open]) > :not(summary)",
  "button:not(.color-item), select, .multi-view-label, .prompt-actions, #page-context-menu",
  // Of two alternatives one is visible, and a diagram hides some text.
  ".code-block-more, .code-block-less, .when-open, .when-closed, .color-dark, .color-light, .mermaid-drawing",
].join(", ");

/** Text in the elements that is not rendered, apart from the exceptions. */
export function unseenText(page: Page, within: string, exceptions?: string): Promise<string[]> {
  const except = exceptions === undefined ? notText : `${notText}, ${exceptions}`;
  return page.evaluate(
    ([scope, except]) => {
      const found: string[] = [];
      for (const root of document.querySelectorAll(scope)) {
        for (const drawing of root.querySelectorAll(".mermaid-drawing"))
          if (drawing.getBoundingClientRect().height < 20) found.push("a diagram");
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const text = walker.currentNode.textContent!.trim();
          // Invisible operators of formulas.
          if (/^[\u2061-\u2064]*$/.test(text)) continue;
          const parent = walker.currentNode.parentElement!;
          if (parent.closest(`script, style, template, title, annotation, ${except}`)) continue;
          const range = document.createRange();
          range.selectNode(walker.currentNode);
          const { width, height } = range.getBoundingClientRect();
          const seen = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
          if (!seen || width < 1 || height < 1)
            found.push(`"${text.slice(0, 60)}" in ${parent.localName}.${parent.getAttribute("class") ?? ""}`);
        }
      }
      return found;
    },
    [within, except] as const,
  );
}

/** Visible controls that do nothing without a script. */
export function deadControls(page: Page): Promise<string[]> {
  const controls = "button:visible:not(.tooltip-trigger, .color-item), select:visible, input:not(:disabled):visible";
  return page.locator(controls).evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 120)));
}

/** A4 paper between usual margins, in CSS pixels. */
const paper = { width: 718, height: 1047 };
/** Not printed: section links, the source of diagrams, and the views that the reader did not choose. */
const notPrinted = ".heading-anchor, .mermaid-source, #pagination, #footer, .side-column, .view";
/** Content that browsers cannot break, such as formulas, and content that is outside the page on purpose. */
const notBroken = ".math-display, .mermaid-drawing, .sr-only, .tooltip-content";
const forScreens = [
  "#navbar, #sidebar, #banner, #footer, #pagination, #table-of-contents, #page-context-menu, select",
  "button:not(.color-item, .tooltip-trigger)",
].join(", ");

/** Problems of the printed page. The page stays in print mode. */
export async function faultsOnPaper(page: Page): Promise<string[]> {
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const missing = await unseenText(page, "#content-container", notPrinted);
  const others = await page.evaluate(
    ([limit, except, chrome]) => {
      const found: string[] = [];
      for (const element of document.querySelectorAll(chrome))
        if (element.checkVisibility() && element.getBoundingClientRect().height > 0)
          found.push(`for a screen: ${element.outerHTML.slice(0, 100)}`);
      const { color } = getComputedStyle(document.body);
      const { backgroundColor } = getComputedStyle(document.documentElement);
      if (color !== "rgb(0, 0, 0)") found.push(`text in ${color}`);
      if (!/^rgb\(255, 255, 255\)|^rgba\(0, 0, 0, 0\)/.test(backgroundColor)) found.push(`on ${backgroundColor}`);
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const beside = new Set<string>();
      while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNode(walker.currentNode);
        const { left, right } = range.getBoundingClientRect();
        const parent = walker.currentNode.parentElement!;
        if ((right > limit + 1 || left < -1) && parent.checkVisibility() && !parent.closest(except))
          beside.add(`${Math.round(right)} px, beside the paper: ${parent.closest("[class]")?.className}`);
      }
      return [...found, ...beside];
    },
    [paper.width, notBroken, forScreens] as const,
  );
  return [...missing.map((text) => `missing: ${text}`), ...others];
}

/** Hooks of style sheets in another hook than those in which they belong ("" for none). */
export function misplacedHooks(page: Page, hooks: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  return page.evaluate((hooks) => {
    const all = Object.keys(hooks);
    return all.flatMap((hook) =>
      [...document.querySelectorAll(hook)].flatMap((element) => {
        const outer = element.parentElement?.closest(all.join(", "));
        const around = outer ? all.filter((each) => outer.matches(each)) : [""];
        return around.some((each) => hooks[hook]!.includes(each))
          ? []
          : [`${hook} is in ${around.join(" ") || "none"}`];
      }),
    );
  }, hooks);
}

/** Applies a style sheet after those of the page, like a site's own; "" removes it. */
export async function applyStyles(page: Page, css: string): Promise<void> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, css);
}

/** The least that the text takes of the room between sidebar and side column, and a width that is always enough. */
const least = { part: 0.45, px: 576 };

/** Faults of the column of text: too narrow, or behind a column next to it. */
export function columnFaults(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const text = document.querySelector("#content")!.getBoundingClientRect();
    let room = document.querySelector("#body-content")!.clientWidth;
    const found: string[] = [];
    for (const id of ["#sidebar", "#panel", "#table-of-contents"]) {
      const column = document.querySelector(id);
      const box = column?.getBoundingClientRect();
      // A bar above the text is not a column.
      if (!box || box.height < 60 || !column!.checkVisibility({ visibilityProperty: true })) continue;
      if (box.right <= text.left + 1 || box.left >= text.right - 1) room -= box.width;
      else if (box.bottom > text.top + 1 && box.top < text.bottom - 1) found.push(`the text is behind ${id}`);
    }
    if (text.width < Math.min(least.part * room, least.px))
      found.push(`the text has ${Math.round(text.width)} of ${Math.round(room)} px`);
    return found;
  }, least);
}
