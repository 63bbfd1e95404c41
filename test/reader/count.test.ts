/** What pages tell the service that counts views, in the real browser under the policy of our server. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import { policyOf } from "../../src/serve/served-bundle.js";
import { findChromium } from "../support/browser.js";
import { page as source, writeSite } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { type ServedFolder, serveFolder } from "../support/serve-folder.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";
import { waitUntil } from "../support/wait-until.js";

const chromium = findChromium();

describe.skipIf(chromium === undefined)("a page that counts its views", actsAsReader, () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-count-"));
  const output = join(folder, "out");
  const browser = sharedBrowser(chromium);
  const received: { path: string; type: string; cookie: string | undefined; body: unknown }[] = [];
  const service = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { "content-type": type = "", cookie } = request.headers;
    received.push({ path: request.url!, type: `${request.method} ${type}`, cookie, body: JSON.parse(text) });
    response.writeHead(204).end();
  });
  let served: ServedFolder;

  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const site = writeSite(join(folder, "site"), {
      "docs.json": JSON.stringify({
        theme: "mint",
        name: "Harbour",
        colors: { primary: "#0f766e" },
        navigation: { pages: ["index", "guides/ropes"] },
        feedback: { thumbs: true },
      }),
      "index.mdx": source("Welcome", "Ships announce themselves."),
      "guides/ropes.mdx": source("Ropes", "Ropes are checked each morning."),
    });
    const analytics = { url: `${url}/`, domain: "harbour.example", searches: true };
    const exported = await exportInProcess({ source: site, output, analytics, deployment: "air-gapped" });
    assert.ok(exported.ok);
    assert.deepEqual([exported.diagnostics, exported.manifest?.analytics], [[], url]);
    const policy = policyOf(readFileSync(join(output, "index.html"), "utf8"), undefined, exported.manifest?.analytics);
    assert.match(policy ?? "", new RegExp(`connect-src 'self' ${url};`));
    served = await serveFolder(output, { base: "/a/b/", policy: policy! });
    const plain = await exportInProcess({ source: site, output: "memory" });
    assert.ok(plain.ok);
    const texts = [...plain.files!].map(([path, bytes]) => path + Buffer.from(bytes).toString("latin1"));
    assert.ok(!texts.some((text) => /sendBeacon|count\.[0-9a-f]{8}\.js|v1\/collect/.test(text)));
    assert.equal(plain.manifest?.analytics, undefined);
  });
  afterAll(async () => {
    service.closeAllConnections();
    service.close();
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    received.length = 0;
  });

  /** Opens a page. With `isHidden`, the page is invisible until the test shows it. */
  async function open(url: string, options: BrowserContextOptions = {}, isHidden = false, isDriven = false) {
    const context = await browser().newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.addInitScript(
      ([hidden, driven]) => {
        if (!driven) Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false });
        const state = { hidden };
        Object.defineProperty(document, "visibilityState", { get: () => (state.hidden ? "hidden" : "visible") });
        Object.assign(window, {
          showPage: () => {
            state.hidden = false;
            document.dispatchEvent(new Event("visibilitychange"));
          },
        });
      },
      [isHidden, isDriven] as const,
    );
    await page.goto(url);
    return { page, problems, close: () => context.close() };
  }
  const show = (page: Page) => page.evaluate(() => (window as unknown as { showPage(): void }).showPage());
  const bodies = () => received.map(({ body }) => body);

  test("sends the thumb that a reader presses, once", async () => {
    const { page, problems, close } = await open(`${served.url}guides/ropes.html`);
    await waitUntil("the view", () => received.length === 1);
    const [up, down] = [
      page.getByRole("button", { name: "Not helpful" }),
      page.getByRole("button", { name: /. Helpful/u }),
    ];
    await down.click();
    await waitUntil("the thumb", () => received.length === 2);
    assert.deepEqual(bodies()[1], { p: "/guides/ropes", h: 1 });
    assert.deepEqual([await up.isDisabled(), await down.getAttribute("aria-pressed"), problems], [true, "true", []]);
    await close();
  });

  test("sends the path once, wherever the site is served, without a preflight or a cookie", async () => {
    const { page, problems, close } = await open(`${served.url}guides/ropes.html?a=b#c`);
    await waitUntil("messages", () => received.length === 1);
    await show(page);
    assert.deepEqual(received, [
      {
        path: "/v1/collect/harbour.example",
        type: "POST text/plain;charset=UTF-8",
        cookie: undefined,
        body: { p: "/guides/ropes" },
      },
    ]);
    assert.deepEqual(
      [problems, await page.context().cookies(), await page.evaluate(() => localStorage.length)],
      [[], [], 0],
    );
    await close();
    assert.equal(received.length, 1);
  });

  test("waits until the page is visible, not merely prerendered, and reports whether a program drives the browser", async () => {
    const { page, close } = await open(`${served.url}index.html`, {}, true, true);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(bodies(), []);
    await show(page);
    await waitUntil("messages", () => received.length === 1);
    assert.deepEqual(bodies(), [{ p: "/", w: 1 }]);
    await close();
  });

  test("sends nothing from disk or without scripts", async () => {
    const file = await open(pathToFileURL(join(output, "index.html")).href);
    const still = await open(`${served.url}index.html`, { javaScriptEnabled: false });
    assert.match((await still.page.textContent("main")) ?? "", /Ships announce themselves/);
    for (const each of [file, still]) {
      await each.page.waitForLoadState("networkidle");
      await each.close();
    }
    assert.deepEqual(bodies(), []);
  });

  test("sends a search when its dialog closes, with the result that was opened", async () => {
    const { page, problems, close } = await open(`${served.url}index.html`);
    await page.keyboard.press("/");
    await page.fill(".search-field", "ropes");
    await page.waitForSelector('a.search-hit[aria-selected="true"]');
    await page.keyboard.press("Escape");
    await waitUntil("messages", () => received.length === 2);
    await page.keyboard.press("/");
    await page.fill(".search-field", "morning");
    await page.waitForSelector('a.search-hit[aria-selected="true"]');
    await page.keyboard.press("Enter");
    await page.waitForURL(/ropes/);
    await waitUntil("messages", () => received.length === 4);
    const [view, first, ...rest] = bodies() as Record<string, unknown>[];
    assert.deepEqual(view, { p: "/" });
    assert.deepEqual([first!["q"], "c" in first!], ["ropes", false]);
    assert.ok((first!["n"] as number) > 0);
    assert.ok(rest.some((each) => each["q"] === "morning" && String(each["c"]).startsWith("/guides/ropes")));
    assert.ok(rest.some((each) => each["p"] === "/guides/ropes"));
    assert.deepEqual(problems, []);
    await close();
  });
});
