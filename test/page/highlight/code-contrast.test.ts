/** The colours of every code theme are readable, on marked lines too. */
import assert from "node:assert/strict";
import { bundledThemes } from "shiki/themes";
import { test } from "vitest";
import { black, contrast, mix, mixInOklab, parseHex, type Rgb, white } from "../../../src/lib/color.js";
import { loadCodeTheme } from "../../../src/page/highlight/code-theme.js";
import { codeThemeCss } from "../../../src/page/highlight/code-theme-css.js";

const pages = { light: parseHex("#fafafb")!, dark: parseHex("#101114")! };
const ownStyle = (name: string) =>
  ({ mode: "theme", theme: { light: name, dark: name }, customLanguages: [] }) as const;
const partOf = (css: string, name: string, back: Rgb = black) =>
  solid(new RegExp(`--code-${name}:(#\\w+)`).exec(css)?.[1] ?? "", back);
const tokens = (css: string) => [...css.matchAll(/(?:\{color|--code-fg):([^;}]+)/g)].map(([, color]) => color!);

/** A colour such as `#rrggbbaa` on its background. */
function solid(color: string, back: Rgb): Rgb | undefined {
  const long = color.length > 5 ? color : color.replace(/[^#]/g, "$&$&");
  const rgb = parseHex(long.slice(0, 7));
  return rgb && mix(back, rgb, Number.parseInt(long.slice(7) || "ff", 16) / 255);
}

function assertReadable(colors: readonly string[], back: Rgb, mark: Rgb): void {
  for (const color of colors.filter((each) => each !== "inherit")) {
    const rgb = solid(color, back);
    assert.ok(rgb, color);
    assert.ok(contrast(rgb, back) >= 5.5, `${color} has ${contrast(rgb, back)}`);
    // A marked line has 5 per cent of the mark's colour.
    assert.ok(contrast(rgb, mixInOklab(back, mark, 0.05)) >= 4.5, `${color} on a marked line`);
  }
}

for (const name of Object.keys(bundledThemes))
  test(`the code theme ${name} is readable`, async () => {
    const css = await codeThemeCss(ownStyle(name), pages);
    const back = partOf(css, "bg");
    assert.ok(back, "background");
    const front = partOf(css, "fg", back)!;
    const mark = contrast(white, back) > contrast(black, back) ? white : black;
    assertReadable(tokens(css), back, mark);
    const muted = partOf(css, "muted") ?? mixInOklab(back, solid((await loadCodeTheme(name)).foreground, back)!, 0.78);
    assert.ok(contrast(muted, mixInOklab(back, front, 0.025)) >= 4.5, "titles and line numbers");
  });

test("the default themes are readable on the backgrounds of the page", async () => {
  const theme = { light: "github-light-default", dark: "dark-plus" };
  const css = await codeThemeCss({ mode: "system", theme, customLanguages: [] }, pages);
  for (const [mode, selector, mark] of [
    ["light", "html:not(.dark)", black],
    ["dark", "html.dark", white],
  ] as const) {
    const rules = css.split("\n").filter((line) => line.startsWith(`${selector} `));
    assert.ok(rules.length > 10);
    assertReadable(tokens(rules.join("\n")), pages[mode], mark);
  }
});

test("readable colours stay unchanged, and others keep their hue", async () => {
  const { colors } = await loadCodeTheme("one-dark-pro");
  const css = await codeThemeCss(ownStyle("one-dark-pro"), pages);
  const [comment, string] = ["#7f848e", "#98c379"].map((color) => colors.indexOf(color));
  assert.ok(comment! > 0 && string! > 0);
  assert.match(css, new RegExp(`\\.l${string}\\{color:#98c379\\}`));
  const raised = parseHex(new RegExp(`\\.l${comment}\\{color:(#\\w+)\\}`).exec(css)![1]!)!;
  assert.ok(raised[0] < raised[1] && raised[1] < raised[2]);
});

test("a dark block has marks for dark blocks on a light page, and a light block has its own on a dark page", async () => {
  const [dark, light] = await Promise.all(["nord", "min-light"].map((name) => codeThemeCss(ownStyle(name), pages)));
  for (const [css, scheme] of [
    [dark!, "dark"],
    [light!, "light"],
  ] as const) {
    assert.match(css, new RegExp(`color-scheme:${scheme}`));
    for (const name of ["add", "remove", "mark"])
      assert.ok(contrast(partOf(css, name)!, partOf(css, "bg")!) >= 4.5, name);
  }
  const pair = { mode: "theme", theme: { light: "min-light", dark: "nord" }, customLanguages: [] } as const;
  assert.doesNotMatch(await codeThemeCss(pair, pages), /color-scheme/);
});
