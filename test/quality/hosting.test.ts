/**
 * The same bytes work wherever they lie: at the root of a host, below a path, on a host that knows no index files, in a
 * folder; under the strictest policy, and asking nobody else for anything. And what a page loads stays small.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { parse } from "parse5";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium, launchBrowser } from "../support/browser.js";
import { serveFolder, strictPolicy } from "../support/serve-folder.js";
import { collect, exportedGallery, sampleOf } from "./bundle.js";

const kB = 1024;
const budgets = { script: 15 * kB, style: 15 * kB, fonts: 1 };

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the gallery", () => {
  const gallery = exportedGallery();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(chromium!);
  });
  afterAll(() => browser?.close());

  const places = [
    { place: "at the root of a host", base: "/", count: 15 },
    { place: "below a path", base: "/a/b/", count: Number.POSITIVE_INFINITY },
  ];
  for (const { place, base, count } of places)
    test(`works ${place}, under a strict policy`, async () => {
      const served = await serveFolder(gallery().folder, { base, policy: strictPolicy });
      try {
        assert.deepEqual(await problemsAt(served.url, sampleOf(gallery().pages, count)), []);
      } finally {
        await served.close();
      }
    });

  test("works from a folder", async () => {
    const url = `${pathToFileURL(gallery().folder).href}/`;
    assert.deepEqual(await problemsAt(url, sampleOf(gallery().pages, 15)), []);
  });

  test("leads from page to page wherever it lies", async () => {
    const served = await serveFolder(gallery().folder, { base: "/a/b/", policy: strictPolicy });
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    try {
      for (const url of [served.url, `${pathToFileURL(gallery().folder).href}/`]) {
        const page = await context.newPage();
        await page.goto(`${url}index.html`);
        for (const [press, wanted] of [
          ['.card[href*="quickstart"]', "guide/quickstart.html"],
          [".pagination-next", "guide/install.html"],
          ["#sidebar-content a[href$='operate.html']", "guide/operate.html"],
          [".nav-tabs a[href*='components/']", "components/callouts.html"],
          [".nav-home", "index.html"],
        ] as const) {
          await page.locator(press).first().click();
          await page.waitForURL(`${url}${wanted}`);
        }
        await page.close();
      }
    } finally {
      await context.close();
      await served.close();
    }
  });

  test("links only to files that are there, none by an address from the root", () => {
    const { folder, pages } = gallery();
    const faults = pages.flatMap((path) =>
      addressesOf(join(folder, path)).flatMap((address) => {
        if (/^(?:[a-z][\w+.-]*:|\/\/)/i.test(address)) return [];
        const target = posix.join(
          posix.dirname(path),
          decodeURI(address.replace(/[?#].*$/s, "")) || posix.basename(path),
        );
        const there =
          !address.startsWith("/") &&
          !target.startsWith("..") &&
          /\.\w+$/.test(target) &&
          existsSync(join(folder, target));
        return there ? [] : [`${path}: ${address}`];
      }),
    );
    assert.deepEqual(faults, []);
  });

  test("stays within its budgets", async () => {
    const served = await serveFolder(gallery().folder);
    try {
      const found = await collect(
        sampleOf(gallery().pages, 20),
        () => openContext(),
        async (context, path) => {
          const page = await context.newPage();
          const loaded: string[] = [];
          page.on("request", (request) => loaded.push(request.url()));
          await page.goto(served.url + path);
          await page.evaluate(() => document.fonts.ready);
          await page.close();
          const sum = (wanted: RegExp): number =>
            loaded
              .filter((url) => wanted.test(url))
              .reduce(
                (total, url) =>
                  total +
                  gzipSync(readFileSync(join(gallery().folder, url.slice(served.url.length))), { level: 9 }).length,
                0,
              );
          const facts = {
            script: sum(/\.js$/),
            style: sum(/\.css$/),
            fonts: loaded.filter((url) => url.endsWith(".woff2")).length,
          };
          return (Object.keys(budgets) as (keyof typeof budgets)[])
            .filter((name) => facts[name] > budgets[name])
            .map((name) => `${path}: ${name} ${facts[name]}, allowed ${budgets[name]}`);
        },
      );
      assert.deepEqual(found, []);
    } finally {
      await served.close();
    }
  });

  function openContext(): Promise<BrowserContext> {
    return browser.newContext({ viewport: { width: 1360, height: 900 } });
  }

  /** Errors, refusals by the policy, what does not come, and requests that leave the bundle. */
  function problemsAt(url: string, pages: readonly string[]): Promise<string[]> {
    return collect(
      pages,
      () => openWatched(url),
      async (watched, path) => {
        await watched.page.goto(url + path);
        await watched.page.evaluate(() => document.fonts.ready);
        return watched.problems.splice(0).map((problem) => `${path}: ${problem}`);
      },
    );
  }

  async function openWatched(url: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
    const page = await (await openContext()).newPage();
    const problems: string[] = [];
    await page.exposeFunction("violated", (what: string) => problems.push(what));
    await page.addInitScript(() =>
      addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) => {
        const { violated } = window as unknown as { violated: (what: string) => void };
        violated(`refused: ${effectiveDirective} ${blockedURI} ${sample}`);
      }),
    );
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("requestfailed", (request) => {
      const { errorText } = request.failure() ?? {};
      // What is still on its way when the next page is opened comes to nothing.
      if (errorText !== "net::ERR_ABORTED") problems.push(`${errorText}: ${request.url()}`);
    });
    page.on("request", (request) => {
      const inside = request.url().startsWith(url) || request.url().startsWith("data:");
      if (!inside) problems.push(`asked for ${request.url()}`);
    });
    return { page, problems };
  }
});

/** Every `href` and `src` of a document, and what style sheets and pictures it names. */
function addressesOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const attributes = new Map(node.attrs?.map(({ name, value }) => [name, value]));
    const canonical = attributes.get("rel") === "canonical";
    for (const name of ["href", "src", "poster"])
      if (attributes.has(name) && !canonical) found.push(attributes.get(name)!);
    for (const part of attributes.get("srcset")?.split(",") ?? []) found.push(part.trim().split(/\s/)[0]!);
    node.childNodes?.forEach(visit);
  };
  visit(parse(readFileSync(file, "utf8")) as unknown as Node);
  return found;
}

interface Node {
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}
