import type { Site } from "../../site/site.js";

/** The content of the 404 page. */
export interface NotFoundPage {
  readonly title: string;
  /** Inline MDX from docs.json, or a default text. */
  readonly description: string;
  /**
   * Precedes every site path in the links of this page: a host shows it for URLs of any depth, so they cannot be
   * relative. Ends with a slash.
   */
  readonly root: string;
}

/**
 * There is always a 404 page: `errors.404.redirect` would silently send a reader of a mistyped URL to the home page, and
 * tell search engines that the URL exists.
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

/** The path of the base URL without a trailing slash: "" or `/guide`. */
export const basePathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/$/, "");
