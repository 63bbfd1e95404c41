import type { CodeblockStyle } from "../../site/config/index.js";
import { type CodeTheme, loadCodeTheme } from "./code-theme.js";
import { colorClass, fontLetters } from "./pair-theme.js";

/**
 * Every colour rule that highlighted code needs, for the style sheet of all pages. The frame's own variables
 * (`--code-bg`, `--code-fg` ...) are set where the style differs from the page's.
 */
export async function codeThemeCss(style: CodeblockStyle): Promise<string> {
  const dark = await loadCodeTheme(style.theme.dark);
  if (style.mode === "dark") return themeRules("", "l", dark, `${darkFrame}${ground(dark)}`);
  if (style.theme.light === style.theme.dark) return themeRules("", "l", dark, ground(dark));
  const light = await loadCodeTheme(style.theme.light);
  return (
    themeRules("html:not(.dark) ", "l", light, style.mode === "theme" ? ground(light) : "") +
    themeRules("html.dark ", "d", dark, style.mode === "theme" ? ground(dark) : "")
  );
}

function themeRules(scope: string, mode: "l" | "d", theme: CodeTheme, frame: string): string {
  let css = `${scope}:is(.code-block,.code-group){${frame}--code-fg:${theme.foreground}}\n`;
  for (let number = 1; number < theme.colors.length; number++) {
    const color = theme.colors[number]!;
    if (color !== theme.foreground) css += `${scope}.line>.${colorClass(mode, number)}{color:${color}}\n`;
  }
  for (const [bit, letter] of fontLetters) css += `${scope}.line>.${mode}${letter}{${fontRules[bit]}}\n`;
  return css;
}

const fontRules: Readonly<Record<number, string>> = {
  1: "font-style:italic",
  2: "font-weight:700",
  4: "text-decoration:underline",
  8: "text-decoration:line-through",
};

/** A theme's own ground; what stands on it besides code is mixed from its two colours. */
const ground = (theme: CodeTheme): string =>
  `--code-bg:${theme.background};--code-muted:color-mix(in oklab,${theme.foreground} 78%,${theme.background});` +
  `--code-border:color-mix(in oklab,${theme.foreground} 16%,${theme.background});`;

/** Marks that are tuned for a light page look wrong on a dark block. */
const darkFrame = "color-scheme:dark;--code-add:#3fb950;--code-remove:#f85149;--code-mark:#79b8ff;";
