/**
 * How names and values of elements are written. What is found out about a name is kept, and of usual names it is known from
 * the start: each regular expression takes the interpreter as long as all else of an attribute.
 */
const { assign, create } = Object;

type Props = Readonly<Record<string, unknown>>;

const noText = "";
/** As a `+` does it. */
export const textOf = (value: unknown): string => (value as string) + noText;

export function escaped(text: string): string {
  let out = text;
  if (out.indexOf("&") >= 0) out = out.split("&").join("&amp;");
  if (out.indexOf('"') >= 0) out = out.split('"').join("&quot;");
  if (out.indexOf("<") >= 0) out = out.split("<").join("&lt;");
  return out;
}

const setOf = (names: string): Record<string, boolean> =>
  assign(create(null), Object.fromEntries(names.split(" ").map((name) => [name, true])));
export const voidTags = setOf("area base br col command embed hr img input keygen link meta param source track wbr");
export const enumerated = setOf("draggable spellcheck");
const withoutUnit = setOf(
  "animation-iteration-count border-image-outset border-image-slice border-image-width box-flex box-flex-group " +
    "column-count fill-opacity flex flex-grow flex-negative flex-order flex-positive flex-shrink flood-opacity " +
    "font-weight grid-column grid-row line-clamp line-height opacity order orphans stop-opacity stroke-dasharray " +
    "stroke-dashoffset stroke-miterlimit stroke-opacity stroke-width tab-size widows z-index zoom",
);

function kept<T extends string | boolean>(find: (name: string) => T): (name: string) => T {
  const known: Record<string, T> = create(null);
  return (name) => {
    let found = known[name];
    if (found === undefined) {
      found = find(name);
      known[name] = found;
    }
    return found;
  };
}

const cssName = kept((property) => property.replace(/[A-Z]/g, "-$&").toLowerCase());

export function styleText(style: Props): string | undefined {
  let text = "";
  for (const property in style) {
    const value = style[property];
    if (value == null || value === "") continue;
    const name = property[0] === "-" ? property : cssName(property);
    const unit = typeof value === "number" && !name.startsWith("--") && !withoutUnit[name] ? "px" : "";
    text += `${name}:${textOf(value)}${unit};`;
  }
  return text || undefined;
}

const unsafe = /[\s\n\\/='"\0<>]/;
const namespaced = /^(xlink|xmlns|xml)([A-Z])/;
const lowerCase =
  /^(?:accessK|auto[A-Z]|cell|ch|col|cont|cross|dateT|encT|form[A-Z]|frame|hrefL|inputM|maxL|minL|noV|playsI|popoverT|readO|rowS|src[A-Z]|tabI|useM|item[A-Z])/;
const dashed =
  /^ac|^ali|arabic|basel|cap|clipPath$|clipRule$|color|dominant|enable|fill|flood|font|glyph[^R]|horiz|image|letter|lighting|marker[^WUH]|overline|panose|pointe|paint|rendering|shape|stop|strikethrough|stroke|text[^L]|transform|underline|unicode|units|^v[^i]|^w|^xH/;
/** No name is that. */
export const unsafeName = "";

function attributeName(name: string, isSvg: boolean): string {
  if (unsafe.test(name)) return unsafeName;
  if (namespaced.test(name)) return name.replace(namespaced, "$1:$2").toLowerCase();
  if (name[4] === "-" || enumerated[name]) return name;
  if (!isSvg) return lowerCase.test(name) ? name.toLowerCase() : name;
  if (!dashed.test(name)) return name;
  return name === "panose1" ? "panose-1" : name.replace(/([A-Z])/g, "-$1").toLowerCase();
}

export const htmlName = kept((name) => attributeName(name, false));
export const svgName = kept((name) => attributeName(name, true));
export const isUnsafe = kept((tag) => unsafe.test(tag));
for (const tag of (
  "a b blockquote br button code dd details div dl dt em fieldset figcaption figure form g h1 h2 h3 h4 h5 h6 hr i iframe " +
  "img input label legend li line ol option output p path polyline pre rect section select small span strong style sub " +
  "summary sup svg table tbody td textarea tfoot th thead tr u ul video x-slot x-use circle header footer main nav article"
).split(" "))
  isUnsafe(tag);
for (const name of (
  "alt aria-checked aria-controls aria-current aria-expanded aria-hidden aria-label aria-labelledby aria-live aria-pressed " +
  "aria-selected allow allowFullScreen autoComplete colSpan controls cols data-component-part data-n data-name data-props " +
  "disabled download for height href id lang loading max maxLength min multiple name open pattern placeholder readOnly rel " +
  "required role rows rowSpan spellcheck src step tabIndex target title type width"
).split(" "))
  htmlName(name);
for (const name of (
  "aria-hidden aria-label clip-rule cx cy d fill fill-rule focusable height id r role rx ry stroke stroke-linecap " +
  "stroke-linejoin stroke-width transform viewBox width x x1 x2 xmlns y y1 y2 points"
).split(" "))
  svgName(name);
