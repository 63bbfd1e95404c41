/** The site's own SVG files run nothing, neither in a page nor when a reader opens one by its own address. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { test } from "vitest";
import { findChromium } from "../support/browser.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { addressesIn, exported } from "./exported-site.js";
import { hostileDrawings } from "./hostile-drawings.js";
import { filesIn } from "./site-folder.js";
import { firesOf } from "./trap.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);
const site = exported(hostileDrawings);

test("drawings contain nothing that could run", () => {
  const { output } = site();
  const paths = filesIn(output).filter((path) => /^drawings\/.*\.svg$/i.test(path));
  assert.ok(paths.length > 50);
  for (const path of paths) {
    let document: Document;
    try {
      const text = readFileSync(join(output, path), "utf8");
      ({ document } = new JSDOM(text, { contentType: "image/svg+xml" }).window);
    } catch {
      continue; // No XML, as the site wrote it. What a browser makes of its beginning, the next test sees.
    }
    for (const element of document.querySelectorAll("*")) {
      assert.doesNotMatch(element.localName, /^(?:script|handler|iframe|embed|object|meta|base|link|form)$/i, path);
      for (const { localName, value } of element.attributes) {
        assert.doesNotMatch(localName, /^on/i, path);
        assert.doesNotMatch(value.replace(/[\s\p{Cc}]/gu, ""), /^javascript:|;javascript:/i, path);
      }
    }
  }
});

test.skipIf(chromium === undefined)("drawings do not run when opened", async () => {
  const addresses = addressesIn(site().output, /^(?:drawings\/.*\.svg|index\.html)$/i);
  assert.deepEqual(await firesOf(browser(), addresses), []);
});
