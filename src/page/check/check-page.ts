import { posix } from "node:path";
import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import { decodePercent } from "../../lib/url/index.js";
import type { LinkUse } from "../render/index.js";
import { type DocumentLink, scanDocument } from "./scan-document.js";

export interface PageToCheck {
  readonly outputPath: string;
  /** The document as it is written to the bundle, in pieces of whole tags. */
  readonly html: readonly string[];
  /** Links and assets of the page's source, as emitted. */
  readonly uses: readonly LinkUse[];
  /** The location reported for links that are not in the page's own text: navigation, footer, settings. */
  readonly chromeLocation: Location;
  /** Their locations have been reported already. */
  readonly reported: readonly Diagnostic[];
  /** True for every output path that the bundle will hold. */
  readonly isFile: (outputPath: string) => boolean;
}

/** A link to an anchor in another page, which can only be checked once that page is rendered. */
export interface AnchorWanted {
  /** Output path of the page that must hold it. */
  readonly outputPath: string;
  /** Decoded. */
  readonly fragment: string;
  readonly location: Location;
}

export interface PageCheck {
  readonly ids: readonly string[];
  readonly anchorsWanted: readonly AnchorWanted[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks the links and assets of one emitted document against the files of the bundle. Links to other hosts are not
 * followed. Anchors in other pages are returned; `checkAnchors` checks them when all pages are rendered.
 */
export function checkPage(page: PageToCheck): PageCheck {
  const { ids, links } = scanDocument(page.html);
  const known = new Set(ids);
  const places = locationsByHref(page);
  const anchorsWanted: AnchorWanted[] = [];
  const diagnostics: Diagnostic[] = [];

  for (const link of links) {
    const target = targetOf(page.outputPath, link.value);
    if (!target) continue;
    const use = places.get(link.value);
    if (use === "reported") continue;
    const location = use?.location ?? page.chromeLocation;
    if (target.path !== page.outputPath && !page.isFile(target.path))
      // The same link in the layout is written differently on pages of different depth; only its target is equal.
      diagnostics.push(missingFile(link, use?.written ?? target.path, target.path, location));
    else if (target.fragment === "") continue;
    else if (target.path !== page.outputPath)
      anchorsWanted.push({ outputPath: target.path, fragment: target.fragment, location });
    else if (!known.has(target.fragment))
      diagnostics.push(missingAnchor(target.fragment, page.outputPath, location, ids));
  }
  return { ids, anchorsWanted, diagnostics };
}

/** Reports a missing anchor, with the nearest existing one. */
export function missingAnchor(
  fragment: string,
  outputPath: string,
  location: Location,
  ids: readonly string[],
): Diagnostic {
  const near = ids.find((id) => plain(id) === plain(fragment)) ?? nearestName(fragment, ids.slice(0, mostCompared));
  return {
    code: "ANCHOR_NOT_FOUND",
    severity: "warning",
    what: `The link leads to "#${fragment}" in ${outputPath}, which has no such anchor.`,
    location,
    fix: near ? `write "#${near}".` : "link to a heading that the page has, or to the page itself.",
  };
}

/** Anchors that are compared: a page may have thousands, and thousands of links to a missing one. */
const mostCompared = 200;

const plain = (id: string): string => id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function missingFile(link: DocumentLink, written: string, path: string, location: Location): Diagnostic {
  const asset = link.attribute !== "href";
  const what =
    written === path
      ? `"${path}" is linked to, but the exported site does not have it.`
      : `"${written}" leads to ${path}, which the exported site does not have.`;
  return {
    code: asset ? "ASSET_NOT_FOUND" : "LINK_NOT_FOUND",
    severity: "warning",
    what,
    location,
    fix: asset ? "add the file, or correct the path." : "link to a page of the site, or remove the link.",
  };
}

function locationsByHref(page: PageToCheck): Map<string, LinkUse | "reported"> {
  const reported = new Set(page.reported.map((each) => locationKey(each.location)));
  const places = new Map<string, LinkUse | "reported">();
  for (const use of page.uses)
    if (!places.has(use.href)) places.set(use.href, reported.has(locationKey(use.location)) ? "reported" : use);
  return places;
}

const locationKey = (location: Location | undefined): string =>
  location ? `${location.sourcePath}:${location.line}:${location.column}` : "";

/** Output path and fragment that a link of a page leads to; undefined for one that leaves the bundle. */
export function targetOf(from: string, href: string): { readonly path: string; readonly fragment: string } | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return undefined;
  const hash = href.indexOf("#");
  const fragment = hash < 0 ? "" : href.slice(hash + 1);
  const path = (hash < 0 ? href : href.slice(0, hash)).replace(/\?.*$/s, "");
  return {
    path: path === "" ? from : posix.join(posix.dirname(from), decodePercent(path)),
    // A text fragment marks words, not an element; "top" is the start of the page.
    fragment: fragment.startsWith(":~:") || fragment === "top" ? "" : decodePercent(fragment),
  };
}
