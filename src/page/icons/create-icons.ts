import type { Element, ElementContent } from "hast";
import { type Diagnostic, type LikelyName, likelyName, warningOf } from "../../lib/diagnostic/index.js";
import { rawShapes } from "../../lib/jsx/raw.js";
import { createMemo } from "../../lib/memo.js";
import type { IconLibrary } from "../../site/config/index.js";
import type { IconChoice, IconPort } from "../render/index.js";
import { type IconSetName, type IconShape, iconSet } from "./icon-set.js";
import meaningNames from "./meanings.json" with { type: "json" };
import standInNames from "./stand-ins.json" with { type: "json" };
import { cleanSvg } from "./svg-source.js";

/** Renders icons as inline SVG in the colour of the text around them. A set is read when its first icon is needed. */
export function createIcons(options: { readonly library: IconLibrary }): IconPort {
  const icons = createMemo<ReturnType<IconPort["icon"]>>(1000);
  return {
    icon(choice, location) {
      const library = choice.library ?? options.library;
      const key = `${library} ${choice.style ?? ""} ${choice.name}`;
      const result = icons(key, () => findIcon(choice, library));
      if (result.diagnostics.length === 0 || !location) return result;
      return { ...result, diagnostics: result.diagnostics.map((diagnostic) => ({ ...diagnostic, location })) };
    },
  };
}

function findIcon(choice: IconChoice, library: IconLibrary): ReturnType<IconPort["icon"]> {
  const written = choice.name.trim();
  if (written === "") return { diagnostics: [] };
  if (written.startsWith("<")) {
    const node = fromSource(written);
    return node ? { node, diagnostics: [] } : unknown(written.slice(0, 40), undefined, library);
  }
  if (isPicture(written)) return { node: picture(written), diagnostics: [] };
  if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(written) && written.length <= 32)
    return { node: emoji(written), diagnostics: [] };
  const { name, style } = readName(written, choice.style);
  for (const spelling of new Set([name, plainSpelling(written)]))
    for (const [set, setName] of places(spelling, style, written, library)) {
      const shape = iconSet(set).find(setName);
      if (shape) return { node: { ...fromShape(shape), data: { iconName: plainSpelling(written) } }, diagnostics: [] };
    }
  const near = nearestMeaning(name, style, written, library);
  if (near)
    return {
      ...unknown(written, { name: near.name, certain: false }, library),
      node: { ...fromShape(near.shape), data: { iconName: near.name } },
    };
  const names = setsOf(library).flatMap((set) => iconSet(set).namesLike(name));
  const spelled = likelyName(name, names);
  return unknown(
    written,
    spelled && (spelled.certain || isMisspelt(name, spelled.name)) ? spelled : undefined,
    library,
  );
}

interface NearIcon {
  readonly name: string;
  readonly shape: IconShape;
}

/**
 * The icon nearest in meaning to a name that no set has. A name begins with the main object and ends with additions, so
 * `building-memo` is a `building`. If it begins with a frame (`circle-…`), the end matters more.
 */
function nearestMeaning(name: string, style: string, written: string, library: IconLibrary): NearIcon | undefined {
  const words = name.split("-").slice(0, maxWords);
  const fewer = Array.from({ length: words.length - 1 }, (_, i) => i + 1);
  const starts = fewer.map((count) => words.slice(0, -count).join("-"));
  const ends = fewer.map((count) => words.slice(count).join("-"));
  const parts = frames.has(words[0]!) ? [...ends, ...starts] : [...starts, ...ends];
  const alike = [name, ...parts].flatMap((part) => [meanings.get(part) ?? part, part.replace(/s$/, "")]);
  for (const part of alike)
    for (const [set, setName] of places(part, style, written, library)) {
      // A brand icon does not show the thing that the brand is named after.
      if (set === "fa7-brands" || set === "simple-icons" || setName.startsWith("brand-")) continue;
      const shape = iconSet(set).find(setName);
      if (shape && (setName.length > 1 || meanings.has(name))) return { name: part, shape };
    }
  return undefined;
}

