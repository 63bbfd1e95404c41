/** Whatever colours a site chooses, text is readable on every background of every theme. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "vitest";
import { type Mode, siteColors, siteCss } from "../../../src/bundle/assets/site-css.js";
import { black, contrast, mix, mixInOklab, parseHex, type Rgb, white } from "../../../src/lib/color.js";
import { themeTraits } from "../../../src/page/theme/theme-options.js";
import type { SiteSettings, ThemeName } from "../../../src/site/config/site-config.js";
import { sampleConfig, sampleSite } from "../../page/theme/sample-site.js";

const themes = Object.keys(themeTraits) as ThemeName[];
const nasty = [
  ..."#ffff00 #ffdd00 #000000 #0a0a0a #111111 #ffffff #ff0000 #00ff00 #0000ff #777777".split(" "),
  ..."#c4b5fd #fbcfe8 #f97316 #16a34a #0d9373 #7c3aed".split(" "),
];
const pages = [undefined, { light: "#fde68a", dark: "#1e293b" }, { light: "#111111", dark: "#eeeeee" }];
const modes: readonly Mode[] = ["light", "dark"];

/** The style sheet without comments and blanks, as the build writes it. */
const sheets = new Map(
  themes.map((theme) => [
    theme,
    ["tokens", `themes/${theme}`]
      .map((name) => readFileSync(`src/page/theme/styles/${name}.css`, "utf8"))
      .join("")
      .replace(/\/\*.*?\*\//gs, "")
      .replace(/\s*([{};:,])\s*/g, "$1"),
  ]),
);
const sheetOf = (theme: ThemeName): string => sheets.get(theme)!;

function cssOf(config: Partial<SiteSettings>, theme: ThemeName = "mint"): string {
  const settings = sampleConfig({ theme, ...config });
  return siteCss(sampleSite({ config: settings }), siteColors(settings, sheetOf(theme)), () => undefined);
}

/** The properties that a root rule sets. */
function declared(css: string, selector: string): Map<string, string> {
  const body = css.split("\n").find((line) => line.startsWith(`${selector}{`)) ?? "";
  return new Map([...body.matchAll(/--([\w-]+):([^;}]+)/g)].map(([, name, value]) => [name!, value!]));
}

/** The values of the properties in one mode. */
function seen(css: string, theme: ThemeName, mode: Mode) {
  const base = siteColors(sampleConfig({ theme }), sheetOf(theme))[mode].all;
  const own = new Map(declared(css, "html[data-theme]"));
  if (mode === "dark") for (const [name, value] of declared(css, "html.dark[data-theme]")) own.set(name, value);
  return (name: string): Rgb => parseHex(own.get(`color-${name}`) ?? "") ?? base.get(name)!;
}

const brandOf = (color: string) => ({ colors: { primary: color, light: color, dark: color } });

for (const theme of themes)
  test(`text is readable in ${theme}, whatever the site chooses`, () => {
    for (const color of nasty)
      for (const page of pages) {
        const css = cssOf({ ...brandOf(color), background: page ? { color: page } : {} }, theme);
        for (const mode of modes) {
          const of = seen(css, theme, mode);
          const check = (front: string | Rgb, back: string | Rgb, ratio = 4.5) => {
            const [text, ground] = [front, back].map((each) => (typeof each === "string" ? of(each) : each));
            const found = ground ? contrast(text!, ground) : ratio;
            assert.ok(found >= ratio, `${color}, ${mode}, page ${page?.[mode]}: ${front} on ${back} has ${found}`);
          };
          const tint = mixInOklab(of("bg"), of("primary"), mode === "light" ? 0.09 : 0.13);
          for (const ground of ["bg", "surface", "sunken", "note-bg", "info-bg", "tip-bg", "warning-bg", "danger-bg"])
            check("primary", ground);
          check("primary", tint);
          check("on-accent", "accent");
          for (const ground of ["bg", "surface", "sunken", "hover"])
            for (const text of ["heading", "text", "muted", "faint"]) check(text, ground);
          for (const kind of ["note", "info", "tip", "warning", "danger"]) {
            check(kind, `${kind}-bg`);
            check("text", `${kind}-bg`);
            check(kind, "bg");
          }
        }
      }
  });

