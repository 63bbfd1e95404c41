import { posix } from "node:path";
import { escapeAttribute } from "../../../lib/html/escape.js";
import { decodePercent, encodePath } from "../../../lib/url/index.js";
import { upToRoot } from "../../../site/links/index.js";

/** A page that becomes a part of a document. */
export interface PageMove {
  /** Output paths of the page and of the document. */
  readonly from: string;
  readonly to: string;
  /** Index of the page, which makes its ids unique. */
  readonly page: number;
  /** By how many levels its headings go down. */
  readonly levels: number;
  /** Index of a page of the document, by output path; undefined for other paths. */
  readonly pageAt: (outputPath: string) => number | undefined;
}

/** Id of a page in the document. Those of the page itself become `p12-install`. */
export const pageId = (page: number): string => `p${page}`;

/**
 * Moves the HTML of a page into a document of several pages: ids become unique, links to pages of the document lead to
 * their place in it, other relative links start at the document, and headings go down. Everything that opens is open, and
 * pictures load at once, since a printer does not scroll.
 *
 * @param html as `writeHtml` writes it: values are in double quotes.
 */
export function movePage(html: string, move: PageMove): string {
  const own = `${pageId(move.page)}-`;
  const root = upToRoot(move.to);

  const relink = (written: string): string => {
    const value = decode(written);
    if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(value)) return written;
    const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(value) ?? [];
    const target = path === "" ? move.from : posix.join(posix.dirname(move.from), decodePercent(path));
    const page = move.pageAt(target);
    if (page === undefined) return escapeAttribute(root + encodePath(target) + query + (fragment && `#${fragment}`));
    const isPlace = fragment !== "" && fragment !== "top" && !fragment.startsWith(":~:");
    return escapeAttribute(`#${pageId(page)}${isPlace ? `-${fragment}` : ""}`);
  };
  const relinkCss = (css: string): string =>
    css.replace(/url\((&quot;|'|)([^"'()&]*)\1\)/g, (_, quote: string, url: string) =>
      url.startsWith("#") ? `url(${quote}#${own}${url.slice(1)}${quote})` : `url(${quote}${relink(url)}${quote})`,
    );

  const attribute = (tag: string, whole: string, name: string, value: string): string => {
    if (name === "id") return ` id="${own}${value}"`;
    if (links.has(name)) return ` ${name}="${relink(value)}"`;
    if (references.has(name)) return ` ${name}="${value.replace(/[^\s]+/g, (id) => own + id)}"`;
    if (name === "srcset") return ` srcset="${value.replace(/(^|,\s+)(\S+)/g, (_, gap, url) => gap + relink(url))}"`;
    // Only one `details` of a name can be open.
    if (name === "name") return tag === "details" ? "" : ` name="${own}${value}"`;
    if (name === "loading") return "";
    return paints.test(name) && value.includes("url(") ? ` ${name}="${relinkCss(value)}"` : whole;
  };
  return html.replace(tags, (whole, close: string, tag: string, attributes: string, end: string) => {
    const level = heading.test(tag) ? Number(tag[1]) : undefined;
    const name = level === undefined ? tag : `h${Math.min(6, level + move.levels)}`;
    if (close !== "") return `</${name}>`;
    if (level === undefined && attributes === "") return whole;
    const moved = attributes.replace(pairs, (pair, key: string, value: string) => attribute(tag, pair, key, value));
    return `<${name}${moved}${extra(tag, level, move.levels, attributes)}${end}`;
  });
}

/** `data-level` is for the style sheet; a level below 6 is only spoken. */
function extra(tag: string, level: number | undefined, levels: number, attributes: string): string {
  if (tag === "details") return /\sopen\b/.test(attributes.replace(/"[^"]*"/g, "")) ? "" : " open";
  if (level === undefined) return "";
  return ` data-level="${level}"${level + levels > 6 ? ` aria-level="${level + levels}"` : ""}`;
}

/** All tags but those of highlighted code. */
const tags = /<(?!span class="[^"]*">)(\/?)([a-z][^\s"'<>/=]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)(\s*\/?>)/gi;
const pairs = /\s+([^\s"'<>/=]+)="([^"]*)"/g;
const heading = /^h[1-6]$/;
const links = new Set(["href", "src", "poster", "data", "xlink:href"]);
/** Attributes whose value is a list of ids. */
const references = new Set(
  "for headers list aria-controls aria-describedby aria-details aria-flowto aria-labelledby aria-owns".split(" "),
);

/** Attributes whose value may be CSS with an address. */
const paints = /^(?:style|fill|stroke|filter|mask|clip-path|marker(?:-\w+)?)$/;

const decode = (value: string): string =>
  value.includes("&") ? value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&") : value;
