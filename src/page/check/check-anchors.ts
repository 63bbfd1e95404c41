import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { type AnchorWanted, missingAnchor } from "./check-page.js";

/** What the check needs from a rendered page. */
export interface CheckedPage {
  readonly outputPath: string;
  /** Its own ids, joined by line feeds. */
  readonly ids: string;
  readonly anchorsWanted: readonly AnchorWanted[];
}

/**
 * Checks the links to anchors in other pages, once every page is rendered.
 *
 * @param everywhere ids that every page has
 */
export function checkAnchors(pages: Iterable<CheckedPage>, everywhere: ReadonlySet<string>): Diagnostic[] {
  const wanted: AnchorWanted[] = [];
  const idsOf = new Map<string, string>();
  for (const page of pages) {
    idsOf.set(page.outputPath, page.ids);
    wanted.push(...page.anchorsWanted);
  }
  const split = new Map<string, ReadonlySet<string>>();
  const diagnostics: Diagnostic[] = [];
  for (const { outputPath, fragment, location } of wanted) {
    const joined = idsOf.get(outputPath);
    if (joined === undefined || everywhere.has(fragment)) continue;
    const ids = split.get(outputPath) ?? new Set(joined.split("\n"));
    split.set(outputPath, ids);
    if (!ids.has(fragment)) diagnostics.push(missingAnchor(fragment, outputPath, location, [...ids]));
  }
  return diagnostics;
}
