import { black, contrast, mix, nearestShade, parseHex, type Rgb, readableOn, white } from "../../lib/color.js";
import type { SiteSettings } from "../../site/config/index.js";

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
