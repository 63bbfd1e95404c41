import { encodePath, isImageData } from "../../lib/url/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";

/**
 * How a page links to the rest of the bundle. `prefix` leads from the page to the bundle's root: empty, `../`,
 * `../../`; on the 404 page of a site with a known address it is the path of that address.
 */
export type Links = ReturnType<typeof createLinks>;

/**
 * Placeholder of the prefix in HTML that is rendered once for all depths: two control characters that text does not have in
 * this order. They are Latin-1: V8 takes two bytes for each character of a text with any other.
 */
export const anyPrefix = "\x92\x91";
export const withPrefix = (html: string, prefix: string): string => html.replaceAll(anyPrefix, prefix);

export function createLinks(site: Site, addresses: Addresses) {
  const settings = { sourcePath: site.config.sourcePath };
  /** Href of a file of the bundle. */
  const file = (prefix: string, outputPath: string): string => prefix + encodePath(outputPath);
  const page = (prefix: string, index: number): string => file(prefix, site.pages[index]!.outputPath);
  return {
    file,
    page,
    /** Href of a page by its URL path. */
    address: (prefix: string, urlPath: string): string => page(prefix, addresses.pageAt(urlPath)!.index),
    /**
     * Href for a link in docs.json or front matter, whose paths start at the site's root, and whether it leads to
     * another site.
     */
    written(prefix: string, href: string): { readonly href: string; readonly external: boolean } {
      const target = addresses.resolve(href, settings);
      switch (target.kind) {
        case "external":
          return { href: target.url, external: target.host };
        case "unsafe":
          return { href: "#", external: false };
        case "self":
          return { href: target.suffix || "#", external: false };
        default:
          return { href: file(prefix, target.outputPath) + target.suffix, external: false };
      }
    },
    /** Src of an image in docs.json or front matter; undefined for a file that the site does not have. */
    image(prefix: string, source: string): string | undefined {
      if (isImageData(source)) return source;
      const target = addresses.resolveFile(source, settings, "image");
      if (target.kind === "external") return target.url;
      return target.kind === "file" ? file(prefix, target.outputPath) + target.suffix : undefined;
    },
  };
}
