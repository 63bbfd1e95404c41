/** What an air-gapped reader cannot load is an error, and the list is complete: a browser requests nothing else. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, test } from "vitest";
import { newFolder, writeSite } from "../security/site-folder.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { sharedBrowser } from "../support/shared-browser.js";

const at = (name: string): string => `https://outside.example/${name}`;

const ways = `---
title: Outside
icon: ${at("page-icon.png")}
description: "See ![x](${at("description.png")})"
---

![a](${at("markdown.png")})

<img src="${at("img.png")}" srcSet="${at("set-1.png")} 1x, ${at("set-2.png")} 2x" loading="eager" />

<picture><source srcSet="${at("source.png")}" /><img src="${at("picture.png")}" loading="eager" /></picture>

<video src="${at("film.mp4")}" poster="${at("poster.png")}" preload="auto"><track default kind="captions" src="${at("track.vtt")}" /></video>

<iframe src="${at("frame.html")}" loading="eager"></iframe>

<object data="${at("object.svg")}"></object>

<table background="${at("table.png")}"><tbody><tr><td>x</td></tr></tbody></table>

<svg width="20" height="20"><image href="${at("svg-image.png")}" width="9" height="9" /><rect width="9" height="9" mask="url(${at("mask.svg")}#m)" fill="url('${at("fill.svg")}#f')" /><use href="${at("use.svg")}#u" /></svg>

<div style={{ backgroundImage: "url(${at("style.png")})" }}>x</div>

<div style="background: image-set('${at("image-set.png")}' 1x)">y</div>

<style>{"@import '${at("import.css")}'; @font-face { font-family: F; src: url(${at("font.woff2")}) } .mdx-content { font-family: F; background: url('${at("rule.png")}') }"}</style>

<link rel="stylesheet" href="${at("link.css")}" />

<script src="${at("script.js")}"></script>

<script>{"window.own = 1;"}</script>

<Card title="Card" img="${at("card.png")}" icon="${at("card-icon.png")}">Text</Card>

\`\`\`js title.js icon=${at("fence-icon.png")}
x
\`\`\`

[A link](${at("link")}) is no request.
`;

const site = {
  "docs.json": JSON.stringify({
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0a6c5b" },
    logo: at("logo.png"),
    favicon: at("favicon.png"),
    background: { image: at("background.png") },
    fonts: { family: "House", source: at("house.woff2"), format: "woff2" },
    banner: { content: `![b](${at("banner.png")}) News` },
    navbar: { links: [{ label: "Blog", href: at("blog"), icon: at("navbar-icon.png") }] },
    integrations: { ga4: { measurementId: "G-123456" }, plausible: { domain: "acme.com" }, gtm: { tagId: "GTM-1" } },
    navigation: { groups: [{ group: "Start", icon: at("group-icon.png"), pages: ["index"] }] },
  }),
  "index.mdx": ways,
  "extra.css": `body { cursor: url(${at("cursor.png")}), auto }`,
  "extra.js": "window.site = 1;",
};

const chromium = findChromium();
const folder = newFolder("air-gapped");
const source = writeSite(join(folder, "site"), site);

describe("an air-gapped export", () => {
  test("reports everything that its pages load from other hosts, with locations", async () => {
    const { diagnostics, external } = await exportInProcess({ source, deployment: "air-gapped", embedRemote: false });
    const told = diagnostics.filter(({ code }) => code === "OUTSIDE_REQUEST");
    const outside = external.filter(({ url }) => url.startsWith("https:"));
    assert.equal(told.length, outside.length);
    for (const { severity, location, fix } of told) {
      assert.equal(severity, "error");
      assert.ok(location?.line !== undefined || location?.sourcePath === "extra.css", JSON.stringify(location));
      assert.ok(fix);
    }
    assert.ok(
      told.some(
        ({ what }) =>
          what ===
          `The image "${at("logo.png")}" comes from another host, which readers in an air-gapped network cannot reach.`,
      ),
    );
  });
  test("fails with strict and writes nothing", async () => {
    const output = join(folder, "strict");
    const { ok } = await exportInProcess({ source, output, deployment: "air-gapped", strict: true });
    assert.equal(ok, false);
    assert.equal(existsSync(output), false);
  });
});

describe("any other export", () => {
  test("lists the same requests and reports none of them", async () => {
    const { diagnostics, external } = await exportInProcess({ source });
    assert.ok(external.length > 20);
    assert.deepEqual(
      diagnostics.filter(({ code }) => code === "OUTSIDE_REQUEST"),
      [],
    );
  });
});

describe.skipIf(chromium === undefined)("a browser", () => {
  const browser = sharedBrowser(chromium);
  test("requests nothing from other hosts that is not in the list, and nothing from integrations", async () => {
    const output = join(folder, "out");
    const { external } = await exportInProcess({ source, output, deployment: "air-gapped" });
    const listed = new Set(external.map(({ url }) => url.replace(/#.*$/, "")));
    const asked = new Set<string>();
    const context = await browser().newContext();
    await context.route(/^https?:/, (route) => {
      asked.add(route.request().url());
      return route.abort();
    });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(output, "index.html")).href, { waitUntil: "load" });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState("networkidle");
    await context.close();
    assert.ok(asked.size > 15, [...asked].join(" "));
    assert.deepEqual(
      [...asked].filter((url) => !listed.has(url.replace(/#.*$/, ""))),
      [],
    );
    const html = readFileSync(join(output, "index.html"), "utf8");
    assert.doesNotMatch(html, /G-123456|plausible|googletagmanager/);
  });
});
