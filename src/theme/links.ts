import type { Site } from "../discover/site.js";

/**
 * How a page reaches the rest of the bundle. `prefix` leads from the page to the bundle's root: empty, `../`, `../../`;
 * for the 404 page of a site with a known address it is that address's path.
 */
export interface Links {
  /** Href of a place in the bundle. */
  file(prefix: string, outputPath: string): string;
  page(prefix: string, index: number): string;
  /** Href of what was written in docs.json: a site path is found among pages, redirects and files; the rest stays. */
  written(prefix: string, href: string): LinkOut;
  /** Address of a picture that docs.json names; undefined for a file that the site does not have. */
  image(prefix: string, source: string): string | undefined;
}
export interface LinkOut {
  readonly href: string;
  readonly external: boolean;
  /** False: a site path that leads nowhere. */
  readonly found: boolean;
}

/** Stands for the prefix in what is rendered once for pages of every depth: two characters that no text has a use for. */
export const anyPrefix = "\ue000\uf8ff";
export const withPrefix = (html: string, prefix: string): string => html.replaceAll(anyPrefix, prefix);

export const prefixOf = (outputPath: string): string => "../".repeat(outputPath.split("/").length - 1);

export function createLinks(site: Site): Links {
  let byUrlPath: Map<string, number> | undefined;
  let redirects: Set<string> | undefined;
  let files: Set<string> | undefined;

  const file = (prefix: string, outputPath: string): string =>
    prefix + outputPath.toWellFormed().split("/").map(encodeURIComponent).join("/");
  const page = (prefix: string, index: number): string => file(prefix, site.pages[index]!.outputPath);

  const written = (prefix: string, text: string): LinkOut => {
    // Browsers skip these characters, so `java\tscript:` is a script for them.
    const href = text.replace(/\p{Cc}/gu, "").trim();
    if (!href.startsWith("/") || href.startsWith("//")) {
      const safe = /^(https?:|mailto:|tel:|#|\/\/)/i.test(href) || !/^[a-z][a-z0-9+.-]*:/i.test(href);
      return { href: safe ? href : "#", external: /^(https?:)?\/\//i.test(href), found: safe };
    }
    const tail = href.search(/[?#]/);
    const suffix = tail < 0 ? "" : href.slice(tail);
    const path = decode(tail < 0 ? href : href.slice(0, tail));
    byUrlPath ??= new Map(site.pages.map((plan) => [plan.urlPath, plan.index]));
    const urlPath = path.replace(/(\/index)?(\.mdx?|\.html)?\/*$/, "") || "/";
    const index = byUrlPath.get(urlPath) ?? (urlPath === "/" ? site.homePage : undefined);
    if (index !== undefined) return { href: page(prefix, index) + suffix, external: false, found: true };
    redirects ??= new Set(site.config.redirects.map((redirect) => redirect.source.replace(/\/+$/, "")));
    if (redirects.has(urlPath))
      return { href: `${file(prefix, `${urlPath.slice(1)}.html`)}${suffix}`, external: false, found: true };
    files ??= new Set(site.staticFiles);
    const sourcePath = path.replace(/^\/+/, "");
    return { href: file(prefix, sourcePath) + suffix, external: false, found: files.has(sourcePath) };
  };
  const image = (prefix: string, source: string): string | undefined => {
    if (/^(https?:)?\/\/|^data:image\//i.test(source)) return source;
    const { href, found } = written(prefix, `/${source.replace(/^\.?\//, "")}`);
    return found ? href : undefined;
  };
  return { file, page, written, image };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
