/** Stand-ins for the fonts that a site brings: text keeps its size and place until the font arrives. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, test } from "vitest";
import { readFontMetrics } from "../../../src/bundle/assets/font-metrics.js";
import { facesBefore, siteFonts } from "../../../src/bundle/assets/fonts.js";
import { sampleConfig } from "../../page/theme/sample-site.js";
import { findChromium } from "../../support/browser.js";
import { sharedBrowser } from "../../support/shared-browser.js";

interface Font {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  glyphForCodePoint(codePoint: number): { readonly advanceWidth: number };
}
const { create } = createRequire(import.meta.url)("fontkit") as { create(data: Uint8Array): Font };

const modules = "node_modules/@fontsource";
const fontFiles = {
  "WOFF2 with all weights": `${modules}-variable/inter/files/inter-latin-wght-normal.woff2`,
  "WOFF2 of one width": `${modules}-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2`,
  "WOFF2 for formulas": `${modules}/stix-two-math/files/stix-two-math-latin-400-normal.woff2`,
  WOFF: `${modules}/stix-two-math/files/stix-two-math-latin-400-normal.woff`,
};

describe("readFontMetrics", () => {
  for (const [kind, path] of Object.entries(fontFiles))
    test(`reads ${kind} like a font library`, () => {
      const font = create(readFileSync(path));
      const metrics = readFontMetrics(readFileSync(path))!;
      const near = (ours: number, theirs: number) =>
        assert.ok(Math.abs(ours - theirs / font.unitsPerEm) < 0.002, `${ours} ${theirs}`);
      near(metrics.ascent, font.ascent);
      near(metrics.descent, -font.descent);
      const widths = [
        ..."See the list of options below for what each of them does, and how to set a key when you need it.",
      ].map((character) => font.glyphForCodePoint(character.codePointAt(0)!).advanceWidth);
      const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length / font.unitsPerEm;
      assert.ok(Math.abs(metrics.width / mean - 1) < 0.03, `${metrics.width} ${mean}`);
      assert.equal(metrics.isMono, new Set(widths).size === 1);
    });

  test("returns nothing for files that are truncated, changed or not fonts", () => {
    const whole = readFileSync(fontFiles["WOFF2 with all weights"]);
    for (let length = 0; length < whole.length; length += 1_501)
      assert.equal(readFontMetrics(whole.subarray(0, length)), undefined, `${length} bytes`);
    for (let at = 0; at < 400; at += 7) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 0xa5;
      readFontMetrics(changed);
    }
    assert.equal(readFontMetrics(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), undefined);
  });
});

const chromium = findChromium();
describe.skipIf(chromium === undefined)("a font of the site", () => {
  const browser = sharedBrowser(chromium);
  const file = fontFiles["WOFF2 with all weights"];
  const metricsOf = () => readFontMetrics(readFileSync(file));

  const named = siteFonts(
    sampleConfig({ fonts: { body: { family: "Brand" } } }),
    ["fonts/Brand-Variable.woff2"],
    (source) => ({ href: `/${source}`, outputPath: source, isRemote: false }),
    metricsOf,
  ).css;
  const sheet =
    "@font-face{font-family:Brand;src:local(Nowhere),url(/fonts/brand.woff2);font-weight:400;font-display:swap}";
  const cases = [
    ["of docs.json", `${named}p,h2{font-family:var(--font-body)}`],
    ["of its style sheet", `${facesBefore(sheet, metricsOf)}${sheet}p{font-family:Brand,monospace}`],
  ] as const;
  for (const [place, css] of cases)
    test(`${place} does not move the text when it arrives`, async () => {
      const page = await (await browser().newContext()).newPage();
      const arrives = Promise.withResolvers<void>();
      await page.route("http://brand.test/**", async (route) => {
        if (!route.request().url().endsWith(".woff2"))
          return route.fulfill({
            contentType: "text/html",
            body: `<!doctype html><html data-theme><style>${css}p,h2{font-size:160px;white-space:nowrap;position:absolute}h2{font-weight:600}</style>
              <p>Install the package and send a first request</p><h2>Install the package</h2>`,
          });
        await arrives.promise;
        return route.fulfill({ contentType: "font/woff2", body: readFileSync(file) });
      });
      await page.goto("http://brand.test/", { waitUntil: "domcontentloaded" });
      const boxes = () =>
        page.evaluate(() =>
          [...document.querySelectorAll("p, h2")].map((each) => {
            const { width, height } = each.getBoundingClientRect();
            return [width, height] as const;
          }),
        );
      await page.waitForFunction(() => [...document.fonts].some(({ status }) => status === "loaded"));
      const before = await boxes();
      arrives.resolve();
      await page.evaluate(() => document.fonts.ready);
      const after = await boxes();
      await page.context().close();
      for (const [index, [width, height]] of after.entries()) {
        // The style sheet says nothing of headings.
        if (index === 1 && place !== "of docs.json") continue;
        const [widthBefore, heightBefore] = before[index]!;
        assert.ok(Math.abs(widthBefore / width - 1) < 0.03, `${widthBefore} → ${width}`);
        assert.ok(Math.abs(heightBefore / height - 1) < 0.01, `${heightBefore} → ${height}`);
      }
    });
});
