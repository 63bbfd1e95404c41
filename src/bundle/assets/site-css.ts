import {
  black,
  contrast,
  mix,
  mixInOklab,
  nearestShade,
  parseHex,
  type Rgb,
  readableOn,
  textOn,
  toHex,
  white,
} from "../../lib/color.js";
import type { LightDark, SiteSettings } from "../../site/config/index.js";
import type { Site } from "../../site/site.js";
import { quote } from "./fonts.js";

/** WCAG requires 4.5; a little more allows for rounding where browsers mix colours. */
const textContrast = 4.6;

/** What WCAG requires of icons and of the edges of controls. */
const shapeContrast = 3;

const roots = { light: "html[data-theme]", dark: "html.dark[data-theme]" } as const;
const modes = ["light", "dark"] as const;

/**
 * The style sheet of this site: its colours, made readable if necessary, and its background.
 *
 * @param imageHref resolves an image relative to the style sheet; undefined for a missing file
 */
export function siteCss(site: Site, colors: SiteColors, imageHref: (image: string) => string | undefined): string {
  const { config } = site;
  const css: string[] = [];
  for (const mode of modes) css.push(`${roots[mode]}{${rootRules(config, colors, mode).join(";")}}`);
  const { image } = config.background;
  for (const [root, source] of image ? [["html", image.light] as const, ["html.dark", image.dark] as const] : []) {
    const href = imageHref(source);
    if (href !== undefined) css.push(`${root} #background-color{background-image:url(${quote(href)})}`);
  }
  for (const tint of tintsOf(site)) css.push(tintRules(tint, colors));
  return css.join("\n");
}

/** A property of light mode also counts in dark mode, unless it is set there: so both modes set the same ones. */
function rootRules({ colors: chosen, background }: SiteSettings, colors: SiteColors, mode: Mode): string[] {
  const { all } = colors[mode];
  const out: string[] = [];
  for (const name of new Set(modes.flatMap((each) => [...colors[each].own]))) {
    const color = all.get(name);
    if (color) out.push(`--color-${name}:${toHex(color)}`);
  }
  const brand = parseHex(mode === "light" ? chosen.primary : chosen.light);
  if (brand)
    out.push(
      `--color-brand:${toHex(brand)}`,
      `--color-primary:${toHex(primaryOf(brand, all, mode, background.decoration))}`,
    );
  const written = parseHex(chosen.dark) ?? parseHex(chosen.primary);
  if (!written) return out;
  const accent = brandFill(written);
  const text = textOn(accent);
  out.push(`--color-accent:${toHex(accent)}`, `--color-on-accent:${toHex(text)}`);
  const edges = modes.map((each) => edgeOf(accent, colors[each].all.get("bg")!));
  if (edges.some((edge) => edge !== accent)) {
    const edge = edges[modes.indexOf(mode)]!;
    out.push(`--accent-edge:${edge === accent ? "transparent" : toHex(edge)}`);
  }
  if (contrast(text, text === white ? mix(accent, white, 0.1) : mix(accent, black, 0.12)) < 4.5)
    out.push(`--accent-veil:${text === white ? "rgb(0 0 0/.12)" : "rgb(255 255 255/.2)"}`);
  return out;
}

/** The brand's colour as text: on pages, panels, inline code, callouts, and on its own tint. */
function primaryOf(brand: Rgb, all: Colors, mode: Mode, decoration: string | undefined): Rgb {
  const page = all.get("bg")!;
  // Black on black and white on white have no hue to keep, and as grey they would be weaker than the text around them.
  const isLost = Math.max(...brand) - Math.min(...brand) < 12 && contrast(brand, page) < 2;
  const grounds = textGrounds.map((name) => all.get(name)!);
  // As `--color-primary-bg`, and as the strongest place of a decoration in that colour below text.
  const tintShare = decoration === "windows" || decoration === "gradient" ? 0.2 : mode === "light" ? 0.09 : 0.13;
  return nearestShade(isLost ? all.get("heading")! : brand, mode === "light" ? black : white, (shade) =>
    [...grounds, mixInOklab(page, shade, tintShare)].every((ground) => contrast(shade, ground) >= textContrast),
  );
}
const textGrounds = ["bg", "surface", "sunken", "note-bg", "info-bg", "tip-bg", "warning-bg", "danger-bg"];

/** A button that is hard to tell from the page gets an edge. */
const edgeOf = (accent: Rgb, page: Rgb): Rgb => readableOn(accent, [page], shapeContrast);

