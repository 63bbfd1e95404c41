import { contrast, isLight, mix, mixInOklab, parseHex, type Rgb, readableOn, toHex } from "../../lib/color.js";
import type { CodeblockStyle } from "../../site/config/index.js";
import { type CodeTheme, colorClass, fontStyles, loadCodeTheme } from "./code-theme.js";

/** The backgrounds of code blocks whose theme does not set one. */
export interface BlockGrounds {
  readonly light: Rgb;
  readonly dark: Rgb;
}

/** Least contrast of code: WCAG's 4.5, and a reserve for marked lines and headers of blocks. */
const codeContrast = 5.5;

/**
 * All colour rules of highlighted code, for the style sheet of every page. The block's variables (`--code-bg`,
 * `--code-fg` …) are set where the code theme differs from the page. Colours that are hard to read on their background
 * are replaced by the nearest readable shade.
 */
export async function codeThemeCss(style: CodeblockStyle, grounds: BlockGrounds): Promise<string> {
  const dark = await loadCodeTheme(style.theme.dark);
  if (style.mode === "dark" || style.theme.light === style.theme.dark) return themeRules("", "l", dark);
  const light = await loadCodeTheme(style.theme.light);
  const isOwn = style.mode === "theme";
  return (
    themeRules("html:not(.dark) ", "l", light, isOwn ? undefined : grounds.light) +
    themeRules("html.dark ", "d", dark, isOwn ? undefined : grounds.dark)
  );
}

/** @param ground the background of the page's blocks; undefined if the theme sets its own. */
function themeRules(scope: string, mode: "l" | "d", theme: CodeTheme, ground?: Rgb): string {
  const back = ground ?? parseHex(theme.background);
  const colorOf = (color: string): string => (back ? readableCode(color, back) : color);
  const foreground = colorOf(theme.foreground);
  const variables = ground ? "" : ownColors(theme, foreground, scope);
  let css = `${scope}:is(.code-block,.code-group){${variables}--code-fg:${foreground}}\n`;
  for (let number = 1; number < theme.colors.length; number++) {
    const color = colorOf(theme.colors[number]!);
    if (color !== foreground) css += `${scope}pre .${colorClass(mode, number)}{color:${color}}\n`;
  }
  for (const [, letter, rule] of fontStyles) css += `${scope}pre .${mode}${letter}{${rule}}\n`;
  return css;
}

/** The nearest readable shade; values other than hexadecimal colours are unchanged. */
function readableCode(written: string, ground: Rgb): string {
  const color = solidOn(ground, written);
  if (!color || contrast(color, ground) >= codeContrast) return written;
  return toHex(readableOn(color, [ground], codeContrast));
}

/** The visible colour of one that may be transparent, such as `#fff8`. */
function solidOn(ground: Rgb, written: string): Rgb | undefined {
  const [, short, digit, long, digits] = /^#(?:(\w{3})(\w)|(\w{6})(\w\w))$/.exec(written) ?? [];
  const color = parseHex((short ?? long) ? `#${short ?? long}` : written);
  const alpha = digits ?? (digit ? digit + digit : "ff");
  return color && mix(ground, color, Number.parseInt(alpha, 16) / 255);
}

/** The theme's background, with border and muted colours mixed from its two colours, and its line marks. */
function ownColors(theme: CodeTheme, foreground: string, scope: string): string {
  const mixed = (share: number): string => `color-mix(in oklab,${theme.foreground} ${share}%,${theme.background})`;
  const back = parseHex(theme.background);
  const front = back && solidOn(back, foreground);
  let muted = mixed(78);
  let marks = "";
  if (back && front) {
    // Muted text is in the header of a block and on marked lines.
    const ground = mixInOklab(back, front, 0.05);
    const grey = mixInOklab(back, solidOn(back, theme.foreground)!, 0.78);
    if (contrast(grey, ground) < 4.5) muted = toHex(readableOn(grey, [ground], 4.5));
    const suitsPage = isLight(back) ? scope.includes(":not(.dark)") : scope === "html.dark ";
    if (!suitsPage) marks = lineMarks(isLight(back) ? "light" : "dark", back);
  }
  return `${marks}--code-bg:${theme.background};--code-muted:${muted};--code-border:${mixed(16)};`;
}

const markColors = {
  light: { add: "#14693a", remove: "#b3202c", mark: "#1d4fc4" },
  dark: { add: "#3fb950", remove: "#f85149", mark: "#79b8ff" },
};

/** Line marks for a dark block on a light page, or the reverse, where the marks of the page have the wrong colours. */
function lineMarks(mode: "light" | "dark", back: Rgb): string {
  const rules = Object.entries(markColors[mode]).map(
    ([name, color]) => `--code-${name}:${toHex(readableOn(parseHex(color)!, [back], 4.5))};`,
  );
  return `color-scheme:${mode};${rules.join("")}`;
}
