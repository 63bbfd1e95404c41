/** Content negotiation by `Accept` and `Accept-Encoding` (RFC 9110, 12.4 and 12.5). */

interface Offer {
  readonly name: string;
  readonly quality: number;
}

/** In the order written; an overlong header is ignored. */
function readOffers(header: string): Offer[] {
  if (header.length > 1000) return [];
  return header.split(",").map((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const written = parameters.find((each) => each.startsWith("q="))?.slice(2);
    const quality = written === undefined ? 1 : Number(written);
    return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/**
 * Whether the client prefers Markdown: it names Markdown, and HTML has a lower quality or comes later. Wildcards mean
 * HTML, as in browsers.
 */
export function wantsMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  const offers = readOffers(accept);
  const at = (name: string): number => offers.findIndex((each) => each.name === name);
  const markdown = offers[at("text/markdown")];
  if (markdown === undefined || markdown.quality === 0) return false;
  const html = offers[at("text/html")];
  if (html === undefined || html.quality !== markdown.quality) return markdown.quality > (html?.quality ?? 0);
  return at("text/markdown") < at("text/html");
}

export type Encoding = "br" | "gzip" | "identity";

/** The best compression that the client accepts. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return "identity";
  const offers = readOffers(acceptEncoding);
  const quality = (name: string): number =>
    (offers.find((each) => each.name === name) ?? offers.find((each) => each.name === "*"))?.quality ?? 0;
  const [br, gzip] = [quality("br"), quality("gzip")];
  return br > 0 && br >= gzip ? "br" : gzip > 0 ? "gzip" : "identity";
}
