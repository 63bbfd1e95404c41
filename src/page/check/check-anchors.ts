import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { createIdFinder } from "../../lib/url/index.js";
import { type AnchorWanted, judgeAnchor } from "./anchor-faults.js";
import { anchorKey, type HealedAnchors } from "./heal-links.js";
import { isBroken } from "./is-broken.js";

/** What the check needs from a rendered page. */
export interface CheckedPage {
  readonly outputPath: string;
  /** Its own ids, joined by line feeds. */
  readonly ids: string;
  readonly anchorsWanted: readonly AnchorWanted[];
  /** What has been found in the page. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface AnchorCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** By the output path of the page whose links are to be changed. */
  readonly healed: ReadonlyMap<string, HealedAnchors>;
}

/**
 * Checks the links to anchors in other pages, once every page is rendered. The ids of one page at a time are in memory
 * as a set.
 *
 * @param everywhere ids that every page has
 * @param settings location of links in the settings
 */
export function checkAnchors(
  pages: readonly CheckedPage[],
  everywhere: ReadonlySet<string>,
  settings: Location,
): AnchorCheck {
  // The anchors of a page that cannot be read are missing because of its fault.
  const readable = pages.filter(({ ids, diagnostics = [] }) => ids !== "" || !isBroken(diagnostics));
  const idsOf = new Map(readable.map((page) => [page.outputPath, page.ids]));
  const wantedIn = new Map<string, { readonly from: string; readonly wanted: AnchorWanted }[]>();
  for (const { outputPath: from, anchorsWanted } of pages)
    for (const wanted of anchorsWanted) {
      const list = wantedIn.get(wanted.outputPath);
      if (list) list.push({ from, wanted });
      else if (idsOf.has(wanted.outputPath)) wantedIn.set(wanted.outputPath, [{ from, wanted }]);
    }
  const diagnostics: Diagnostic[] = [];
  const healed = new Map<string, Map<string, string>>();
  for (const [outputPath, links] of wantedIn) {
    const ids = idsOf.get(outputPath)!.split("\n");
    const known = new Set(ids);
    const missing = links.filter(({ wanted }) => !known.has(wanted.fragment) && !everywhere.has(wanted.fragment));
    if (missing.length === 0) continue;
    const findId = createIdFinder(ids);
    for (const { from, wanted } of missing) {
      const { id, diagnostic } = judgeAnchor(wanted, ids, findId, settings);
      diagnostics.push(diagnostic);
      if (id === undefined) continue;
      const own = healed.get(from) ?? new Map<string, string>();
      healed.set(from, own.set(anchorKey(outputPath, wanted.fragment), id));
    }
  }
  return { diagnostics, healed };
}
