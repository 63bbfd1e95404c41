import type { BrowserContext, Page } from "playwright-core";

/** A page with its problems and requests. Readers of the two lists empty them. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, policy violations, failed requests, and requests that leave the bundle. */
  readonly problems: string[];
  /** Requested URLs. */
  readonly requests: string[];
}

/** @param url of the bundle; a request elsewhere is a problem. */
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
    // Ignore responses that arrive after the next page is opened.
    if (errorText !== "net::ERR_ABORTED") problems.push(`${errorText}: ${request.url()}`);
  });
  return { page, problems, requests };
}
