import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { sharedBrowser } from "../../support/shared-browser.js";
import { type Arrival, startApi, type TestApi } from "./api.js";
import { writePlaygroundSite } from "./site.js";

/** A page of the site in a browser, its playground, and the API that it calls. */
export interface Stage {
  readonly page: () => Page;
  readonly context: () => BrowserContext;
  readonly api: () => TestApi;
  readonly closed: () => TestApi;
  /** Another API, which no page names. */
  readonly elsewhere: () => TestApi;
  /** URLs of all requests of the page. */
  readonly requests: () => readonly string[];
  readonly problems: () => string[];
  readonly output: string;
  /** Opens the playground of the page at this path, such as `api-reference/words`. */
  open(path: string, from?: "disk" | "server"): Promise<void>;
  visit(path: string, from?: "disk" | "server"): Promise<void>;
  /** The first input with this label. */
  field(name: string): Locator;
  /** Opens the group of this name and returns it. */
  unfold(name: string): Promise<Locator>;
  /** Sends the request, waits for the outcome, and returns what the API received. */
  send(): Promise<Arrival>;
  sample(): Promise<string>;
}

/** Serves the site below a path, under a strict policy that allows requests to the API. */
export function playgroundStage(chromium: string | undefined, settings: object = {}): Stage {
  const folder = mkdtempSync(join(tmpdir(), "offprint-playground-"));
  const output = join(folder, "out");
  const browser = sharedBrowser(chromium);
  let served: ServedFolder;
  let api: TestApi;
  let closed: TestApi;
  let elsewhere: TestApi;
  let context: BrowserContext;
  let page: Page;
  let problems: string[] = [];
  let requests: string[] = [];

  beforeAll(async () => {
    [api, closed, elsewhere] = await Promise.all([startApi(true), startApi(false), startApi(true)]);
    const socket = api.url.replace("http", "ws");
    writePlaygroundSite(join(folder, "site"), { api: api.url, closed: closed.url, socket }, settings);
    const { ok, diagnostics } = await exportInProcess({ source: join(folder, "site"), output });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    assert.deepEqual([ok, errors], [true, []]);
    const targets = [api.url, closed.url, elsewhere.url, socket].join(" ");
    const policy = strictPolicy.replace("connect-src 'self'", `connect-src ${targets}`);
    served = await serveFolder(output, { base: "/a/b/", policy });
    context = await browser().newContext({ viewport: { width: 1300, height: 900 }, reducedMotion: "reduce" });
    page = await context.newPage();
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      // Browsers also log refused requests as errors.
      const isExpected = /Failed to load resource|CORS|Fetch API cannot load|violates.*(?:connect|media)-src/.test(
        message.text(),
      );
      if (message.type() === "error" && !isExpected) problems.push(message.text());
    });
  });
  afterAll(async () => {
    await Promise.all([served?.close(), api?.close(), closed?.close(), elsewhere?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    problems = [];
    requests = [];
  });
  afterEach(async () => {
    await page.evaluate(() => localStorage.clear());
    assert.deepEqual(problems, []);
  });

  const visit: Stage["visit"] = async (path, from = "server") => {
    const base = from === "disk" ? `${pathToFileURL(output).href}/` : served.url;
    const [file, query = ""] = path.split("?");
    await page.goto(`${base}${file}.html${query === "" ? "" : `?${query}`}`);
  };
  return {
    page: () => page,
    context: () => context,
    api: () => api,
    closed: () => closed,
    elsewhere: () => elsewhere,
    requests: () => requests,
    problems: () => problems,
    output,
    visit,
    async open(path, from) {
      await visit(path, from);
      await page.click(".tryit-button");
      await page.waitForSelector("#playground-dialog[open]");
    },
    field: (name) => page.locator("#playground-dialog").getByLabel(name, { exact: true }).first(),
    async unfold(name) {
      const group = page
        .locator(`xpath=//details[contains(@class, "playground-group")][summary/span[text()="${name}"]]`)
        .first();
      if ((await group.getAttribute("open")) === null) await group.locator("summary").first().click();
      return group;
    },
    async send() {
      const before = api.arrivals.length;
      await page.evaluate(() => document.querySelector(".playground-facts .playground-status")?.remove());
      await page.click(".playground-bar .playground-send");
      await page.waitForSelector(".playground-facts .playground-status, .playground-failure");
      const arrival = api.arrivals[before];
      assert.ok(arrival, `nothing arrived: ${await page.locator(".playground-response").textContent()}`);
      return arrival;
    },
    sample: async () => (await page.locator(".playground-sample").textContent()) ?? "",
  };
}
