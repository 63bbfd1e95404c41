import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { type AnchorWanted, checkAnchors, repairLinks, targetOf } from "../../page/check/index.js";
import { chromeIds } from "../../page/theme/index.js";
import { missingRedirectTarget } from "../../site/links/index.js";
import type { PageRecord } from "../pages/thread-messages.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { ExportRun } from "./start-run.js";

/**
 * Checks the links and redirects to anchors of other pages, whose ids are known only now, and rewrites the pages with links that spell
 * such an anchor differently. Few pages have any, so this costs less than parsing every page before the first is
 * rendered. One page at a time is in memory.
 *
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function healPages({ staging, settings }: ExportRun, bundle: BegunBundle, made: readonly PageRecord[]) {
  const { site, write } = bundle;
  const redirects = checkRedirects(bundle, made);
  const checked = [
    ...site.pages.map(({ outputPath }, i) => ({ outputPath, ...made[i]! })),
    { outputPath: "", ids: "", anchorsWanted: redirects.anchorsWanted },
  ];
  const { repairs, diagnostics } = checkAnchors(checked, chromeIds, { sourcePath: site.config.sourcePath });
  const records = [...made];
  for (const { index, outputPath } of staging ? site.pages : []) {
    const anchors = repairs.get(outputPath);
    if (anchors === undefined) continue;
    await setImmediate();
    settings.signal?.throwIfAborted();
    const html = readFileSync(staging!.placeOf(outputPath), "utf8");
    const file = write(outputPath, repairLinks(html, outputPath, anchors));
    const record = records[index]!;
    records[index] = { ...record, files: record.files.map((each) => (each.path === outputPath ? file : each)) };
  }
  return { records, linkFaults: [...redirects.diagnostics, ...diagnostics] };
}

/** Finds redirects to files that only some bundles have, such as the sitemap, and the anchors that redirects lead to. */
function checkRedirects(
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
    else if (fragment && location) anchorsWanted.push({ outputPath, fragment, location, isRedirect: true });
  }
  return { anchorsWanted, diagnostics };
}
