import type { Properties } from "hast";
import { black, isLight, namedColors, parseHex, type Rgb, white } from "../../lib/color.js";
import { type Location, likelyName, nearestName, quoted, warningOf } from "../../lib/diagnostic/index.js";
import { isImageData, isUnsafeUrl } from "../../lib/url/index.js";
import type { PropValue } from "../content/index.js";
import { cssOf, safeCss } from "./css-urls.js";
import names from "./names.json" with { type: "json" };
import { fileFor, linkTo, reportUnsafe } from "./page-links.js";
import type { PageRender } from "./page-render.js";
import { isRecord } from "./prop-values.js";
import type { ExternalUse } from "./rendered-page.js";

export type Props = Readonly<Record<string, PropValue>>;

/** Properties of React that are not attributes in HTML. */
const notAttributes = new Set(["children", "key", "ref", "suppresshydrationwarning"]);

/** Attributes that contain HTML, which the renderer cannot filter. */
const alwaysDropped = new Set(["dangerouslysetinnerhtml", "srcdoc"]);
const hastNames = new Map([
  ["classname", "className"],
  ["class", "className"],
  ["htmlfor", "htmlFor"],
  ["defaultvalue", "value"],
  ["defaultchecked", "checked"],
]);

/** Converts attributes to hast properties. All that runs code is dropped, and values other than plain ones. */
export function attributesOf(page: PageRender, tagName: string, props: Props, location: Location): Properties {
  const properties: Properties = {};
  for (const [name, value] of Object.entries(props)) {
    const lower = name.toLowerCase();
    if (isHandler(lower) || alwaysDropped.has(lower)) {
      reportDroppedAttribute(page, tagName, name, location);
      continue;
    }
    if (notAttributes.has(lower) || !/^[a-z_:][\w:.-]*$/i.test(name)) continue;
    const attribute = attributeValue(page, tagName, lower, value, location);
    if (attribute !== undefined) properties[hastNames.get(lower) ?? name] = attribute;
    if (lower === "style" && typeof attribute === "string") setGround(page, properties, attribute);
  }
  return properties;
}

/** Marks an element that its author paints in one colour for both modes, so that its text is readable in both. */
function setGround({ collector }: PageRender, properties: Properties, css: string): void {
  const written = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]{1,40}?)\s*(?:;|!|$)/i.exec(css)?.[1]?.toLowerCase();
  if (written === undefined) return;
  const [, ...parts] = /^rgb\((\d{1,3})[ ,]+(\d{1,3})[ ,]+(\d{1,3})\)$/.exec(written) ?? [];
  const named = written === "white" ? white : written === "black" ? black : parseHex(written);
  const ground = parts.length === 3 ? (parts.map(Number) as unknown as Rgb) : named;
  if (!ground) return;
  properties["dataGround"] = isLight(ground) ? "light" : "dark";
  collector.hasGround = true;
}

function attributeValue(
  page: PageRender,
  tagName: string,
  name: string,
  value: PropValue,
  location: Location,
): string | number | true | undefined {
  if (name === "style") {
    const css = isRecord(value) ? cssOf(value) : value;
    if (typeof css !== "string" || css === "") return undefined;
    checkStyle(page, tagName, css, isRecord(value), location);
    const safe = safeCss(page, css, location);
    if (safe === undefined) reportDroppedAttribute(page, tagName, name, location);
    return safe;
  }
  if (typeof value === "string") return safeText(page, tagName, name, value, location);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "boolean") return isSpelledBoolean(name) ? String(value) : value || undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(" ");
  return undefined;
}

/** Whether booleans of the attribute are written as `true` and `false`. */
const isSpelledBoolean = (name: string): boolean =>
  /^(?:aria|data)-|^(?:contenteditable|draggable|spellcheck)$/.test(name);

