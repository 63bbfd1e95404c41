import type { Site } from "../../site/site.js";

/** What the page for unknown addresses says. */
export interface NotFoundPage {
  readonly title: string;
  /** Inline MDX, as written in docs.json, or stock text. */
  readonly description: string;
  /**
   * What stands before every path of the site in links of this page: a host shows it for addresses of any depth, so
   * they cannot be relative. Ends with a slash.
   */
  readonly root: string;
}

/**
 * The 404 page is always a page: `errors.404.redirect` would send a reader of a mistyped address to the home page
 * without a word, and tells search engines that the address exists.
 */
export function notFoundPage(site: Site, baseUrl: string | undefined): NotFoundPage {
  const { title, description } = site.config.notFound;
  return {
    title: title ?? "Page not found",
    description:
      description ?? "There is no page at this address. It may have moved, or the address has a typing error.",
    root: `${basePathOf(baseUrl)}/`,
  };
}

/** The path of the base URL without a slash at the end: "" or `/guide`. */
export const basePathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/$/, "");
