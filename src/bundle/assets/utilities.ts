import { parseHex } from "../../lib/color.js";
import type { SiteSettings } from "../../site/config/index.js";

/**
 * Compiles the utility classes among these words as Tailwind 3 does: arbitrary values, variants in any order, `dark:`
 * by the class of the root. Other words are ignored. The compiler is loaded only if there are words.
 */
export async function utilityCss(config: SiteSettings, classNames: readonly string[]): Promise<string> {
  if (classNames.length === 0) return "";
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
  return matched.size > 0 ? css : "";
}

const sides: Readonly<Record<string, string>> = { t: "top", r: "right", b: "bottom", l: "left" };
const gradientTo = (side: string): string =>
  `linear-gradient(to ${[...side].map((letter) => sides[letter]).join(" ")}, var(--un-gradient-stops))`;