describe("the colours of a site", () => {
  test("stay unchanged if they are readable", () => {
    const css = cssOf({ colors: { primary: "#0b6e56", light: "#07c983", dark: "#0b6e56" } });
    assert.equal(
      css,
      "html[data-theme]{--color-brand:#0b6e56;--color-primary:#0b6e56;--color-accent:#0b6e56;--color-on-accent:#ffffff}\n" +
        "html.dark[data-theme]{--color-brand:#07c983;--color-primary:#07c983;--color-accent:#0b6e56;--color-on-accent:#ffffff}",
    );
  });

  test("become the colour of the headings if they are as black or white as the page", () => {
    const [black, white] = ["#0a0a0a", "#ffffff"].map((color) => cssOf(brandOf(color)));
    assert.equal(declared(black!, "html[data-theme]").get("color-primary"), "#0a0a0a");
    assert.equal(declared(black!, "html.dark[data-theme]").get("color-primary"), "#f3f4f6");
    assert.equal(declared(white!, "html[data-theme]").get("color-primary"), "#131418");
  });

  test("are readable on a decoration in the brand's color", () => {
    const css = cssOf({ ...brandOf("#4a7c10"), background: { decoration: "windows" } });
    const text = parseHex(declared(css, "html[data-theme]").get("color-primary")!)!;
    assert.ok(contrast(text, mix(white, text, 0.2)) >= 4.5);
  });

  test("add an edge to a button that looks like the page, in that mode only", () => {
    const css = cssOf(brandOf("#0a0a0a"));
    assert.equal(declared(css, "html[data-theme]").get("accent-edge"), "transparent");
    const edge = parseHex(declared(css, "html.dark[data-theme]").get("accent-edge")!)!;
    assert.ok(contrast(edge, parseHex("#0d0e11")!) >= 3);
  });

  for (const color of nasty)
    test(`keep the text of a ${color} button readable under the pointer`, () => {
      const own = declared(cssOf(brandOf(color)), "html[data-theme]");
      const [accent, text] = ["color-accent", "color-on-accent"].map((name) => parseHex(own.get(name)!)!);
      const veils = {
        none: text![0] === 255 ? mix(accent!, white, 0.1) : mix(accent!, black, 0.12),
        "rgb(0 0 0/.12)": mix(accent!, black, 0.12),
        "rgb(255 255 255/.2)": mix(accent!, white, 0.2),
      };
      assert.ok(contrast(text!, veils[(own.get("accent-veil") ?? "none") as keyof typeof veils]) >= 4.5);
    });

  test("keep white text on a banner whose colour is nearly dark enough, and dark text on a light one", () => {
    const bannerOf = (color: string) => {
      const banner = {
        content: "New",
        dismissible: false,
        type: "info",
        color: { light: color, dark: color },
      } as const;
      return /\[data-tint="[^"]*"\]\{--tint:(#\w+);--on-tint:(#\w+)/.exec(cssOf({ banner }))!.slice(1);
    };
    assert.deepEqual(bannerOf("#7c3aed"), ["#7c3aed", "#ffffff"]);
    assert.deepEqual(bannerOf("#ffdd00"), ["#ffdd00", "#0b0c0e"]);
    const [fill, text] = bannerOf("#16a34a");
    assert.equal(text, "#ffffff");
    assert.ok(contrast(parseHex(fill!)!, white) >= 4.5);
    assert.notEqual(fill, "#16a34a");
  });

  test("draw the icon of an entry so that it is visible on its surface", () => {
    const color = { light: "#ffff00", dark: "#000080" };
    const config = sampleConfig();
    const site = sampleSite({
      config,
      globalLinks: [{ kind: "anchor", label: "A", href: "/", color, location: { sourcePath: "docs.json" } }],
    });
    const css = siteCss(site, siteColors(config, sheetOf("mint")), () => undefined);
    const [light, dark] = [...css.matchAll(/--tint-ink:(#\w+)/g)].map(([, ink]) => parseHex(ink!)!);
    assert.ok(contrast(light!, white) >= 3 && contrast(dark!, parseHex("#15161a")!) >= 3);
  });
});
