/** Habits of real sites that would make a page hard to read, in Chromium: one small site with each of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, test } from "vitest";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();

const site = {
  "docs.json": {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0f766e" },
    navbar: {
      links: [
        { label: "", title: "Community", icon: "slack", href: "https://chat.acme.example" },
        { label: "", icon: "discord", href: "https://discord.example/invite" },
        { label: " ", title: "Journal", href: "https://journal.acme.example" },
      ],
      primary: { type: "button", label: "", title: "Sign up", icon: "star", href: "https://app.acme.example" },
    },
    footer: { links: [{ items: [{ label: "", title: "Source", icon: "github", href: "https://git.example" }] }] },
    navigation: {
      global: { anchors: [{ anchor: "", title: "Forum", icon: "users", href: "https://forum.acme.example" }] },
      groups: [{ group: "Start", pages: ["index"] }],
    },
  },
  "index.mdx": "---\ntitle: Start\n---\n\nText.\n",
};

describe.skipIf(chromium === undefined)("a page stays legible", () => {
  const browser = sharedBrowser(chromium);
  let folder: string;
  let page: Page;
  beforeAll(async () => {
    folder = newFolder("legible");
    const { diagnostics } = await exportInProcess({
      source: writeSite(newFolder("legible-site"), site),
      output: folder,
    });
    assert.deepEqual(diagnostics, []);
    page = await (await browser().newContext({ reducedMotion: "reduce" })).newPage();
  });
  const open = async (path: string, width = 1280): Promise<void> => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(pathToFileURL(join(folder, path)).href);
  };

  test("links without a label are icons with a name, or show their title", async () => {
    await open("index.html");
    const links = await page
      .locator(".navbar-links a, .footer-column a, .nav-anchor")
      .evaluateAll((all) =>
        all.map((each) => [
          each.getAttribute("aria-label") ?? "",
          each.textContent,
          each.querySelector("svg") !== null,
        ]),
      );
    assert.deepEqual(links, [
      ["Community", "", true],
      ["Discord", "", true],
      ["", "Journal", false],
      ["Sign up", "", true],
      ["", "Forum", true],
      ["Source", "", true],
    ]);
    await open("index.html", 390);
    await page.click("#mobile-nav-trigger");
    const shown = await page
      .locator(".mobile-nav-link")
      .evaluateAll((all) => all.map((each) => getComputedStyle(each, "::after").content));
    assert.deepEqual(shown, ['"Community"', '"Discord"', "none", '"Sign up"']);
  });
});
