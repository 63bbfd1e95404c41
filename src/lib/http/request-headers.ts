/** Content negotiation by `Accept` and `Accept-Encoding` (RFC 9110, 12.4 and 12.5). */

/** The values of a header with their qualities, in the order written; none for an overlong header. */
function readOffers(header: string): { readonly name: string; readonly quality: number }[] {
  if (header.length > 1000) return [];
  return header.split(",").map((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const written = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = written === undefined ? 1 : Number(written);
    return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/** Whether the client prefers Markdown to HTML, by quality or order. Wildcards mean HTML, as in browsers. */
export function wantsMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  const offers = readOffers(accept);
  const at = (name: string): number => offers.findIndex((offer) => offer.name === name);
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
    (offers.find((offer) => offer.name === name) ?? offers.find((offer) => offer.name === "*"))?.quality ?? 0;
  const [br, gzip] = [quality("br"), quality("gzip")];
  return br > 0 && br >= gzip ? "br" : gzip > 0 ? "gzip" : "identity";
}

/** The bytes of a Range header, out of `size`. Undefined: all, also for several ranges (RFC 9110, 14.2). */
export function parseRange(header: string | null | undefined, size: number) {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first >= size ? "unsatisfiable" : { first, last };
}

/** Whether an `If-None-Match` header names an entity tag. It may be weak, since proxies make tags weak. */
export const namesTag = (header: string | null | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((written) => written.trim() === "*" || written.trim().replace(/^W\//, "") === tag);

/** A name or an address, and a port. */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{1,5})?$/i;

/**
 * Describes a fault by which two servers could read one request as requests for different hosts: several Host headers, or an
 * invalid one. Undefined if there is none; HTTP/1.0 needs no Host.
 *
 * @param rawHeaders names and values, alternating.
 */
export function hostFault(rawHeaders: readonly string[]): string | undefined {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === "host");
  if (hosts.length > 1) return "The request has several Host headers. Send one.";
  if (hosts.length === 1 && !validHost.test(hosts[0]!))
    return 'The Host header is invalid. Send a host name or an IP address, such as "Host: docs.example.com".';
  return undefined;
}
