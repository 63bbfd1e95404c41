import { encodePath, isImageData } from "../../lib/url/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";

/**
 * How a page reaches the rest of the bundle. `prefix` leads from the page to the bundle's root: empty, `../`, `../../`;
 * for the 404 page of a site with a known address it is that address's path.
 */
export interface Links {
  /** Href of a place in the bundle. */
  file(prefix: string, outputPath: string): string;
  page(prefix: string, index: number): string;
  /** Href of a page by its address. */
  address(prefix: string, urlPath: string): string;
  /** Href of what was written in docs.json or in front matter, with paths from the site's root. */
  written(prefix: string, href: string): LinkOut;
  /** Address of a picture that they name; undefined for a file that the site does not have. */
  image(prefix: string, source: string): string | undefined;
}
export interface LinkOut {
  readonly href: string;
  /** Opens another site. */
  readonly external: boolean;
}

/** Stands for the prefix in what is rendered once for pages of every depth: two characters that no text has a use for. */
export const anyPrefix = "\ue000\uf8ff";
export const withPrefix = (html: string, prefix: string): string => html.replaceAll(anyPrefix, prefix);

export function createLinks(site: Site, addresses: Addresses): Links {
  const settings = { sourcePath: site.config.sourcePath };
  const file = (prefix: string, outputPath: string): string => prefix + encodePath(outputPath);
  const page = (prefix: string, index: number): string => file(prefix, site.pages[index]!.outputPath);
  return {
    file,
    page,
    address: (prefix, urlPath) => page(prefix, addresses.pageAt(urlPath)!.index),
    written(prefix, href) {
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
    image(prefix, source) {
      if (isImageData(source)) return source;
      const target = addresses.resolve(source, settings);
      if (target.kind === "external") return target.url;
      return target.kind === "file" ? file(prefix, target.outputPath) + target.suffix : undefined;
    },
  };
}
