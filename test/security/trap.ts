import type { Browser, Page } from "playwright-core";

const mark = "a payload ran";
const pagesAtOnce = 2;

/**
 * Opens addresses in a browser that records every `alert` in any frame; moves over everything, opens what can
 * be opened, and clicks everything that a reader can click.
 *
 * @returns the addresses on which something ran.
 */
export async function firesOf(browser: Browser, addresses: readonly string[]): Promise<string[]> {
  const context = await browser.newContext({ offline: true, viewport: { width: 200, height: 100 } });
  await context.addInitScript((text) => {
    const fire = (): void => console.error(text);
    Object.assign(window, { alert: fire, confirm: fire, prompt: fire, print: fire, msgbox: fire });
    // All tests share one clipboard, which others read.
    if ("clipboard" in navigator) navigator.clipboard.writeText = async () => {};
    Document.prototype.execCommand = () => true;
  }, mark);
  const fired = new Set<string>();
  const waiting = [...addresses].reverse();
  const work = async (): Promise<void> => {
    const page = await context.newPage();
    let current = "";
    page.on("console", (message) => message.text().includes(mark) && fired.add(current));
    page.on("dialog", (dialog) => {
      fired.add(current);
      void dialog.dismiss();
    });
    page.on("popup", (popup) => void popup.close());
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      current = address;
      await page.goto(address, { waitUntil: "load" }).catch(() => undefined);
      await touchAll(page);
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, work));
  await context.close();
  return [...fired];
}

/** Links that lead to another page are not followed, or there would be nothing left to click on. */
async function touchAll(page: Page): Promise<void> {
  await page
    .evaluate(async () => {
      const isScript = (address: string): boolean =>
        URL.canParse(address, document.baseURI) && new URL(address, document.baseURI).protocol === "javascript:";
      const addressOf = (element: Element | null): string => {
        const { href } = (element ?? {}) as { href?: string | SVGAnimatedString };
        return typeof href === "object" ? href.animVal : (href ?? "");
      };
      addEventListener("click", (event) => {
        const link = event.composedPath().find((each) => each instanceof Element && each.closest("a, area"));
        const address = addressOf(link instanceof Element ? link.closest("a, area") : null);
        if (link && !isScript(address)) event.preventDefault();
      });
      addEventListener("submit", (event) => {
        const { submitter, target } = event as SubmitEvent;
        const address = submitter?.getAttribute("formaction") ?? (target as Element).getAttribute("action") ?? "";
        if (!isScript(address)) event.preventDefault();
      });
      const touch = (): void => {
        for (const details of document.querySelectorAll("details")) details.open = true;
        for (const element of document.querySelectorAll("*")) {
          element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
          element.dispatchEvent(new FocusEvent("focus"));
          element.dispatchEvent(new FocusEvent("blur"));
        }
        for (const element of document.querySelectorAll("a, area, button, summary, input, label, [role], [tabindex]"))
          element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
        for (const form of document.querySelectorAll("form")) form.requestSubmit();
      };
      touch();
      const loads = document.querySelector("[aria-busy]") !== null;
      await new Promise((resolve) => setTimeout(resolve, loads ? 300 : 10));
      if (loads) touch();
    })
    .catch(() => undefined);
}