const maxWords = 8;
const frames = new Set(["circle", "square", "rectangle", "hexagon", "octagon", "diamond", "triangle"]);

/** Whether a name differs from a real one only in long words. A short word with another letter is another word. */
function isMisspelt(name: string, real: string): boolean {
  const words = name.split("-");
  const others = real.split("-");
  return (
    words.length === others.length &&
    words.every((word, i) => word === others[i] || (word.length > 4 && others[i]!.length > 4))
  );
}

const lists: Readonly<Record<IconLibrary, string>> = {
  fontawesome: "fontawesome.com/icons",
  lucide: "lucide.dev/icons",
  tabler: "tabler.io/icons",
};

function unknown(name: string, nearest: LikelyName | undefined, library: IconLibrary): ReturnType<IconPort["icon"]> {
  const diagnostic: Diagnostic = {
    ...warningOf("ICON_NOT_FOUND"),
    what: `There is no icon "${name}".`,
    fix: nearest === undefined ? `choose a name from ${lists[library]}.` : `write "${nearest.name}".`,
    ...(nearest !== undefined && {
      rewrites: [{ written: name, replacement: nearest.name, certain: nearest.certain }],
    }),
  };
  return { node: neutral, diagnostics: [diagnostic] };
}

/** Splits `fa-solid fa-rocket`, `fas fa-rocket`, `fa-rocket` or `lucide:rocket` into name and style. */
function readName(written: string, chosen: string | undefined): { name: string; style: string } {
  const words = written.toLowerCase().split(/\s+/);
  const styleWord = words.length > 1 ? words.find((word) => stylePrefixes.has(word)) : undefined;
  const last = words.findLast((word) => !stylePrefixes.has(word)) ?? words.join("-");
  const name = (words.length > 1 && !styleWord ? words.join("-") : last)
    .replace(/^(?:fa|lucide|tabler|fontawesome|simple-icons):/, "")
    .replace(/^fa-/, "");
  return {
    name: formerNames.get(name) ?? name,
    style: (chosen ?? stylePrefixes.get(styleWord ?? "") ?? "").toLowerCase(),
  };
}

const stylePrefixes: ReadonlyMap<string, string> = new Map(
  "fa: fas:solid far:regular fal:light fat:thin fad:duotone fab:brands fa-solid:solid fa-regular:regular fa-light:light fa-thin:thin fa-duotone:duotone fa-brands:brands fa-sharp:sharp-solid"
    .split(" ")
    .map((pair) => pair.split(":") as [word: string, style: string]),
);

/** Converts other spellings to ours: `rocket_launch`, `RocketLaunch`, `ph:rocket-launch-bold`, `bi bi-gear-fill`. */
const plainSpelling = (written: string): string =>
  written
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "-")
    .toLowerCase()
    .replace(/^.*[\s:/]/, "")
    .replaceAll("_", "-")
    .replace(/^(?:bi|ri|ti|ph|pi|mdi?|uil|bxs?|las?|hi|fi|fa|lu|tb|octicon|lucide|tabler|heroicons?)-/, "")
    .replace(/-(?:outlined?|round(?:ed)?|sharp|fill(?:ed)?|line|solid|bold|duotone|light|thin|regular|icon)$/, "");

const setsOf = (library: IconLibrary): IconSetName[] =>
  library === "fontawesome" ? ["fa7-solid", "fa7-brands"] : [library];

/** The names of a library's icons that begin with `start`, which must not be empty. */
export const iconNames = (library: IconLibrary, start: string): string[] =>
  setsOf(library)
    .flatMap((set) => iconSet(set).namesLike(start))
    .filter((name) => name.startsWith(start));

type IconLocation = readonly [set: IconSetName, name: string];

