import type { Location } from "../../lib/diagnostic/index.js";
import { writeHtml } from "../../lib/html/write-html.js";
import { svgUrl } from "../../lib/media-type.js";
import { cleanUrl, isImageData, isUnsafeUrl } from "../../lib/url/index.js";
import type { IconLibrary } from "../../site/config/index.js";
import names from "./names.json" with { type: "json" };
import { isBlank } from "./nodes.js";
import { fileFor } from "./page-links.js";
import type { PageRender } from "./page-render.js";
import type { IconPort } from "./ports.js";

/** Matches CSS that old browsers run as code. */
const runsCode = /expression\s*\(|-moz-binding|(?:^|[\s;{])behavior\s*:|(?:java|vb)script\s*:/i;

/** Resolves the addresses in a style; unsafe ones become `none`. @returns undefined if it could run code. */
export function safeCss(page: PageRender, css: string, location: Location): string | undefined {
  const plain = plainCss(css);
  if (runsCode.test(replaceUrls(plain, () => ""))) return undefined;
  // An escaped `url(` could not be resolved, so refuse it.
  if (css.includes("\\") && countOf(plain, loads) !== countOf(withoutComments(css), loads)) return undefined;
  const withUrls = replaceUrls(css.replace(imageSet, stringsAsUrls), (written, before) => {
    const url = cleanUrl(written);
    if (url.startsWith("#") || isImageData(url) || isFontData(url)) return `url("${encode(url)}")`;
    const { icons, readText } = page.context.tools;
    const icon = iconAtAddress(icons, url);
    if (icon !== undefined) return `url("${icon}")`;
    const file = isUnsafeUrl(plainCss(url)) ? undefined : fileFor(page, url, "image", location);
    if (file?.sourcePath?.endsWith(".svg") && isMask(before)) {
      const drawing = readText(file.sourcePath);
      const inline = drawing === undefined ? undefined : svgUrl(drawing);
      if (inline !== undefined) return `url("${inline}")`;
    }
    return file ? `url("${encode(file.src)}")` : "none";
  });
  return withUrls.replace(/@import\s+("[^"]*"|'[^']*')/gi, (_, written: string) => {
    const file = fileFor(page, written.slice(1, -1), "style", location);
    return file ? `@import "${encode(file.src)}"` : "";
  });
}

const loads = /\burl\(|image-set\(|@import\b/gi;
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Matches `image-set("a.png" 1x, url(b.png) 2x)`, in which strings are addresses too. */
const imageSet = /image-set\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*\)/gi;
const stringsAsUrls = (set: string): string =>
  set.replace(/url\([^()]*\)|type\([^()]*\)|("[^"]*"|'[^']*')/gi, (whole, text?: string) =>
    text ? `url(${text})` : whole,
  );

const isFontData = (url: string): boolean => /^data:(?:font|application\/(?:x-)?font)/i.test(url);

/** Whether a mask's value follows, or the value of a variable that may become a mask. */
const isMask = (before: string): boolean =>
  /^\s*(?:(?:-webkit-)?mask(?:-image)?|--[\w-]+)\s*:/i.test(
    before.slice(Math.max(...[";", "{", "}"].map((end) => before.lastIndexOf(end))) + 1),
  );

/** Replaces every complete `url(…)`. @param replacement gets the address without quotes, and the CSS before it. */
function replaceUrls(css: string, replacement: (url: string, before: string) => string): string {
  let out = "";
  let end = 0;
  for (const match of css.matchAll(/\burl\(/gi)) {
    if (match.index < end) continue;
    let start = match.index + match[0].length;
    while (start < css.length && isBlank(css[start]!)) start++;
    const quote = css[start] === '"' || css[start] === "'" ? css[start]! : "";
    const urlEnd = css.indexOf(quote || ")", start + quote.length);
    const close = css.indexOf(")", urlEnd);
    if (urlEnd < 0 || close < 0) break;
    out +=
      css.slice(end, match.index) +
      replacement(css.slice(start + quote.length, urlEnd), css.slice(Math.max(0, match.index - 200), match.index));
    end = close + 1;
  }
  return out + css.slice(end);
}

/** Removes comments and escapes, which can hide words. */
const plainCss = (css: string): string =>
  withoutComments(css)
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .replace(/\\(.)/gs, "$1");

/** An unclosed comment extends to the end. */
const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "");

const encode = (url: string): string => url.replace(/["\\\n<]/g, encodeURIComponent);

/** `{ marginTop: 4, "--tone": "red" }` as `margin-top:4px;--tone:red`. */
export function cssOf(style: Readonly<Record<string, unknown>>): string {
  const declarations: string[] = [];
  for (const [name, value] of Object.entries(style)) {
    if (!/^-{0,2}[a-zA-Z][\w-]*$/.test(name)) continue;
    const property = name.startsWith("--")
      ? name
      : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^ms-/, "-ms-");
    const isUnitless = value === 0 || name.startsWith("--") || unitless.has(property);
    if (typeof value === "number" && Number.isFinite(value))
      declarations.push(`${property}:${value}${isUnitless ? "" : "px"}`);
    else if (typeof value === "string" && value.trim() !== "")
      declarations.push(`${property}:${value.replace(/[;{}]/g, "").trim()}`);
  }
  return declarations.join(";");
}

const unitless = new Set(names.unitlessProperties.split(" "));

/** Folders of styles in any copy of Font Awesome. */
const styles = /^(?:sharp-)?(?:solid|regular|light|thin|duotone|brands)$/;

/** Folders of other libraries, anywhere in a path. */
const libraries: readonly (readonly [folder: RegExp, library: IconLibrary])[] = [
  [/\/(?:lucide|lucide-static)(?:@[\w.-]+)?\//, "lucide"],
  [/\/(?:@tabler\/icons|tabler|tabler-icons)(?:@[\w.-]+)?\//, "tabler"],
];

/**
 * Finds our own icon for one on another host, such as `https://icons.example.com/v6/regular/bolt.svg`. Whatever the
 * host, the path ends with style and name. @returns a `data:` URL; undefined for other files, and for icons that our
 * sets lack.
 */
export function iconAtAddress(icons: IconPort, url: string): string | undefined {
  const [, path, folder = "", name = ""] =
    /^(?:https?:)?\/\/[^/?#]+((?:\/[^?#]*)?\/([^/?#]+)\/([a-z\d-]+)\.svg)(?:[?#]|$)/.exec(url) ?? [];
  if (path === undefined) return undefined;
  const library = styles.test(folder) ? "fontawesome" : libraries.find(([form]) => form.test(path))?.[1];
  if (library === undefined) return undefined;
  const style = library === "fontawesome" ? { style: folder } : {};
  const { node, diagnostics } = icons.icon({ name, library, ...style });
  if (node?.type !== "element" || node.tagName !== "svg" || diagnostics.length > 0) return undefined;
  const { viewBox } = node.properties;
  const properties = { xmlns: "http://www.w3.org/2000/svg", viewBox: viewBox! };
  return svgUrl(writeHtml({ ...node, properties }));
}
