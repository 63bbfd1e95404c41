import type { CodeTheme } from "./code-theme.js";

/**
 * Two themes as one, so that a single pass gives both colours of a token. Grammars ask a theme for the style of a
 * path of scopes; this one answers with the number of a whole style, which travels in the bits meant for one colour.
 * The two themes are asked apart from each other, so that neither's rules can hide the other's.
 */
export class PairTheme {
  /** Opening tag by number of the style; empty for text in the default colours. Number 0 is unused. */
  readonly openTags: string[] = [""];
  /** Styles whose underline or line-through shows on blanks too. */
  readonly visibleOnBlanks: boolean[] = [false];
  private readonly numbers = new Map<string, number>();
  private roots = new Map<string, Scope>();
  private scopeCount = 0;
  private readonly base: Style;

  /** Without `dark`, `light` is meant for both modes. */
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

  /** Forgets the scopes seen; the styles stay. */
  clear(): void {
    this.roots = new Map();
  }

  /** A scope that stands around a whole block. */
  root(scopeName: string): Scope {
    return this.inner(undefined, scopeName);
  }

  /** The same object each time, until `clear`. */
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

  private styleOf(path: Pick<Scope, "scopeName" | "parent">, around: Style): Style {
    const light = this.light.theme.match(path as never);
    const dark = this.dark ? this.dark.theme.match(path as never) : light;
    return {
      lightColor: light?.foregroundId || around.lightColor,
      lightFont: light && light.fontStyle !== -1 ? light.fontStyle : around.lightFont,
      darkColor: dark?.foregroundId || around.darkColor,
      darkFont: dark && dark.fontStyle !== -1 ? dark.fontStyle : around.darkFont,
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
    for (const [bit, letter] of fontLetters) {
      if (style.lightFont & bit) names.push(`l${letter}`);
      if (this.dark && style.darkFont & bit) names.push(`d${letter}`);
    }
    return names.join(" ");
  }
}

/** `l3`: colour 3 of the light theme; `d3`: of the dark one. */
export const colorClass = (mode: "l" | "d", color: number): string => `${mode}${color}`;

/** Bits of a font style and the letter of their class: `li` is italic in the light theme. */
export const fontLetters: readonly (readonly [number, string])[] = [
  [1, "i"],
  [2, "b"],
  [4, "u"],
  [8, "s"],
];

interface Style {
  readonly lightColor: number;
  readonly lightFont: number;
  readonly darkColor: number;
  readonly darkFont: number;
}
/** A scope with those around it and the style they have together. */
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

  /** @param names with blanks between them, the outermost first. */
  push(names: string | undefined): Scope {
    if (names === undefined) return this;
    if (!names.includes(" ")) return this.theme.inner(this, names);
    return names.split(" ").reduce((scope: Scope, name) => this.theme.inner(scope, name), this);
  }
}
