/**
 * Site styles that paint the parts of our pages: the text on them gets the shades that are readable there. What a rule
 * paints is read from its text, with variables, in both modes; selectors and conditions are used as they are written.
 */
import { type CssColor, transform } from "lightningcss";
import * as shades from "../../lib/color.js";
import { hooks } from "../../page/theme/chrome/hooks.js";
import componentNames from "./component-names.json" with { type: "json" };
import type { Mode, SiteColors } from "./site-css.js";

const modes = ["light", "dark"] as const;
const textNames = ["heading", "text", "muted", "faint", "primary"] as const;
const minContrast = 4.5;

/** Ids, classes and component names of our pages and the vendor's. */
const partNames: ReadonlySet<string> = new Set([
  ...Object.keys(hooks).map((hook) => hook.slice(1)),
  ...componentNames,
  "topbar-cta-button",
]);

/** Parts with one text colour, which is made for the brand's colour. */
const brandPart = /#banner|topbar-cta-button|primary-header-button/;

/** The layer of the button, whose words are in the element after it. */
const layer = /(?:\.bg-primary-dark|#topbar-cta-button\s*>\s*a\s*>\s*span(?:\.absolute)?)(?::hover)?$/;

/** A box of a utility class, as `utilityCss` writes it. Classes of the site's own may be decoration, which stays as it is. */
const isBox = /\.(?:dark\\:)?bg-\S*\[class\]/;

/** A selector of a rule that paints one of our parts. */
interface Surface {
  readonly rule: CssRule;
  readonly selector: string;
  readonly important: boolean;
  /** The ids and classes that the elements have. */
  readonly names: readonly string[];
  /** What is painted in each mode: every stop of a gradient; undefined if unknown or if the selector is for the other mode. */
  readonly grounds: Readonly<Record<Mode, readonly shades.Rgb[] | undefined>>;
}

/** @param primary the brand's colour as text, in each mode. */
export function surfaceCss(
  texts: Iterable<string>,
  colors: SiteColors,
  primary: Readonly<Record<Mode, shades.Rgb | undefined>>,
): string {
  const rules = [...texts].flatMap(readRules);
  const paletteOf = (mode: Mode): ReadonlyMap<string, shades.Rgb> =>
    new Map([...colors[mode].all, ...(primary[mode] ? [["primary", primary[mode]] as const] : [])]);
  const palettes = { light: paletteOf("light"), dark: paletteOf("dark") };
  const surfaces = surfacesOf(rules, palettes);
  // A rule that leaves text readable matters too, where it wins over another one that does not.
  const unreadable = { light: new Set<string>(), dark: new Set<string>() };
  for (const { selector, names, grounds } of surfaces)
    for (const mode of modes)
      if (grounds[mode] && (brandPart.test(selector) || !isReadable(palettes[mode], grounds[mode])))
        for (const name of names) unreadable[mode].add(name);
  const css = surfaces.flatMap(({ rule, selector, names, grounds, important }) => {
    const [light, dark] = modes.map((mode) =>
      grounds[mode] && names.some((name) => unreadable[mode].has(name))
        ? declarationsOn(grounds[mode], palettes, brandPart.test(selector), important)
        : undefined,
    );
    const words = selector.replace(layer, "$&+div");
    const blocks =
      light?.own === dark?.own
        ? [block(words, light)]
        : [block(`${words}:where(html:not(.dark) *)`, light), block(`${words}:where(.dark *)`, dark)];
    const own = blocks.join("");
    return own === "" ? [] : [within(rule.conditions, own)];
  });
  const moved = rules.filter(movesLanguages).map(({ conditions }) => within(conditions, roomForLanguages));
  return [
    ...(css.length > 0 ? ['@property --on-surface{syntax:"*";inherits:false}'] : []),
    ...css,
    ...new Set(moved),
  ].join("\n");
}

const within = (conditions: readonly string[], css: string): string =>
  conditions.reduceRight((inner, condition) => `${condition}{${inner}}`, css);

/** Whether a rule takes the menu of languages out of its place, to another one in the row of the header. */
const movesLanguages = ({ selectors, declarations }: CssRule): boolean =>
  selectors.some((selector) => selector.endsWith("#localization-select-trigger")) &&
  declarations.some((each) => /^\s*position\s*:\s*absolute\b/i.test(each));

/** The vendor's menu has no box of its own: its place is counted from the edges of the row. */
const roomForLanguages =
  ".navbar{position:relative;padding-inline:0;margin-inline:max(var(--gutter),(100% - var(--page-width))/2 + var(--gutter))}" +
  ".navbar .menu-language{display:contents}.navbar .menu-language>.menu-panel{min-width:11rem}";

function surfacesOf(
  rules: readonly CssRule[],
  palettes: Readonly<Record<Mode, ReadonlyMap<string, shades.Rgb>>>,
): readonly Surface[] {
  const variables = readVariables(rules);
  const cache = new Map<string, readonly shades.Rgb[] | undefined>();
  const paintedIn = (value: string, mode: Mode): readonly shades.Rgb[] | undefined => {
    const resolved = resolveVariables(value, (name) => {
      const own = variables[mode].get(name) ?? variables.both.get(name);
      const ours = palettes[mode].get(name.slice("--color-".length));
      return own ?? (ours && name.startsWith("--color-") ? shades.toHex(ours) : undefined);
    });
    const key = `${mode} ${resolved}`;
    if (!cache.has(key))
      cache.set(key, resolved === undefined ? resolved : stopsOf(resolved, mode, palettes[mode].get("bg")!));
    return cache.get(key);
  };
  return rules.flatMap((rule) => {
    const written = backgroundOf(rule);
    if (written === undefined) return [];
    return rule.selectors.flatMap((whole): Surface[] => {
      const selector = whole.replace(/::?(?:before|after)$/i, "");
      // A layer of decoration is below the text only if it fills its element.
      if (selector !== whole && !rule.declarations.some((each) => /^\s*inset\s*:\s*0/.test(each))) return [];
      const names = [...selector.matchAll(/[#.]?([a-z][\w-]*)/gi)].map(([, name]) => name!);
      if (/::|&/.test(selector) || !(names.some((name) => partNames.has(name)) || isBox.test(selector))) return [];
      const subject = selector.slice(selector.search(/[^\s>+~]+$/));
      const only = modeOf(rule, selector);
      const groundsIn = (mode: Mode) => (only && only !== mode ? undefined : paintedIn(written.value, mode));
      return [
        {
          rule,
          selector,
          important: written.important,
          names: [...subject.matchAll(/(?<![:\w-])[#.]?[a-z][\w-]*/gi)]
            .map(([name]) => name)
            .filter((name) => name !== ".dark"),
          grounds: { light: groundsIn("light"), dark: groundsIn("dark") },
        },
      ];
    });
  });
}

/** The mode that a rule is limited to. */
function modeOf({ conditions }: CssRule, selector: string): Mode | undefined {
  if (/:not\(\s*\.dark|\.light\b|=\s*["']?light\b/.test(selector)) return "light";
  if (/\.dark\b|=\s*["']?dark\b/.test(selector)) return "dark";
  const scheme = /prefers-color-scheme\s*:\s*(light|dark)/.exec(conditions.join(" "))?.[1];
  return scheme as Mode | undefined;
}

function backgroundOf({ declarations }: CssRule): { readonly value: string; readonly important: boolean } | undefined {
  let last: { value: string; important: boolean } | undefined;
  for (const each of declarations) {
    const value = each.length < 2000 && /^\s*background(?:-color|-image)?\s*:(.*)$/is.exec(each)?.[1];
    if (!value) continue;
    const important = /!\s*important/i.test(value);
    // A picture over a colour: the author chose the colour below it.
    if (/url\(/i.test(value) && last !== undefined) continue;
    last = { value: value.replace(/!\s*important/i, "").trim(), important };
  }
  return last;
}

/** Custom properties of the whole page, by mode. */
function readVariables(rules: readonly CssRule[]): Readonly<Record<Mode | "both", ReadonlyMap<string, string>>> {
  const variables = {
    light: new Map<string, string>(),
    dark: new Map<string, string>(),
    both: new Map<string, string>(),
  };
  for (const rule of rules)
    for (const selector of rule.selectors) {
      if (!/^(?:html|body|:root|\*|\.dark|\.light|\[data-)/.test(selector) || /[\s>+~](?!body$)/.test(selector))
        continue;
      for (const each of rule.declarations) {
        const [, name, value] = /^\s*(--[\w-]+)\s*:(.*)$/s.exec(each) ?? [];
        if (name && value!.length < 500) variables[modeOf(rule, selector) ?? "both"].set(name, value!.trim());
      }
    }
  return variables;
}

/** The value with its variables filled in; undefined if one is unknown. */
function resolveVariables(value: string, variableNamed: (name: string) => string | undefined): string | undefined {
  let text = value;
  for (let round = 0; round < 16 && text.length < 2000; round++) {
    const next = text.replace(
      /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g,
      (whole, name: string, fallback?: string) => variableNamed(name) ?? fallback ?? whole,
    );
    if (next === text) break;
    text = next;
  }
  return /var\(/.test(text) || text.length >= 2000 ? undefined : text;
}

/** The colours of a background over the page; undefined if they are unknown. */
function stopsOf(value: string, mode: Mode, page: shades.Rgb): readonly shades.Rgb[] | undefined {
  const stops: (readonly [shades.Rgb, number] | undefined)[] = [];
  try {
    transform({
      filename: "background.css",
      code: Buffer.from(`a{background:${value}}`),
      visitor: { Color: (color) => void stops.push(rgbOf(color, mode)) },
    });
  } catch {
    return undefined;
  }
  if (/url\(/i.test(value)) return undefined;
  // A gradient has a transparent colour below it.
  const isGradient = /gradient\(/i.test(value) && !/transparent/i.test(value);
  const painted = stops.filter((stop) => !(isGradient && stop?.[1] === 0));
  if (painted.length === 0 || painted.includes(undefined)) return /^none$/i.test(value) ? [page] : undefined;
  return painted.map((stop) => shades.mix(page, stop![0], stop![1]));
}

function rgbOf(color: CssColor, mode: Mode): readonly [shades.Rgb, number] | undefined {
  if (typeof color === "string") return undefined;
  switch (color.type) {
    case "rgb":
      return [[color.r, color.g, color.b], color.alpha];
    case "oklab":
      return [shades.fromOklab([color.l, color.a, color.b]), color.alpha];
    case "oklch": {
      const angle = (color.h / 180) * Math.PI;
      return [shades.fromOklab([color.l, color.c * Math.cos(angle), color.c * Math.sin(angle)]), color.alpha];
    }
    case "light-dark":
      return rgbOf(color[mode], mode);
    default:
      return undefined;
  }
}

const lowest = (text: shades.Rgb, grounds: readonly shades.Rgb[]): number =>
  Math.min(...grounds.map((ground) => shades.contrast(text, ground)));

const isReadable = (palette: ReadonlyMap<string, shades.Rgb>, grounds: readonly shades.Rgb[]): boolean =>
  textNames.every((name) => !palette.has(name) || lowest(palette.get(name)!, grounds) >= minContrast);

/** Text colours for these grounds, and surfaces for menus and fields in them. A scrim evens out what no text suits. */
function declarationsOn(
  grounds: readonly shades.Rgb[],
  palettes: Readonly<Record<Mode, ReadonlyMap<string, shades.Rgb>>>,
  isBrandPart: boolean,
  important: boolean,
): Readonly<Record<"own" | "text", string>> {
  const sorted = [shades.textOn(grounds[0]!), shades.white, shades.black].sort(
    (a, b) => lowest(b, grounds) - lowest(a, grounds),
  );
  const passing = [shades.white, shades.textOn(grounds[0]!), shades.black].find(
    (text) => lowest(text, grounds) >= minContrast,
  );
  const ink = passing ?? sorted[0]!;
  const scrim = shades.isLight(ink) ? shades.black : shades.white;
  let share = 0;
  while (
    share < 1 &&
    lowest(
      ink,
      grounds.map((ground) => shades.mix(ground, scrim, share)),
    ) < minContrast
  )
    share += 0.05;
  const seen = grounds.map((ground) => shades.mix(ground, scrim, share));
  const own: string[] = [`--on-surface:${shades.toHex(ink)}`];
  if (share > 0) own.push(`box-shadow:inset 0 0 0 100vmax rgb(${scrim.join(" ")}/${share.toFixed(2)})`);
  if (!isBrandPart) {
    const palette = palettes[shades.isLight(seen[0]!) ? "light" : "dark"];
    for (const [name, to] of Object.entries({
      bg: 0,
      surface: 0,
      sunken: 0.03,
      hover: 0.06,
      border: 0.12,
      "border-strong": 0.2,
    }))
      own.push(`--color-${name}:${shades.toHex(shades.mix(seen[0]!, ink, to))}`);
    for (const name of textNames)
      if (palette.has(name))
        own.push(`--color-${name}:${shades.toHex(shades.readableOn(palette.get(name)!, seen, 4.6))}`);
  }
  const text = isBrandPart ? shades.toHex(ink) : "var(--color-text)";
  return { own: own.map((each) => (important ? `${each}!important` : each)).join(";"), text };
}

/** An element without a colour of its own inherits one that was chosen for another ground. */
const block = (selector: string, style: ReturnType<typeof declarationsOn> | undefined): string =>
  style === undefined ? "" : `${selector}{${style.own}}:where(${selector}){color:${style.text}}`;

/** A style rule as it is written. */
export interface CssRule {
  /** The conditions around it, from the outside: `@media print`. */
  readonly conditions: readonly string[];
  readonly selectors: readonly string[];
  /** `name: value`, in order. */
  readonly declarations: readonly string[];
}

/** Also matches whole strings, addresses and escapes, so that braces in them do not count. */
const syntax = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\([^)"']*\)?|\\.|[{};]/gis;

/**
 * The style rules of a sheet, in order. Rules in other rules and in blocks that are no conditions (`@keyframes`) are left
 * out; layers count as if they were not there.
 */
export function readRules(css: string): readonly CssRule[] {
  const text = css.replace(/\/\*.*?(?:\*\/|$)/gs, " ");
  const rules: CssRule[] = [];
  /** `inside`: the conditions of the rules in this block; undefined in a block whose rules are left out. */
  const open: { readonly inside?: readonly string[]; readonly declarations?: string[] }[] = [];
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(syntax)) {
    if (!/^[{};]$/.test(sign)) continue;
    const part = text.slice(start, index).trim();
    start = index + 1;
    if (sign !== "{") {
      if (part !== "") open.at(-1)?.declarations?.push(part);
      if (sign === "}") open.pop();
      continue;
    }
    const outer = open.length === 0 ? [] : open.at(-1)!.inside;
    if (outer === undefined || outer.length > maxConditions) open.push({});
    else if (/^@layer\b/i.test(part)) open.push({ inside: outer });
    else if (condition.test(part)) open.push({ inside: [...outer, part] });
    else if (part.startsWith("@")) open.push({});
    else {
      const declarations: string[] = [];
      open.push({ declarations });
      rules.push({ conditions: outer, selectors: splitSelectors(part), declarations });
    }
  }
  return rules;
}

const condition = /^@(?:media|supports|container)\b/i;
/** Rules inside more nested conditions are not read. */
const maxConditions = 16;

/** Longer selectors are not read. */
const longestSelector = 500;

/** At the commas that are not in brackets. */
function splitSelectors(list: string): string[] {
  const selectors: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= list.length; at++) {
    const letter = list[at];
    if (letter === "(" || letter === "[") depth++;
    else if (letter === ")" || letter === "]") depth--;
    else if (letter === undefined || (letter === "," && depth === 0)) {
      selectors.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  return selectors.filter((selector) => selector !== "" && selector.length <= longestSelector);
}
