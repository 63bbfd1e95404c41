/**
 * In a sweep: a page with everything that has a colour, in every theme and both modes, with colours that are hard to
 * read as text or to tell from the page. test/bundle/assets/site-css.test.ts computes the same contrasts in every run.
 */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { themeTraits } from "../../src/page/theme/theme-options.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { violationsOf } from "./axe.js";
import { sweeping } from "./bundle.js";
import { openWatched, type WatchedPage } from "./watched-page.js";

const colors = ["#ffff00", "#000000", "#ffffff", "#111111", "#ff0000", "#00ff00", "#0000ff", "#c4b5fd", "#ffdd00"];
const codeThemes = [
  "system",
  "dark",
  "one-dark-pro",
  "solarized-light",
  "min-light",
  "nord",
  "github-light",
  "dracula",
];

const chromium = sweeping ? findChromium() : undefined;

describe.skipIf(chromium === undefined)("a page with everything that has a colour has no axe violation", () => {
  const browser = sharedBrowser(chromium);
  const folder = mkdtempSync(join(tmpdir(), "offprint-colors-"));
  let lane: WatchedPage;
  let served: ServedFolder;
  beforeAll(async () => {
    served = await serveFolder(folder, { policy: strictPolicy });
    const context = await browser().newContext({ viewport: { width: 1360, height: 900 }, reducedMotion: "reduce" });
    lane = await openWatched(context, served.url);
  });
  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  Object.keys(themeTraits).forEach((theme, themeAt) => {
    colors.forEach((color, colorAt) => {
      test(`${theme}, ${color}`, async () => {
        const source = join(folder, `${theme}-${colorAt}`);
        const output = join(source, "out");
        mkdirSync(source);
        const codeTheme = codeThemes[(themeAt + colorAt) % codeThemes.length]!;
        writeFileSync(join(source, "docs.json"), JSON.stringify(settings(theme, color, codeTheme)));
        writeFileSync(join(source, "index.mdx"), pageText(color));
        writeFileSync(
          join(source, "call.mdx"),
          `---\ntitle: Call\napi: "GET https://example.com/v1/{id}"\n---\nText.\n`,
        );
        const { diagnostics } = await exportInProcess({ source, output });
        assert.deepEqual(diagnostics, []);
        const { page, problems } = lane;
        for (const path of ["index.html", "call.html"]) {
          await page.emulateMedia({ colorScheme: "light" });
          await page.goto(`${served.url}${theme}-${colorAt}/out/${path}`);
          // The sites of a theme differ in nothing but colours.
          const light = await violationsOf(page, { onlyColors: colorAt > 0 });
          await page.emulateMedia({ colorScheme: "dark" });
          await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
          const dark = await violationsOf(page, { onlyColors: true });
          assert.deepEqual([...problems.splice(0), ...light, ...dark], []);
        }
      });
    });
  });
});

const settings = (theme: string, color: string, codeTheme: string) => ({
  theme,
  name: "Colours",
  colors: { primary: color, light: color, dark: color },
  styling: { codeblocks: codeTheme },
  banner: { content: "A [new](/) version", color: { light: color, dark: color }, dismissible: true },
  navbar: {
    links: [{ label: "Blog", href: "https://example.com" }],
    primary: { type: "button", label: "Start", href: "/" },
  },
  navigation: {
    global: {
      anchors: [{ anchor: "Forum", icon: "star", color: { light: color, dark: color }, href: "https://a.example" }],
    },
    tabs: [
      { tab: "Guide", groups: [{ group: "Begin", tag: "NEW", pages: ["index"] }] },
      { tab: "API", pages: ["call"] },
    ],
  },
});

const pageText = (color: string): string => `---
title: Colours
tag: BETA
description: With a [link](/call) in it.
---

A [link](/call), a [\`code\` link](/call), \`code\`, ==marked==.

## Callouts

<Note>See [this](/call) and [\`that\`](/call).</Note>
<Warning>See [this](/call).</Warning>
<Danger>See [this](/call).</Danger>
<Callout icon="star" color="${color}">See [this](/call).</Callout>

### Cards

<Columns cols={2}>
  <Card title="One" icon="star" color="${color}" href="/call" cta="Read">Text</Card>
  <Card icon="star" href="/call" />
</Columns>

[![](data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='9'%20height='9'/%3E)](https://example.com)

<Badge color="purple">a</Badge> <Badge color="orange">b</Badge> <Badge color="white-destructive">c</Badge>
<Badge color="surface">d</Badge> <Badge color="yellow" stroke>e</Badge>

<Tabs><Tab title="A">a</Tab><Tab title="B">b</Tab></Tabs>

<Steps><Step title="First">[Link](/call)</Step></Steps>

<ParamField query="limit" type="number" required default="10">How many.</ParamField>

\`\`\`ts app.ts lines {2}
// A comment about the greeting
const greeting: string = \`Hello \${name}\`; // [!code ++]
export async function greet(name?: number) { return /x+/.test("a") ? null : 1; } // [!code --]
\`\`\`

| Head | Other |
| --- | --- |
| [link](/call) | text |
`;