/** Colours of navigation entries and banners; elements carry them as `data-tint="<light>-<dark>"`, digits only. */
function tintsOf(site: Site): LightDark[] {
  const tints = new Map<string, LightDark>();
  const add = (color: LightDark | undefined) => {
    if (color && parseHex(color.light) && parseHex(color.dark)) tints.set(tintKey(color), color);
  };
  add(site.config.banner?.color);
  for (const link of site.globalLinks) add(link.color);
  for (const section of site.sections) {
    add(section.color);
    add(section.banner?.color);
    for (const link of section.globalLinks) add(link.color);
  }
  return [...tints.values()];
}

const tintKey = ({ light, dark }: LightDark): string => `${light.slice(1)}-${dark.slice(1)}`;

/** Banners are filled with the colour; icons on a surface are drawn in it. */
function tintRules(color: LightDark, colors: SiteColors): string {
  const selector = `[data-tint="${tintKey(color)}"]`;
  const inks = modes.map((mode) =>
    readableOn(parseHex(color[mode])!, [colors[mode].all.get("surface")!], shapeContrast),
  );
  const fills = modes.map((mode) => brandFill(parseHex(color[mode])!));
  const differ = inks.some((ink, at) => toHex(ink) !== toHex(fills[at]!));
  const rules = fills.map((fill, at) => {
    const ink = differ ? `;--tint-ink:${toHex(inks[at]!)}` : "";
    return `{--tint:${toHex(fill)};--on-tint:${toHex(textOn(fill))}${ink}}`;
  });
  return `${selector}${rules[0]}html.dark ${selector}${rules[1]}`;
}

/** The format has white text on banners and buttons, so a nearly readable fill becomes a little darker. */
function brandFill(color: Rgb): Rgb {
  const isVivid = Math.max(...color) - Math.min(...color) >= 120;
  return contrast(white, color) < (isVivid ? 2.6 : 3)
    ? color
    : nearestShade(color, black, (shade) => contrast(white, shade) >= 4.5);
}

/** The brand's colour as text, in each mode; undefined if it is not a hex colour. */
export function primaryText(
  { colors: chosen, background }: SiteSettings,
  colors: SiteColors,
): Record<Mode, Rgb | undefined> {
  const inMode = (mode: Mode, written: string) => {
    const brand = parseHex(written);
    return brand && primaryOf(brand, colors[mode].all, mode, background.decoration);
  };
  return { light: inMode("light", chosen.primary), dark: inMode("dark", chosen.light) };
}

/**
 * Compiles the utility classes among these words as Tailwind 3 does: arbitrary values, variants in any order, `dark:`
 * by the class of the root. Other words are ignored. The compiler is loaded only if there are words.
 *
 * @returns also a rule for each box that a class paints in one opaque color, in the modes where it does; and the words that
 * have the form of a utility class, but are none.
 */
