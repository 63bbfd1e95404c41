import { Theme } from "shiki/textmate";
import { bundledThemes } from "shiki/themes";

/** A Shiki theme, prepared for looking up the style of a scope. */
export interface CodeTheme {
  readonly theme: Theme;
  /** CSS colours by the number that `theme` uses; 0 is unused. */
  readonly colors: readonly string[];
  readonly foreground: string;
  readonly background: string;
}

interface RawTheme {
  readonly type?: string;
  readonly fg?: string;
  readonly bg?: string;
  readonly colors?: Readonly<Record<string, string>>;
  readonly settings?: readonly Partial<ThemeSetting>[];
  readonly tokenColors?: readonly Partial<ThemeSetting>[];
}
interface ThemeSetting {
  readonly scope?: string | string[];
  readonly settings: { readonly foreground?: string; readonly fontStyle?: string };
}

/** The backgrounds that the format gives to its default themes. */
const defaultBackgrounds: Readonly<Record<string, string>> = {
  "github-light-default": "#ffffff",
  "dark-plus": "#0b0c0e",
};

export const isCodeTheme = (name: string): boolean => name === "css-variables" || Object.hasOwn(bundledThemes, name);

/** @throws {RangeError} for a name that `isCodeTheme` does not know; the configuration stage reports those. */
export async function loadCodeTheme(name: string): Promise<CodeTheme> {
  if (name === "css-variables") return readTheme(await cssVariablesTheme());
  const load = Object.hasOwn(bundledThemes, name) ? bundledThemes[name as keyof typeof bundledThemes] : undefined;
  if (!load) throw new RangeError(`There is no code theme "${name}".`);
  const theme = readTheme((await load()).default as RawTheme);
  return { ...theme, background: defaultBackgrounds[name] ?? theme.background };
}

function readTheme(raw: RawTheme): CodeTheme {
  const settings = settingsOf(raw);
  const common = settings.find((entry) => !entry.scope)?.settings;
  const foreground =
    raw.fg ?? common?.foreground ?? raw.colors?.["editor.foreground"] ?? (raw.type === "light" ? "#333333" : "#bbbbbb");
  const background = raw.bg ?? raw.colors?.["editor.background"] ?? (raw.type === "light" ? "#ffffff" : "#1e1e1e");
  // The theme matcher accepts hexadecimal colours only. Any other value (`var(…)`, `inherit`) gets a placeholder.
  const placeholders = new Map<string, string>();
  const hexOf = (color: string): string => {
    if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(color)) return color;
    const hex = `#${(placeholders.size + 1).toString(16).padStart(8, "0")}`.toUpperCase();
    const known = [...placeholders].find(([, value]) => value === color)?.[0];
    if (known === undefined) placeholders.set(hex, color);
    return known ?? hex;
  };
  const theme = Theme.createFromRawTheme({
    settings: [
      { settings: { foreground: hexOf(foreground) } },
      ...settings.map((entry) => ({
        ...(entry.scope === undefined ? {} : { scope: entry.scope }),
        settings: {
          ...(entry.settings.fontStyle === undefined ? {} : { fontStyle: entry.settings.fontStyle }),
          ...(entry.settings.foreground === undefined ? {} : { foreground: hexOf(entry.settings.foreground) }),
        },
      })),
    ],
  });
  const colors = Array.from(theme.getColorMap(), (hex = "") => placeholders.get(hex) ?? hex.toLowerCase());
  return { theme, colors, foreground: colors[theme.getDefaults().foregroundId]!, background };
}

/** Some themes have rules without a style, which are left out. */
const settingsOf = (raw: RawTheme): ThemeSetting[] =>
  (raw.settings ?? raw.tokenColors ?? []).filter((rule): rule is ThemeSetting => rule.settings !== undefined);

/** A theme whose colours are variables of the site's style sheet, with the page's colours as fallbacks. */
async function cssVariablesTheme(): Promise<RawTheme> {
  const { createCssVariablesTheme } = await import("shiki/core");
  const fallbacks: Readonly<Record<string, string>> = {
    "color-text": "var(--color-text)",
    "token-comment": "var(--color-muted)",
    "token-keyword": "var(--color-danger)",
    "token-constant": "var(--color-note)",
    "token-function": "var(--color-note)",
    "token-link": "var(--color-note)",
    "token-string": "var(--color-tip)",
    "token-string-expression": "var(--color-tip)",
  };
  const own = (color: string): string => {
    const name = /^var\(--mint-([\w-]+)/.exec(color)?.[1];
    if (name === undefined) return color;
    const variable = name === "foreground" ? "color-text" : name === "background" ? "color-background" : name;
    return `var(--mint-${variable}, ${fallbacks[variable] ?? "currentColor"})`;
  };
  const raw = createCssVariablesTheme({ variablePrefix: "--mint-", variableDefaults: {}, fontStyle: true }) as RawTheme;
  return {
    ...raw,
    fg: own("var(--mint-foreground)"),
    bg: "var(--mint-color-background, var(--color-sunken))",
    settings: settingsOf(raw).map((entry) => ({
      ...entry,
      settings: {
        ...entry.settings,
        ...(entry.settings.foreground === undefined ? {} : { foreground: own(entry.settings.foreground) }),
      },
    })),
  };
}
