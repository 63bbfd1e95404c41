import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { createIdFinder } from "../../lib/url/index.js";
import type { LinkUse } from "../render/index.js";
import { type AnchorWanted, judgeAnchor } from "./check-anchors.js";
import { type AnchorRepairs, anchorKey, createTargetFinder, type targetOf } from "./repair-links.js";
import { type DocumentLink, scanDocument } from "./scan-document.js";

export interface PageToCheck {
  readonly outputPath: string;
  /** The document as written to the bundle, in pieces that never split a tag. */
  readonly html: readonly string[];
  /** Links and assets of the page's source, as emitted. */
  readonly uses: readonly LinkUse[];
  /** The location reported for links that are not in the page's own text: navigation, footer, settings. */
  readonly chromeLocation: Location;
  /** Faults reported earlier. Links at their locations are not reported again. */
  readonly reported: readonly Diagnostic[];
  /** Whether the bundle will have a file at this output path. */
  readonly isFile: (outputPath: string) => boolean;
  /** Ids of the chrome. */
  readonly everywhere: ReadonlySet<string>;
}

export interface PageCheck {
  /** Ids of the page's own content, without those of the chrome. */
  readonly ids: readonly string[];
  readonly anchorsWanted: readonly AnchorWanted[];
  /** For links to anchors of the page itself that are spelled differently: the right id. */
  readonly repairs: AnchorRepairs;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks pages one after the other; see `checkPage`. */
export function createPageCheck(): (page: PageToCheck) => PageCheck {
  const findTarget = createTargetFinder();
  return (page) => checkPage(page, findTarget);
}

/**
 * Checks the links and assets of one emitted document against the files of the bundle. Links to other hosts are not
 * followed. Anchors in other pages are returned; `checkAnchors` checks them when all pages are rendered.
 */
function checkPage(page: PageToCheck, findTarget: typeof targetOf): PageCheck {
  const { ids: all, links } = scanDocument(page.html);
  const existing = new Set(all);
  const ids = all.filter((id) => !page.everywhere.has(id));
  const findId = lazy(() => createIdFinder(ids));
  const uses = locationsByHref(page);
  const anchorsWanted: AnchorWanted[] = [];
  const repairs = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];

  for (const link of links) {
    const target = findTarget(page.outputPath, link.value);
    if (!target) continue;
    const use = uses.get(link.value);
    if (use === "reported") continue;
    const location = use?.location ?? page.chromeLocation;
    const places = use && use.places.length > 0 ? { places: use.places } : {};
    const anchor = { outputPath: target.path, fragment: target.fragment, location, ...places };
    if (target.path !== page.outputPath && !page.isFile(target.path))
      // A link of the layout is written differently at each depth, so report its target, which is the same everywhere.
      diagnostics.push(missingFile(link, use?.written ?? target.path, target.path, location));
    else if (target.fragment === "") continue;
    else if (target.path !== page.outputPath) anchorsWanted.push(anchor);
    else if (!existing.has(target.fragment)) {
      const { id, diagnostic } = judgeAnchor(anchor, ids, findId(), page.chromeLocation);
      if (id !== undefined) repairs.set(anchorKey(target.path, target.fragment), id);
      diagnostics.push(diagnostic);
    }
  }
  return { ids, anchorsWanted, repairs, diagnostics };
}

function missingFile(link: DocumentLink, written: string, path: string, location: Location): Diagnostic {
  const isAsset = link.attribute !== "href";
  const what =
    written === path
      ? `A page links to "${path}", which is not in the exported site.`
      : `"${written}" points to ${path}, which is not in the exported site.`;
  const fix = isAsset
    ? `add the file to the site as "${path}", or correct the path.`
    : "link to a page of the site, or remove the link.";
  return { code: isAsset ? "ASSET_NOT_FOUND" : "LINK_NOT_FOUND", severity: "warning", what, location, fix };
}

type UsedLink = LinkUse & { readonly places: Location[] };

function locationsByHref(page: PageToCheck): Map<string, UsedLink | "reported"> {
  /** The start of each quote in the faults at a location. */
  const reported = new Map<string, Set<string>>();
  for (const { severity, what, location } of page.reported) {
    if (severity === "hint") continue;
    const quotes = reported.get(locationKey(location)) ?? new Set();
    for (const [, quote] of what.matchAll(/"([^"]*)"/g)) quotes.add(quote!.slice(0, maxQuoted));
    reported.set(locationKey(location), quotes);
  }
  const usesAt = lazy(() => Map.groupBy(page.uses, ({ location }) => locationKey(location)));
  /** All links of a generated page have the location of what the page is about, so their addresses tell them apart. */
  const isReported = ({ href, written, location }: LinkUse): boolean => {
    const quotes = reported.get(locationKey(location));
    if (quotes === undefined) return false;
    const isAlone = usesAt()
      .get(locationKey(location))!
      .every((use) => use.href === href);
    return isAlone || quotes.has(written.slice(0, maxQuoted).split('"', 1)[0]!);
  };
  const used = new Map<string, UsedLink | "reported">();
  for (const use of page.uses) {
    const first = used.get(use.href);
    if (first === undefined) used.set(use.href, isReported(use) ? "reported" : { ...use, places: [] });
    else if (first !== "reported") first.places.push(use.location);
  }
  return used;
}
/** Messages cut longer addresses. */
const maxQuoted = 40;

const locationKey = (location: Location | undefined): string =>
  location ? `${location.sourcePath}:${location.line}:${location.column}` : "";
