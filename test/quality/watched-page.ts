import type { BrowserContext, Page } from "playwright-core";

/** A page together with what goes wrong on it and what it asks for; both lists are the reader's to empty. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, refusals by the policy, what did not come, and requests that leave the bundle. */
  readonly problems: string[];
  /** Addresses asked for. */
  readonly requests: string[];
}

/** @param url address of the bundle; what lies elsewhere is a problem. */
export async function openWatched(context: BrowserContext, url: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  await page.exposeFunction("violated", (what: string) => problems.push(what));
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) => {
      const { violated } = window as unknown as { violated: (what: string) => void };
      violated(`refused: ${effectiveDirective} ${blockedURI} ${sample}`);
    }),
  );
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
      problems.push(`asked for ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    const { errorText } = request.failure() ?? {};
    // What is still on its way when the next page is opened comes to nothing.
    if (errorText !== "net::ERR_ABORTED") problems.push(`${errorText}: ${request.url()}`);
  });
  return { page, problems, requests };
}
