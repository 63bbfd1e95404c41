/** Front matter, Markdown, elements, components, snippets, variables and file names put no script into a page. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { addressesIn, brokenXml, dangersIn, exported, inspectBundle, scriptPages } from "./exported-site.js";
import { hostilePages } from "./hostile-pages.js";
import { payloads } from "./payloads.js";
import { newFolder, writeSite } from "./site-folder.js";
import { firesOf } from "./trap.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);

/** Text as a reader sees it, without what white space and invisible characters come to. */
const visible = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}\p{Zs}]+/gu, "");

test("there are enough payloads, each once", () => {
  assert.ok(payloads.length >= 80);
  assert.equal(new Set(payloads).size, payloads.length);
});

describe.skipIf(chromium === undefined)("the trap", () => {
  const folder = newFolder("trap");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const live = {
    "sees what runs at once": "<script>alert(1)</script>",
    "sees what runs when something fails to load": "<img src=x onerror=alert(1)>",
    "sees what runs in frames": "<iframe srcdoc='<svg onload=alert(1)>'></iframe>",
    "follows links": "<a href='java\tscript:alert(1)'>x</a>",
    "follows links in drawings": "<svg><a xlink:href='javascript:alert(1)'><text y=9>x</text></a></svg>",
    "presses buttons": "<form action='javascript:alert(1)'><button>x</button></form>",
    "moves over everything": "<p onmouseover=alert(1)>x</p>",
    "opens what is closed": "<details ontoggle=alert(1)><summary>x</summary></details>",
  };

  test("reacts to everything that could run", async () => {
    writeSite(
      folder,
      Object.fromEntries(Object.entries(live).map(([rule, html]) => [`${rule}.html`, `<!doctype html>${html}`])),
    );
    const addresses = addressesIn(folder, /\.html$/);
    assert.deepEqual((await firesOf(browser(), addresses)).toSorted(), addresses);
  });
});

describe("payloads in pages", () => {
  const site = exported(hostilePages);
  let documents: ReturnType<typeof inspectBundle>;
  beforeAll(() => {
    documents = inspectBundle(site());
  });

  test("take no page down, and are shown as text", () => {
    assert.deepEqual(
      site().result.diagnostics.filter(({ code }) => code === "PAGE_FAILED"),
      [],
    );
    const isHidden = (payload: string, i: number): boolean =>
      !visible(documents.get(`pages/p${i}.html`)?.text ?? "").includes(visible(payload));
    assert.deepEqual(payloads.filter(isHidden), []);
  });

  test("put nothing into a document that could run", () => assert.deepEqual(dangersIn(documents), []));

  test("are no scripts unless the page's own markup is one", () => {
    for (const page of scriptPages(site().result)) assert.match(page, /^(?:raw\/|together\/(?:md|list)\d)/);
  });

  test("leave XML well-formed", () => assert.deepEqual(brokenXml(site()), []));

  test.skipIf(chromium === undefined)("do not run in a browser, whatever is clicked", async () => {
    const { output, result } = site();
    const own = new Set(scriptPages(result).map((page) => pathToFileURL(join(output, `${page}.html`)).href));
    const addresses = addressesIn(output, /^(?:together\/.*|named\/\d*0\b.*)\.html$/).filter((each) => !own.has(each));
    assert.ok(addresses.length > (sweeping ? 40 : 13));
    const asked = addresses.map((each, i) => {
      const payload = payloads[(i * 3) % payloads.length]!;
      return `${each}?tags=${encodeURIComponent(payload)}#${payload}`;
    });
    assert.deepEqual(await firesOf(browser(), asked), []);
  });
});

describe("scripts that a page writes itself", () => {
  const site = exported(() => ({
    "docs.json": {
      theme: "mint",
      name: "Own",
      colors: { primary: "#0f766e" },
      navigation: { pages: ["index", "plain"] },
    },
    "index.mdx": '# Own\n\n<script src="/own.js"></script>\n\n<script>{`document.title = "ran"`}</script>\n',
    "plain.md": '# Own\n\n<script>document.title = "ran";</script>\n',
    "own.js": "window.own = true;\n",
  }));

  test("stay, and are reported with their location", () => {
    const { result } = site();
    const found = result.external
      .filter((use) => use.kind === "script")
      .map(({ location }) => [location?.sourcePath, location?.line]);
    // Every page loads own.js, so a tag with it adds nothing.
    assert.deepEqual(found.filter(([path]) => path !== "own.js").toSorted(), [
      ["index.mdx", 5],
      ["plain.md", 3],
    ]);
  });

  test.skipIf(chromium === undefined)("run", async () => {
    const page = await browser().newPage();
    for (const name of ["index", "plain"]) {
      await page.goto(pathToFileURL(join(site().output, `${name}.html`)).href);
      assert.equal(await page.title(), "ran");
    }
    await page.close();
  });
});
