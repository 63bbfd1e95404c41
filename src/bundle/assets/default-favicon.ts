import { parseHex, textOn, toHex } from "../../lib/color.js";
import { escapeXml } from "../../lib/html/escape.js";
import type { LightDark, SiteSettings } from "../../site/config/index.js";

/** The icon of a site without one: the first letter or digit of its name on its colour, for each mode. */
export function defaultFavicon({ name, colors }: SiteSettings): LightDark {
  const letter = /[\p{L}\p{N}]\p{M}{0,3}/u.exec(name)?.[0] ?? "";
  const icon = (color: string): string => {
    const ground = parseHex(color) ?? [0, 0, 0];
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${toHex(ground)}"/><text x="16" y="23" fill="${toHex(textOn(ground))}" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle">${escapeXml(letter)}</text></svg>\n`;
  };
  return { light: icon(colors.primary), dark: icon(colors.light) };
}
