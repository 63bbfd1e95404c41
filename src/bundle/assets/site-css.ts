import { mix, parseHex, type Rgb, readableOn, textOn, toHex } from "../../lib/color.js";
import type { LightDark, SiteSettings } from "../../site/config/index.js";
import type { Site } from "../../site/site.js";
import { quote } from "./fonts.js";

/** Backgrounds of the themes by default: the lightest and darkest behind text in the brand's colour. */
const defaultGround = { light: "#ffffff", dark: "#15161a" } as const;
/** Links are also on tinted backgrounds, so they need more than the 4.5 that WCAG requires. */
const linkContrast = 5.2;

/**
 * The style sheet of this site: its colours, made readable if necessary, and its background.
 *
 * @param imageHref resolves an image relative to the style sheet; undefined for a missing file
 */
export function siteCss(site: Site, imageHref: (image: string) => string | undefined): string {
  const { config } = site;
  const css: string[] = [];
  for (const mode of ["light", "dark"] as const) css.push(`${rootOf(mode)}{${colorsOf(config, mode)}}`);
  const { image } = config.background;
  for (const [root, source] of image ? [["html", image.light] as const, ["html.dark", image.dark] as const] : []) {
    const href = imageHref(source);
    if (href !== undefined) css.push(`${root} #background-color{background-image:url(${quote(href)})}`);
  }
  for (const tint of tintsOf(site)) css.push(tintRule(tint));
  return css.join("\n");
}

const rootOf = (mode: "light" | "dark"): string => (mode === "light" ? "html[data-theme]" : "html.dark[data-theme]");

function colorsOf({ colors, background }: SiteSettings, mode: "light" | "dark"): string {
  const chosen = background.color?.[mode];
  const ground = parseHex(chosen ?? defaultGround[mode]) ?? parseHex(defaultGround[mode])!;
  const brand = parseHex(mode === "light" ? colors.primary : colors.light);
  const accent = parseHex(colors.dark) ?? parseHex(colors.primary);
  const out: string[] = [];
  if (chosen && parseHex(chosen)) out.push(`--color-bg:${chosen}`, ...groundsOf(ground, mode));
  if (brand) {
    out.push(`--color-brand:${toHex(brand)}`);
    out.push(`--color-primary:${toHex(readableOn(brand, ground, linkContrast))}`);
  }
  if (accent) {
    out.push(`--color-accent:${toHex(accent)}`);
    out.push(`--color-on-accent:${toHex(textOn(accent))}`);
  }
  return out.join(";");
}

/** Surfaces and lines on a page background: shares of black on a light one, of white on a dark one. */
function groundsOf(ground: Rgb, mode: "light" | "dark"): string[] {
  const end: Rgb = mode === "light" ? [0, 0, 0] : [255, 255, 255];
  const shares = mode === "light" ? lightShares : darkShares;
  return Object.entries(shares).map(([name, share]) => `--color-${name}:${toHex(mix(ground, end, share))}`);
}
const lightShares = { surface: 0, sunken: 0.03, hover: 0.05, border: 0.09, "border-strong": 0.17 };
const darkShares = { surface: 0.035, sunken: 0.025, hover: 0.06, border: 0.09, "border-strong": 0.17 };

/** Colours of navigation entries and banners; elements carry them as `data-tint="<light>-<dark>"`, digits only. */
function tintsOf(site: Site): LightDark[] {
  const found = new Map<string, LightDark>();
  const add = (color: LightDark | undefined) => {
    if (color && parseHex(color.light) && parseHex(color.dark)) found.set(tintKey(color), color);
  };
  add(site.config.banner?.color);
  for (const link of site.globalLinks) add(link.color);
  for (const section of site.sections) {
    add(section.color);
    add(section.banner?.color);
    for (const link of section.globalLinks) add(link.color);
  }
  return [...found.values()];
}

const tintKey = ({ light, dark }: LightDark): string => `${light.slice(1)}-${dark.slice(1)}`;

function tintRule(color: LightDark): string {
  const rule = (mode: "light" | "dark"): string => {
    const rgb: Rgb = parseHex(color[mode])!;
    return `{--tint:${toHex(rgb)};--on-tint:${toHex(textOn(rgb))}}`;
  };
  const selector = `[data-tint="${tintKey(color)}"]`;
  return `${selector}${rule("light")}html.dark ${selector}${rule("dark")}`;
}
