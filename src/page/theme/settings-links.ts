import { type Diagnostic, type Location, locationOfSetting, warningOf } from "../../lib/diagnostic/index.js";
import { encodePath, isImageData } from "../../lib/url/index.js";
import { filesOfPair } from "../../site/config/index.js";
import {
  type Addresses,
  addImage,
  causeOf,
  newAddress,
  publish,
  type Target,
  whyLeftOut,
} from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import { footersOf, navbarLinksOf } from "./sections.js";

/** Links from a page to the bundle. `prefix` leads to its root: empty, `../`, or on the 404 page its address. */
export type Links = ReturnType<typeof createLinks>;

/**
 * Placeholder for the prefix in HTML that is rendered once for all depths: two control characters that do not occur in
 * this order. They are Latin-1, because V8 needs two bytes for each character of a string that has any others.
 */
export const anyPrefix = "\x92\x91";
export const withPrefix = (html: string, prefix: string): string => html.replaceAll(anyPrefix, prefix);

export function createLinks(site: Site, addresses: Addresses) {
  const settings = { sourcePath: site.config.sourcePath };
  const file = (prefix: string, outputPath: string): string => prefix + encodePath(outputPath);
  const page = (prefix: string, index: number): string => file(prefix, site.pages[index]!.outputPath);
  return {
    file,
    page,
    /** Href of a page by its URL path. */
    address: (prefix: string, urlPath: string): string => page(prefix, addresses.pageAt(urlPath)!.index),
    /** The href of a link in settings, and whether it leads to another site. Paths start at the site's root. */
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

export interface LinkFaults {
  /** One for each location. */
  readonly diagnostics: readonly Diagnostic[];
  /** Output paths of missing link targets. */
  readonly targets: readonly string[];
}

/** Reports broken links of the logo, header, navigation, footer, shared links and page menu. */
export function linkFaults(site: Site, addresses: Addresses): LinkFaults {
  const settings = { sourcePath: site.config.sourcePath };
  const faults: Diagnostic[] = [];
  const targets: string[] = [];
  /** Resolves an address, and reports one that differs in case or names a folder. */
  const resolve = (fact: string, href: string, location: Location): Target => {
    const target = addresses.resolve(href, settings);
    if ("rightCase" in target && target.rightCase !== undefined)
      faults.push({
        ...warningOf("LINK_CASE_DIFFERS", location),
        what: `${fact}, which differs from ${target.rightCase} in upper and lower case; most servers treat these as different paths.`,
        fix: `write "${target.rightCase}".`,
        rewrites: newAddress(href, target.rightCase),
      });
    if ("otherPrefix" in target && target.otherPrefix !== undefined) {
      const { path, cause } = target.otherPrefix;
      faults.push({
        ...warningOf("LINK_PREFIX_DIFFERS", location),
        what: `${fact}, which is linked to ${path}: ${cause}.`,
        fix: `write "${path}".`,
        rewrites: newAddress(href, path),
        cause,
      });
    }
    if (target.kind === "page" && target.folder !== undefined)
      faults.push({
        ...warningOf("LINK_TO_FOLDER", location),
        what: `${fact}, a folder without a page of its own; the link leads to its first page, ${target.page.urlPath}.`,
        fix: `write "${target.page.urlPath}".`,
        rewrites: newAddress(href, target.page.urlPath),
      });
    return target;
  };
  const check = (label: string | undefined, href: string, location: Location = settings): void => {
    const fact = `${label === undefined ? "The logo" : `"${label}"`} links to "${href}"`;
    const target = resolve(fact, href, location);
    if (target.kind !== "missing" && target.kind !== "unsafe") return;
    if (target.kind === "missing") targets.push(target.outputPath);
    const leads = target.kind === "missing" && !href.startsWith(target.path) ? `, which points to ${target.path}` : "";
    const leftOut = target.kind === "missing" ? target.leftOut : undefined;
    const nearest = target.kind === "missing" ? addresses.nearest(target) : undefined;
    faults.push({
      ...warningOf("NAVIGATION_LINK_BROKEN", location),
      what: `${fact}${leads}, ${leftOut ? whyLeftOut(leftOut) : "and the site has no such page or file"}.`,
      fix: leftOut
        ? publish(leftOut)
        : nearest !== undefined
          ? `write "${nearest.path}".`
          : "write the path of a page, or a full URL that starts with https://.",
      ...(leftOut === undefined && nearest && { rewrites: newAddress(href, nearest.path, nearest.certain) }),
      ...causeOf(leftOut),
    });
  };
  for (const [mode, source] of filesOfPair(site.config.logo)) {
    if (isImageData(source)) continue;
    const location = locationOfSetting(site.config, `logo.${mode}`);
    const target = resolve(`The logo is "${source}"`, source, location);
    const near = target.kind === "missing" ? addresses.nearest(target) : undefined;
    if (target.kind !== "file" && target.kind !== "external")
      faults.push({
        ...warningOf("LOGO_NOT_FOUND", location),
        what: `The logo is "${source}", but the site has no such file, so the name of the site is shown instead.`,
        fix: near ? `write "${near.path}".` : addImage(source),
        ...(near && { rewrites: newAddress(source, near.path, near.certain) }),
      });
  }
  const { logo } = site.config;
  if (logo?.href !== undefined) check(undefined, logo.href, locationOfSetting(site.config, "logo.href"));
  for (const link of navbarLinksOf(site)) check(link.label ?? link.type, link.href, link.location);
  for (const { socials, links: columns } of footersOf(site)) {
    for (const { type, href, location } of socials) check(type, href, location);
    for (const { items } of columns) for (const item of items) check(item.label, item.href, item.location);
  }
  for (const { label, href, location } of site.sections)
    if (location && href !== undefined) check(label, href, location);
  for (const { contextual, sourcePath } of [site.config, ...site.pages])
    for (const option of contextual?.options ?? []) {
      if (typeof option === "string") continue;
      check(option.title, typeof option.href === "string" ? option.href : option.href.base, { sourcePath });
    }
  for (const link of [...site.globalLinks, ...site.sections.flatMap((section) => section.globalLinks)])
    check(link.label, link.href, link.location);
  return { diagnostics: faults, targets };
}
