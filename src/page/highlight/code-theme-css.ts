import type { CodeblockStyle } from "../../site/config/index.js";
import { type CodeTheme, loadCodeTheme } from "./code-theme.js";
import { colorClass, fontStyles } from "./pair-theme.js";

/**
 * All colour rules of highlighted code, for the style sheet of every page. The block's own variables (`--code-bg`,
 * `--code-fg` …) are set where the code theme differs from the page.
 */
export async function codeThemeCss(style: CodeblockStyle): Promise<string> {
  const dark = await loadCodeTheme(style.theme.dark);
  if (style.mode === "dark") return themeRules("", "l", dark, `${darkBlock}${ownColors(dark)}`);
  if (style.theme.light === style.theme.dark) return themeRules("", "l", dark, ownColors(dark));
  const light = await loadCodeTheme(style.theme.light);
  return (
    themeRules("html:not(.dark) ", "l", light, style.mode === "theme" ? ownColors(light) : "") +
    themeRules("html.dark ", "d", dark, style.mode === "theme" ? ownColors(dark) : "")
  );
}

function themeRules(scope: string, mode: "l" | "d", theme: CodeTheme, variables: string): string {
  let css = `${scope}:is(.code-block,.code-group){${variables}--code-fg:${theme.foreground}}\n`;
  for (let number = 1; number < theme.colors.length; number++) {
    const color = theme.colors[number]!;
    if (color !== theme.foreground) css += `${scope}.line>.${colorClass(mode, number)}{color:${color}}\n`;
  }
  for (const [, letter, rule] of fontStyles) css += `${scope}.line>.${mode}${letter}{${rule}}\n`;
  return css;
}

/** The theme's background, with border and muted colours mixed from its two colours. */
const ownColors = (theme: CodeTheme): string =>
  `--code-bg:${theme.background};--code-muted:color-mix(in oklab,${theme.foreground} 78%,${theme.background});` +
  `--code-border:color-mix(in oklab,${theme.foreground} 16%,${theme.background});`;

/** Line marks for a dark block: those of a light page look wrong on it. */
const darkBlock = "color-scheme:dark;--code-add:#3fb950;--code-remove:#f85149;--code-mark:#79b8ff;";