/** Where to search for a name, in this order: the chosen library, its stand-ins, the other libraries. */
function places(name: string, style: string, written: string, library: IconLibrary): IconLocation[] {
  const fontAwesome = fontAwesomeSets(style).map((set): IconLocation => [set, name]);
  const lucide: IconLocation[] = [["lucide", name]];
  const tabler: IconLocation[] = [
    ["tabler", name],
    ["tabler", `brand-${name}`],
  ];
  const standIn = standIns.get(name) ?? signStandIn(name);
  const brands: IconLocation[] = [
    ["fa7-brands", name],
    ["simple-icons", name.replaceAll(/[^a-z\d]/g, "")],
  ];
  const owner = /^(lucide|tabler)[:-]/.exec(written.toLowerCase())?.[1] ?? library;
  const substitutes: IconLocation[] =
    standIn === undefined
      ? []
      : standIn.includes(":")
        ? [standIn.split(":") as [IconSetName, string]]
        : fontAwesomeSets(style).map((set) => [set, standIn]);
  if (owner === "lucide") return [...lucide, ...substitutes, ...fontAwesome, ...tabler, ...brands];
  if (owner === "tabler") return [...tabler, ...substitutes, ...lucide, ...fontAwesome, ...brands];
  return [...fontAwesome, ...substitutes, ...lucide, ...tabler, ...brands];
}

/** The free sets nearest to a style, which may be a Pro style. Without a style, brands come first. */
function fontAwesomeSets(style: string): IconSetName[] {
  if (style === "brands") return ["fa7-brands", "fa7-solid"];
  if (style === "") return ["fa7-brands", "fa7-regular", "fa7-solid"];
  return /solid|duotone/.test(style)
    ? ["fa7-solid", "fa7-regular", "fa7-brands"]
    : ["fa7-regular", "fa7-solid", "fa7-brands"];
}

/** Default size in pixels; style sheets may change it. */
const size = 16;

function fromShape({ body, width, height }: IconShape): Element {
  const properties = {
    className: ["icon"],
    width: size,
    height: size,
    viewBox: `0 0 ${width} ${height}`,
    ariaHidden: "true",
  };
  return { type: "element", tagName: "svg", properties, children: [rawShapes(body)] };
}

/** A dot in place of a missing icon, so that rows stay aligned. */
const neutral = fromShape({ width: size, height: size, body: '<circle cx="8" cy="8" r="2.5" fill="currentColor"/>' });

function fromSource(source: string): Element | undefined {
  const svg = cleanSvg(source);
  if (!svg) return undefined;
  const { width = size, height = size, ...attributes } = svg.attributes;
  const properties = { className: ["icon"], width, height, ...attributes, ariaHidden: "true" };
  return { type: "element", tagName: "svg", properties, children: [rawShapes(svg.body)] };
}

const isPicture = (name: string): boolean =>
  /^(?:https?:)?\/|^\.{1,2}\//i.test(name) || /\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i.test(name);

const picture = (source: string): ElementContent => ({
  type: "element",
  tagName: "img",
  properties: { className: ["icon", "icon-image"], src: source, alt: "", width: size, height: size },
  children: [],
});

const emoji = (text: string): ElementContent => ({
  type: "element",
  tagName: "span",
  properties: { className: ["icon", "icon-emoji"], ariaHidden: "true" },
  children: [{ type: "text", value: text }],
  data: { iconName: text },
});

/**
 * The nearest free icon for names that the installed sets lack (of Font Awesome Pro, Heroicons, Material, Phosphor,
 * Bootstrap): a name of Font Awesome, or `set:name`. A map, because any name can be looked up and objects inherit some.
 */
export const standIns: ReadonlyMap<string, string> = byName(standInNames);

/** Icons of the same meaning for words that are not an icon's name in any library. */
const meanings: ReadonlyMap<string, string> = byName(meaningNames);

function byName(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([target, names]) => names.split(" ").map((name) => [name, target] as const)),
  );
}

/** The stand-in for `circle-1`, `square-k` and the like, for all letters and digits. */
export function signStandIn(name: string): string | undefined {
  const match = /^(circle|square)-([a-z]|\d)$/.exec(name);
  return match ? `tabler:${match[1]}-${/\d/.test(match[2]!) ? "number" : "letter"}-${match[2]}` : undefined;
}

/** Today's names of icons that Font Awesome 4 called otherwise. */
export const formerNames: ReadonlyMap<string, string> = new Map([
  ["envelope-o", "envelope"],
  ["picture-o", "image"],
  ["photo", "image"],
]);
