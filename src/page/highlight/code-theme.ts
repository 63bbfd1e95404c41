import { Theme } from "shiki/textmate";
import { bundledThemes } from "shiki/themes";
import { createRecent } from "../../lib/memo.js";

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

/** Backgrounds that the default themes have in docs.json, other than in Shiki. */
const defaultBackgrounds: Readonly<Record<string, string>> = {
  "github-light-default": "#ffffff",
  "dark-plus": "#0b0c0e",
};

export const isCodeTheme = (name: string): boolean => name === "css-variables" || Object.hasOwn(bundledThemes, name);

/** Several exports and previews of a process use the same few themes. */
const loadedThemes = createRecent<CodeTheme>(8);

/** @throws {RangeError} for a name that `isCodeTheme` does not know; the configuration stage reports those. */
export const loadCodeTheme = (name: string): Promise<CodeTheme> => loadedThemes(name, () => load(name));

async function load(name: string): Promise<CodeTheme> {
  if (name === "css-variables") return readTheme(await cssVariablesTheme());
  const loadRaw = Object.hasOwn(bundledThemes, name) ? bundledThemes[name as keyof typeof bundledThemes] : undefined;
  if (!loadRaw) throw new RangeError(`There is no code theme "${name}".`);
  const theme = readTheme((await loadRaw()).default as RawTheme);
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
    const placeholder = [...placeholders].find(([, value]) => value === color)?.[0];
    if (placeholder === undefined) placeholders.set(hex, color);
    return placeholder ?? hex;
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

/** The rules of a theme; those without a style are dropped. */
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
  const siteVariable = (color: string): string => {
    const name = /^var\(--mint-([\w-]+)/.exec(color)?.[1];
    if (name === undefined) return color;
    const variable = name === "foreground" ? "color-text" : name === "background" ? "color-background" : name;
    return `var(--mint-${variable}, ${fallbacks[variable] ?? "currentColor"})`;
  };
  const raw = createCssVariablesTheme({ variablePrefix: "--mint-", variableDefaults: {}, fontStyle: true }) as RawTheme;
  return {
    ...raw,
    fg: siteVariable("var(--mint-foreground)"),
    bg: "var(--mint-color-background, var(--color-sunken))",
    settings: settingsOf(raw).map((entry) => ({
      ...entry,
      settings: {
        ...entry.settings,
        ...(entry.settings.foreground === undefined ? {} : { foreground: siteVariable(entry.settings.foreground) }),
      },
    })),
  };
}

/** Maps a path of scopes to the style of two themes, so that one pass finds both colours of a token. */
export class PairTheme {
  /** Opening tag by style number; empty for text in the default colours. Number 0 is unused. */
  readonly openTags: string[] = [""];
  /** Styles whose underline or line-through is visible on blanks. */
  readonly visibleOnBlanks: boolean[] = [false];
  private readonly numbers = new Map<string, number>();
  private roots = new Map<string, Scope>();
  private scopeCount = 0;
  private readonly base: Style;

  /** @param dark absent: `light` is used in both modes. */
  constructor(
    private readonly light: CodeTheme,
    private readonly dark: CodeTheme | undefined,
  ) {
    const lightDefaults = light.theme.getDefaults();
    const darkDefaults = (dark ?? light).theme.getDefaults();
    this.base = {
      lightColor: lightDefaults.foregroundId,
      lightFont: lightDefaults.fontStyle,
      darkColor: darkDefaults.foregroundId,
      darkFont: darkDefaults.fontStyle,
    };
    this.numberOf(this.base);
  }

  /** Drops the cached scopes, but keeps the style numbers. */
  clear(): void {
    this.roots = new Map();
  }

  /** The scope of a whole block. */
  root(scopeName: string): Scope {
    return this.inner(undefined, scopeName);
  }

  /** Returns the same object each time, until `clear`. */
  inner(parent: Scope | undefined, scopeName: string): Scope {
    const siblings = parent?.children ?? this.roots;
    let scope = siblings.get(scopeName);
    if (!scope) {
      const style = this.styleOf({ scopeName, parent: parent ?? null }, parent?.style ?? this.base);
      scope = new Scope(this, ++this.scopeCount, parent ?? null, scopeName, style, this.numberOf(style));
      siblings.set(scopeName, scope);
    }
    return scope;
  }

  private styleOf(path: Pick<Scope, "scopeName" | "parent">, outer: Style): Style {
    const light = this.light.theme.match(path as never);
    const dark = this.dark ? this.dark.theme.match(path as never) : light;
    return {
      lightColor: light?.foregroundId || outer.lightColor,
      lightFont: light && light.fontStyle !== -1 ? light.fontStyle : outer.lightFont,
      darkColor: dark?.foregroundId || outer.darkColor,
      darkFont: dark && dark.fontStyle !== -1 ? dark.fontStyle : outer.darkFont,
    };
  }

  private numberOf(style: Style): number {
    const key = `${style.lightColor},${style.lightFont},${style.darkColor},${style.darkFont}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.openTags.length;
      this.numbers.set(key, number);
      const names = this.classNames(style);
      this.openTags.push(names === "" ? "" : `<span class="${names}">`);
      this.visibleOnBlanks.push(((style.lightFont | style.darkFont) & 12) !== 0);
    }
    return number;
  }

  private classNames(style: Style): string {
    const names: string[] = [];
    if (style.lightColor !== this.base.lightColor) names.push(colorClass("l", style.lightColor));
    if (this.dark && style.darkColor !== this.base.darkColor) names.push(colorClass("d", style.darkColor));
    for (const [bit, letter] of fontStyles) {
      if (style.lightFont & bit) names.push(`l${letter}`);
      if (this.dark && style.darkFont & bit) names.push(`d${letter}`);
    }
    return names.join(" ");
  }
}

/** `l3` is colour 3 of the light theme, `d3` of the dark one. */
export const colorClass = (mode: "l" | "d", color: number): string => `${mode}${color}`;

/** Bit of a font style, letter of its class (`li` is italic in the light theme), and rule. */
export const fontStyles = [
  [1, "i", "font-style:italic"],
  [2, "b", "font-weight:700"],
  [4, "u", "text-decoration:underline"],
  [8, "s", "text-decoration:line-through"],
] as const;

interface Style {
  readonly lightColor: number;
  readonly lightFont: number;
  readonly darkColor: number;
  readonly darkFont: number;
}
/** A scope with its ancestors and their combined style. */
export class Scope {
  readonly children = new Map<string, Scope>();

  constructor(
    private readonly theme: PairTheme,
    readonly id: number,
    readonly parent: Scope | null,
    readonly scopeName: string,
    readonly style: Style,
    /** Number of the style. */
    readonly look: number,
  ) {}

  /** @param names separated by blanks, outermost first. */
  push(names: string | undefined): Scope {
    if (names === undefined) return this;
    if (!names.includes(" ")) return this.theme.inner(this, names);
    return names.split(" ").reduce((scope: Scope, name) => this.theme.inner(scope, name), this);
  }
}
