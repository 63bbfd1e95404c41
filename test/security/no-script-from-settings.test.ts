/** No value in docs.json, or in the names of pages in the navigation, puts a script into a page or a host's file. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { isUnsafeUrl } from "../../src/lib/url/index.js";
import { createLinks } from "../../src/page/theme/settings-links.js";
import { createAddresses } from "../../src/site/links/index.js";
import type { Site } from "../../src/site/site.js";
import { sampleOf, sweeping } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { addressesIn, exported } from "./exported-site.js";
import { testHarmlessBundle } from "./harmless-bundle.js";
import { hostileSettings, hostileSidebar } from "./hostile-settings.js";
import { urlPayloads } from "./payloads.js";
import { firesOf } from "./trap.js";

const chromium = findChromium();
const browser = sharedBrowser(chromium);

/** They show the settings as other pages do, so the sites take turns with them; in a sweep each has both. */
const alike = ["404", "from-2"];

for (const [turn, { name, contents }] of sampleOf([...hostileSettings(), hostileSidebar()], 4).entries())
  describe(`payloads in docs.json with ${name}`, () => {
    const site = exported(() => contents);

    testHarmlessBundle(site);

    test("add no line to the files that hosts read", () => {
      const { output } = site();
      assert.equal(readFileSync(join(output, "_headers"), "utf8").match(/^\S/gm)?.length, 4);
      assert.equal(readFileSync(join(output, "robots.txt"), "utf8").match(/^User-agent/gm)?.length, 1);
      if (!existsSync(join(output, "_redirects"))) return;
      for (const line of readFileSync(join(output, "_redirects"), "utf8").trimEnd().split("\n"))
        assert.match(line, /^\/\S* (?:\/|https?:\/\/)\S* 30[1278]!?$/);
    });

    test.skipIf(chromium === undefined)("do not run in a browser, whatever is clicked", async () => {
      const other = sweeping ? alike.join("|") : alike[turn % alike.length];
      const addresses = addressesIn(site().output, new RegExp(`^(?:one|${other}|pages/p(?:1|100))\\.html$`));
      assert.deepEqual(await firesOf(browser(), addresses), []);
    });
  });

describe("an address that runs code never becomes a link in the layout", () => {
  const runs = (address: string): boolean =>
    URL.canParse(address, "https://site.example") &&
    /^(?:javascript|vbscript|data|blob):$/.test(new URL(address, "https://site.example").protocol);
  // The links of docs.json need no more of a site than this.
  const empty = {
    pages: [],
    staticFiles: [],
    styles: [],
    scripts: [],
    config: { sourcePath: "docs.json", redirects: [] },
  } as unknown as Site;
  const { written } = createLinks(empty, createAddresses(empty));
  for (const payload of urlPayloads)
    test(JSON.stringify(payload), () => {
      assert.ok(!runs(written("", payload).href));
      assert.ok(isUnsafeUrl(payload) || !runs(payload));
    });
});
