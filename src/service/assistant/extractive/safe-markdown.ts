import { parseHttpUrl } from "../../../lib/url/index.js";

/** Inline code, an image or link, an automatic link, or what may begin a tag. */
const inline =
  /(`+)(?:[^`]|(?!\1)`)*?\1(?!`)|(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+"[^"\n]*")?\s*\)|<(https?:\/\/[^\s<>]+)>|<(?=[A-Za-z/!?])/g;

/**
 * Text of a page's Markdown for a place outside of the page: links are absolute, pictures give way to their descriptions, and
 * tags are shown as text.
 *
 * @param base URL of the page's Markdown file.
 */
export const safeMarkdown = (text: string, base: string): string =>
  text.replace(inline, (whole, code, image, label, inAngles, plain, automatic) => {
    if (code !== undefined || automatic !== undefined) return whole as string;
    if (label === undefined) return "\\<";
    const shown = safeMarkdown(label as string, base);
    const url = image === "!" ? undefined : absolute((inAngles ?? plain ?? "") as string, base);
    return url === undefined ? shown : `[${shown}](${url})`;
  });

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
