import type { Diagnostic } from "../lib/diagnostic/index.js";
import { type AnchorWanted, targetOf } from "../page/check/index.js";
import { missingRedirectTarget } from "../site/links/index.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { PageRecord } from "./page-result.js";

/** Finds redirects to files that only some bundles have, such as the sitemap, and the anchors that redirects lead to. */
export function checkRedirects(
  { redirectTargets, files, outputs }: BegunBundle,
  records: readonly PageRecord[],
): { readonly anchorsWanted: readonly AnchorWanted[]; readonly diagnostics: readonly Diagnostic[] } {
  const anchorsWanted: AnchorWanted[] = [];
  const diagnostics: Diagnostic[] = [];
  if (redirectTargets.length === 0) return { anchorsWanted, diagnostics };
  const made = new Set([...files, ...outputs, ...records.flatMap((record) => record.files)].map(({ path }) => path));
  for (const { rule, outputPath, suffix } of redirectTargets) {
    const { location } = rule.redirect;
    const fragment = targetOf(outputPath, suffix)?.fragment;
    if (!made.has(outputPath)) diagnostics.push(missingRedirectTarget(rule, `/${outputPath}`));
    else if (fragment && location) anchorsWanted.push({ outputPath, fragment, location, isFixed: true });
  }
  return { anchorsWanted, diagnostics };
}
