/** Wildcard redirects on a host that does not support rules and serves 404.html for unknown paths. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder, writeSite } from "../security/site-folder.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";

const redirect = (source: string, destination: string) => ({ source, destination });
const site = {
  "docs.json": {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0a6c5b" },
    redirects: [
      redirect("/old/:rest*", "/guides/:rest*"),
      redirect("/v:number-notes", "/guides/install"),
      redirect("/releases/*/notes", "/guides/install?of=*"),
      redirect("/api/:name", "https://api.example.com/docs/:name"),
      redirect("/first/:x", "/old/:x"),
      redirect("/files/*", "/data/*"),
    ],
    errors: { "404": { title: "Lost", description: "Try the **search** or [install](/guides/install)." } },
    navigation: {
      versions: [
        { version: "v2", pages: ["index", "guides/install", "guides/a b", "billing/invoices", "billing/taxes"] },
        { version: "v1", pages: ["one/install", "one/invoices"] },
      ],
    },
  },
  "index.mdx": "Start.",
  "guides/install.mdx": "Install.",
  "guides/a b.mdx": "Blank.",
  "billing/invoices.mdx": "How to pay.",
  "billing/taxes.mdx": "How to pay less.",
  "one/install.mdx": "Install it by hand.",
  "one/invoices.mdx": "Pay by hand.",
  "data/table.csv": "a,b\n",
};

const chromium = findChromium();
const folder = newFolder("redirects");
/** One bundle below a path and one at the root. Pages at any depth find their scripts by the address of the site. */
const bundles = [
  ["/docs/", join(folder, "below")],
  ["/", join(folder, "root")],
] as const;
const output = join(folder, "root");

describe.skipIf(chromium === undefined)("the page for unknown addresses", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  let server: Server;
  let origin: string;
  /** One page for all tests with scripts. */
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const source = writeSite(join(folder, "site"), site);
    for (const [path, output] of bundles)
      await exportInProcess({ source, output, baseUrl: `https://docs.example.com${path}` });
    server = createServer((request, response) => {
      const asked = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
      const [path, bundle] = bundles.find(([path]) => asked.startsWith(path))!;
      const file = join(bundle, asked.slice(path.length));
      const found = existsSync(file) && statSync(file).isFile();
      const type = asked.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
      response.writeHead(found ? 200 : 404, { "Content-Type": type });
      response.end(readFileSync(found ? file : join(bundle, "404.html")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    page = await browser().newPage();
    page.on("pageerror", (error) => problems.push(error.message));
    await page.route(/^https:/, (route) => route.fulfill({ body: "elsewhere", contentType: "text/html" }));
  });
  afterAll(() => server.close());

  const cases = [
    // sends                              from                        to
    ["a path below a source", "/old/install", "/guides/install.html"],
    ["a path below another path", "/docs/old/install", "/docs/guides/install.html"],
    ["with its query and fragment", "/old/install?a=b#c", "/guides/install.html?a=b#c"],
    ["with an extension", "/old/install.html", "/guides/install.html"],
    ["a name that must be encoded", "/old/a%20b", "/guides/a%20b.html"],
    ["to the root", "/old", "/guides.html"],
    ["with the captured text in the query", "/releases/v2/notes", "/guides/install.html?of=v2"],
    ["along a chain", "/first/install", "/guides/install.html"],
    ["to a file", "/files/table.csv", "/data/table.csv"],
    ["to another site", "/api/users", "https://api.example.com/docs/users"],
    ["nowhere without a rule", "/nothing/here", "/nothing/here"],
  ] as const;
  test.each(cases)("sends %s", async (_, from, to) => {
    await page.goto(origin + from, { waitUntil: "load" });
    const wanted = to.startsWith("https:") ? to : origin + to;
    await page.waitForURL(wanted);
    expect(page.url()).toBe(wanted);
  });

  const near = [
    // lists                                  for                          these
    ["a moved page", "/docs/money/invoices", ["/docs/billing/invoices.html"]],
    ["a page whose name is misspelt", "/billing/invoces.html", ["/billing/invoices.html", "/billing/taxes.html"]],
    ["a page of the same version", "/docs/one/sub/invoices/", ["/docs/one/invoices.html"]],
    [
      "neighbours of an unknown name",
      "/docs/billing/zz-qq-xx",
      ["/docs/billing/invoices.html", "/docs/billing/taxes.html"],
    ],
    ["nothing unlike the address", "/docs/zzzz/qqqq", []],
  ] as const;
  test.each(near)("lists %s", async (_, from, expected) => {
    problems.length = 0;
    await page.goto(origin + from, { waitUntil: "networkidle" });
    const links = page.locator(".not-found-near a");
    expect(await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")))).toEqual(expected);
    expect(await page.isVisible(".not-found-near")).toBe(expected.length > 0);
    expect(problems).toEqual([]);
  });

  test("shows the texts from the settings and can be read without scripts", async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/docs/no/such/page`);
    expect(await page.textContent("h1")).toBe("Lost");
    expect(await page.textContent(".not-found-description")).toBe("Try the search or install.");
    expect(await page.getAttribute(".not-found-description a", "href")).toBe("/docs/guides/install.html");
    expect(await page.isVisible(".not-found-near")).toBe(false);
    await page.click(".not-found-home");
    expect(page.url()).toBe(`${origin}/docs/index.html`);
    await context.close();
  });

  test("works from disk even if the site has a URL", async () => {
    const page = await browser().newPage();
    for (const [, output] of bundles) {
      await page.goto(`file://${output}/404.html`, { waitUntil: "load" });
      await page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href?.includes("/_offprint/app.")));
      await page.waitForFunction(() => document.documentElement.classList.contains("js"));
      await page.keyboard.press("Control+k");
      await page.waitForSelector("#search-dialog[open]");
      await page.keyboard.type("invoices");
      // Until the answer is there, the list has pages to read next.
      await page.locator("#search-list:not([aria-busy]) [role=option]").first().click();
      await page.waitForURL(`file://${output}/billing/invoices.html`);
    }
    await page.close();
  });
});

test("only 404.html has the script, and only if the site has wildcard redirects", async () => {
  expect(readFileSync(join(output, "404.html"), "utf8")).toMatch(/<script src="[^"]*_offprint\/redirects\.\w+\.js">/);
  expect(readFileSync(join(output, "index.html"), "utf8")).not.toContain("redirects.");
  const plain = { ...site, "docs.json": { ...site["docs.json"], redirects: [redirect("/old", "/guides/install")] } };
  const other = join(folder, "plain-out");
  await exportInProcess({ source: writeSite(join(folder, "plain"), plain), output: other });
  expect(readFileSync(join(other, "404.html"), "utf8")).not.toContain("redirects.");
});