export async function utilityCss(
  config: SiteSettings,
  classNames: readonly string[],
): Promise<{ readonly css: string; readonly boxes: string; readonly unknown: readonly string[] }> {
  if (classNames.length === 0) return { css: "", boxes: "", unknown: [] };
  const [{ createGenerator }, { presetWind3 }] = await Promise.all([
    import("@unocss/core"),
    import("@unocss/preset-wind3"),
  ]);
  const { primary, light, dark } = config.colors;
  const colors = Object.fromEntries(
    Object.entries({ DEFAULT: primary, light, dark }).filter(([, color]) => parseHex(color) !== undefined),
  );
  const generator = await createGenerator({
    presets: [presetWind3({ dark: "class", preflight: "on-demand" })],
    theme: { colors: { primary: colors, "background-light": "#ffffff", "background-dark": "#0d0e11" } },
    rules: [
      // Tailwind 3 mixes gradients in sRGB.
      [/^bg-gradient-to-([trbl]{1,2})$/, ([, side]) => ({ "background-image": gradientTo(side!) })],
    ],
  });
  const { css, matched } = await generator.generate(new Set(classNames), { preflights: true, minify: true });
  const boxes: string[] = [];
  for (const word of [...matched].filter((each) => /^(?:dark:)?bg-/.test(each)).sort()) {
    const body = (await generator.parseToken(word))?.[0]?.[2];
    const color = /^--un-bg-opacity:1;background-color:(rgb\(\d+ \d+ \d+) /.exec(body ?? "")?.[1];
    if (color === undefined) continue;
    // All have the attribute in common, so that boxes in boxes are compared.
    const box = `.${word.replace(/[^\w-]/g, "\\$&")}[class]`;
    const selector = word.startsWith("dark:")
      ? `html.dark ${box}`
      : `html:not(.dark) ${box},html.dark ${box}:not([class*="dark:bg-"])`;
    boxes.push(`${selector}{background:${color})}`);
  }
  const unknown = classNames.filter((word) => !matched.has(word) && utilityForm.test(word));
  return { css: matched.size > 0 ? css : "", boxes: boxes.join(""), unknown };
}

/** A class that names a shade of one of Tailwind's colors. */
const utilityForm =
  /^(?:[\w-]+:){0,4}!?(?:bg|text|border|ring|fill|stroke|from|via|to)-(?:slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose)-\d+$/;

const sides: Readonly<Record<string, string>> = { t: "top", r: "right", b: "bottom", l: "left" };
const gradientTo = (side: string): string =>
  `linear-gradient(to ${[...side].map((letter) => sides[letter]).join(" ")}, var(--un-gradient-stops))`;

export type Mode = "light" | "dark";
/** The `--color-…` properties of one mode, by the rest of their names. */
export type Colors = ReadonlyMap<string, Rgb>;

export interface ModeColors {
  readonly all: Colors;
  /** Names of the properties that differ from the theme's, because the site has a background of its own. */
  readonly own: ReadonlySet<string>;
}

export type SiteColors = Readonly<Record<Mode, ModeColors>>;

/**
 * The colours of a site's pages without those of its brand. Text that is hard to read on the background of the site
 * gets the nearest shade that is not.
 *
 * @param sheet our built style sheet with the common rules and those of the theme.
 */
export const siteColors = (config: SiteSettings, sheet: string): SiteColors => ({
  light: colorsIn("light", config, sheet),
  dark: colorsIn("dark", config, sheet),
});

/** The backgrounds of code blocks, as `--code-bg` in most themes. */
export function codeGrounds(colors: SiteColors): Readonly<Record<Mode, Rgb>> {
  const ground = ({ all }: ModeColors): Rgb => mix(all.get("bg")!, all.get("sunken")!, 0.6);
  return { light: ground(colors.light), dark: ground(colors.dark) };
}

function colorsIn(mode: Mode, { background }: SiteSettings, sheet: string): ModeColors {
  const all = themeColors(sheet, mode);
  const own = new Set<string>();
  const chosen = parseHex(background.color?.[mode] ?? "");
  if (!chosen) return { all, own };
  const set = (name: string, color: Rgb): void => {
    all.set(name, color);
    own.add(name);
  };
  const ink = mode === "light" ? black : white;
  // Callouts, code and pictures for light pages would not suit a darker shade.
  const ground = nearestShade(chosen, mode === "light" ? white : black, (shade) => contrast(shade, ink) >= 7);
  set("bg", ground);
  for (const [name, share] of Object.entries(groundShares[mode])) set(name, mix(ground, ink, share));
  const grounds = ["bg", "surface", "sunken", "hover"].map((name) => all.get(name)!);
  for (const name of textNames) {
    const before = all.get(name)!;
    const after = readableOn(before, grounds, 4.6);
    if (after !== before) set(name, after);
  }
  return { all, own };
}

/** Surfaces and lines on a background of the site, as shares of the text's colour. */
const groundShares = {
  light: { surface: 0, sunken: 0.03, hover: 0.05, border: 0.09, "border-strong": 0.17 },
  dark: { surface: 0.035, sunken: 0.025, hover: 0.06, border: 0.09, "border-strong": 0.17 },
};
const textNames = ["heading", "text", "muted", "faint", "note", "info", "tip", "warning", "danger"];

/** From the style sheet, so that the values are in one place. Colours that browsers mix are left out. */
function themeColors(sheet: string, mode: Mode): Map<string, Rgb> {
  const colors = new Map<string, Rgb>();
  for (const [, selector, body] of sheet.matchAll(/(?<=^|[{}])([^{}]*)\{([^{}]*)\}/g)) {
    if (!rootSelectors[mode].test(selector!)) continue;
    for (const [, name, value] of body!.matchAll(/--color-([\w-]+):([^;]+)/g)) {
      const color = parseHex(value!);
      if (color) colors.set(name!, color);
      else colors.delete(name!);
    }
  }
  return colors;
}

const rootSelectors = {
  light: /^(?::root|html\[data-theme=[^\]]*\])$/,
  dark: /^(?::root|html(?:\.dark)?(?:\[data-theme=[^\]]*\])?)$/,
};