function safeText(
  page: PageRender,
  tagName: string,
  name: string,
  value: string,
  location: Location,
): string | undefined {
  const role = addressRole(tagName, name);
  if (role === "link") return linkTo(page, value, location)?.href;
  if (role === "set") return safeSet(page, value, location);
  if (role !== undefined) return fileFor(page, value, role, location)?.src;
  if (addressNames.has(name) && isUnsafeUrl(value)) {
    reportUnsafe(page, value, location);
    return undefined;
  }
  // Masks, filters and markers of SVG. Most of them refer to another part of the same SVG.
  return /\burl\(\s*["']?(?!#)/i.test(value) && paintNames.has(name) ? safeCss(page, value, location) : value;
}

type AddressRole = "link" | "set" | ExternalUse["kind"];

/** The use of the address in an attribute, by attribute and element; `*` is any other element. */
const addressRoles = new Map<string, Readonly<Record<string, AddressRole>>>([
  ...["href", "xlinkhref", "xlink:href"].map(
    (name) => [name, { image: "image", feImage: "image", use: "image", link: "style", "*": "link" }] as const,
  ),
  ["src", { img: "image", input: "image", iframe: "embed", embed: "embed", script: "script", "*": "media" }],
  ["srcset", { "*": "set" }],
  ["poster", { "*": "image" }],
  ["background", Object.fromEntries("table thead tbody tfoot tr td th".split(" ").map((name) => [name, "image"]))],
  ["data", { object: "embed" }],
]);

/** The use of the address in an attribute; undefined if the attribute has no address that the bundle must resolve. */
function addressRole(tagName: string, name: string): AddressRole | undefined {
  const roles = addressRoles.get(name);
  return roles && (Object.hasOwn(roles, tagName) ? roles[tagName] : roles["*"]);
}

/** Attributes that hold an address, on any element. */
const addressNames: ReadonlySet<string> = new Set(names.addressAttributes.split(" "));

/** SVG attributes whose `url(…)` browsers resolve, by their names in HTML and in JSX. */
const paintNames: ReadonlySet<string> = new Set(names.paintAttributes.split(" "));

/** A `srcset` (`a.png 1x, b.png 2x`) with every address resolved. */
function safeSet(page: PageRender, value: string, location: Location): string | undefined {
  const candidates: string[] = [];
  const words = value
    .split(/\s+/)
    .filter((word) => word !== "" && word !== ",")
    .reverse();
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    const address = word.replace(/,$/, "");
    let descriptor = "";
    if (address === word && words.length > 0) {
      // In `1x,b.png`, the comma ends this candidate, and the next address follows directly.
      const [size, ...rest] = words.pop()!.split(",");
      descriptor = ` ${size}`;
      const next = rest.join(",");
      if (next !== "") words.push(next);
    }
    const file = fileFor(page, address, "image", location);
    if (file) candidates.push(file.src + descriptor);
  }
  return candidates.length > 0 ? candidates.join(", ") : undefined;
}

/** Whether an attribute of the finished tree could run code. */
export function runsCode(tagName: string, name: string, value: unknown): boolean {
  const lower = name.toLowerCase();
  if (isHandler(lower) || lower === "srcdoc") return true;
  if (typeof value !== "string" || !addressNames.has(lower) || !isUnsafeUrl(value)) return false;
  return !(
    (tagName === "img" || tagName === "image" || tagName === "source" || lower === "poster") &&
    isImageData(value)
  );
}

/** Why an attribute is dropped, and what to write instead. */

const { handler, ...reasons }: Readonly<Record<string, { readonly why: string; readonly fix: string }>> =
  names.droppedAttributes;

/** Whether it is an event handler: no other attribute begins with `on`. */
const isHandler = (lowerCaseName: string): boolean => lowerCaseName.startsWith("on");

/** Reports each name once a page, because for example a table of buttons can repeat it hundreds of times. */
function reportDroppedAttribute(page: PageRender, tagName: string, name: string, location: Location): void {
  const lower = name.toLowerCase();
  const reason = isHandler(lower) ? handler : reasons[lower];
  if (!reason) return;
  page.collector.reportOnce(`ATTRIBUTE_DROPPED ${lower}`, () => ({
    ...warningOf("ATTRIBUTE_DROPPED", location),
    what: `${quoted(name)} of <${tagName}> ${reason.why}.`,
    fix: reason.fix,
  }));
}

const colors = [...namedColors.keys()];
const words = new Set([...colors, ...names.colorWords.split(" ")]);
const declaration = /(?:^|;)\s*((?:[a-z-]{1,30}-)?color|background|fill|stroke)\s*:\s*([a-z]{3,30})\s*(?=;|!|$)/gi;

const properties = new Set(names.cssProperties.split(" "));
/** The words that the value of a property can be. */
const values = new Map(
  names.cssValues.split(";").map((each) => [each.split(":")[0]!, each.slice(each.indexOf(":") + 1).split(" ")]),
);
/** Properties whose numbers need a unit. */
const lengths =
  /^(?:(?:min-|max-)?(?:width|height)|(?:margin|padding)(?:-[a-z]+)?|font-size|top|left|right|bottom|gap)$/i;
/** The length that a value such as `10`, `10 px` or `1,5em` was meant as. */
const lengthFor = (value: string): string | undefined =>
  /^-?(?:[1-9]\d{0,5}|\d{1,6}[.,]\d{1,6}|\d{1,6}(?:[.,]\d{1,6})?[ \t]{0,9}(?:px|r?em|%|vh|vw))$/.test(value) &&
  !/^[-\d.]+[a-z%]+$/.test(value)
    ? value.replace(",", ".").replace(/[ \t]/g, "").replace(/\d$/, "$&px")
    : undefined;

/** The property that a name resembles; undefined for a valid property, and for a word that resembles none. */
export const misspeltProperty = (name: string): string | undefined =>
  name.startsWith("-") || properties.has(name) ? undefined : likelyName(name, properties)?.name;

/**
 * Reports misspelt properties and colors, which browsers ignore. @param isObject whether JavaScript names properties.
 */
export function checkStyle(page: PageRender, tag: string, css: string, isObject: boolean, location: Location): void {
  for (const [, name = "", written = ""] of css.matchAll(/(?:^|;)\s*([a-z-]{3,40})\s*:\s*([^;]*)/gi)) {
    const near = name.length > 3 ? misspeltProperty(name.toLowerCase()) : undefined;
    const value = written.trim().toLowerCase();
    const known = near === undefined ? values.get(name.toLowerCase()) : undefined;
    const wrong = known?.includes(value) ? undefined : likelyName(value, known ?? [])?.name;
    const right = wrong ?? (lengths.test(name) ? lengthFor(value) : undefined);
    const spelt = (word: string): string =>
      isObject ? word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) : word;
    if (near !== undefined || right !== undefined)
      page.collector.reportOnce(`PROPERTY_VALUE ${tag} ${name} ${near ?? value}`, () => ({
        ...warningOf("PROPERTY_VALUE", location),
        what:
          near === undefined
            ? `"${value}" in the style of <${tag}> is not a value of ${spelt(name)}, so browsers ignore it.`
            : `"${spelt(name)}" in the style of <${tag}> is not a property of CSS, so browsers ignore it.`,
        fix: near === undefined ? `write "${right}".` : `write ${spelt(near)}.`,
      }));
  }
  for (const [, property, word] of css.matchAll(declaration))
    if (!words.has(word!.toLowerCase()) && nearestName(word!, colors) !== undefined)
      checkColor(page, tag, property!, word!, location);
}

/** Reports a color that CSS does not know. @param name the property with the color. */
export function checkColor(page: PageRender, tag: string, name: string, color: string, location: Location): void {
  const word = color.trim().toLowerCase();
  if (!/^[a-z]{3,30}$/.test(word) || words.has(word)) return;
  const near = nearestName(word, colors);
  page.collector.reportOnce(`PROPERTY_VALUE ${tag} ${name} ${word}`, () => ({
    ...warningOf("PROPERTY_VALUE", location),
    what: `"${name}" of <${tag}> is ${quoted(color)}, which is not a color in CSS, so browsers ignore it.`,
    fix: near ? `write "${near}".` : "write a CSS color, such as #0D9373, or remove it.",
  }));
}
