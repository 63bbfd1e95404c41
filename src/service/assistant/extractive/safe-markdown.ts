import { parseHttpUrl } from "../../../lib/url/index.js";

/** Inline code, an image or link, an address in angle brackets or without, or what may begin a tag. */
const inline =
  /(`+)(?:[^`]|(?!\1)`)*?\1(?!`)|(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+"[^"\n]*")?\s*\)|<(https?:\/\/[^\s<>]+)>|(https?:\/\/[^\s<>`()[\]]+)|<(?=[A-Za-z/!?])/g;

/**
 * Text of a page's Markdown for a place outside of the page: links are absolute, addresses of other sites are shown as code,
 * pictures give way to their descriptions, and tags are shown as text.
 *
 * @param base URL of the page's Markdown file. @param site public address of the site.
 */
export const safeMarkdown = (text: string, base: string, site: string): string =>
  text.replace(inline, (whole: string, code, image, label, inAngles, plain, automatic, bare) => {
    if (code !== undefined) return whole;
    const address = (automatic ?? bare) as string | undefined;
    if (address !== undefined) return isOf(site, address) ? whole : codeOf(address);
    if (label === undefined) return "\\<";
    const shown = safeMarkdown(label as string, base, site);
    const url = image === "!" ? undefined : absolute((inAngles ?? plain ?? "") as string, base);
    if (url === undefined) return shown;
    if (isOf(site, url)) return `[${shown}](${url})`;
    return shown.includes(codeOf(url)) ? shown : `${shown} (${codeOf(url)})`;
  });

const isOf = (site: string, url: string): boolean =>
  url.startsWith(site) && (url.length === site.length || "/?#".includes(url[site.length]!));

/** Of an address; those of links have no such mark. */
const codeOf = (url: string): string => `\`${url.replaceAll("`", "%60")}\``;

function absolute(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = parseHttpUrl(new URL(href, base).href);
  if (url === undefined) return undefined;
  // Links between pages name their Markdown files.
  if (url.origin === new URL(base).origin) url.pathname = url.pathname.replace(/(?:\/index)?\.md$/, "");
  return url.href.replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"));
}

/** Plain text as Markdown. */
export const escaped = (text: string): string => text.replace(/[\\`*_[\]<>]|^\s*(?:#|[-+]\s|\d+[.)]\s)/gm, "\\$&");
