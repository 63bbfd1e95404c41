import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeFrame, createCulpritFinder, type Diagnostic, locationText } from "../lib/diagnostic/index.js";
import type { HiddenPage, PreviewMark, PreviewProblem } from "../lib/preview-state.js";
import type { PagePlan, Site } from "../site/site.js";

/** @param folder of the site */
export function problemOf({ severity, code, what, fix, location }: Diagnostic, folder: string): PreviewProblem {
  const frame = location ? codeFrame(location, (path) => textIn(folder, path)) : [];
  return { severity, code, what, fix, ...(location && { where: locationText(location) }), frame };
}

/** @param folder of the site */
export const pointedAt = (diagnostics: readonly Diagnostic[], folder: string): Diagnostic[] =>
  diagnostics.map(createCulpritFinder((path) => textIn(folder, path)));

function textIn(folder: string, sourcePath: string): string | undefined {
  return sourcePath.split("/").includes("..") ? undefined : readFileSync(join(folder, sourcePath), "utf8");
}

/** What sets a page apart from those that readers find. */
export function markOf(page: PagePlan): PreviewMark | undefined {
  if (/^true$/i.test(String(page.frontmatter["draft"])))
    return { label: "Draft", reason: "Its front matter says draft: true, so exports leave it out." };
  if (!page.listed) return { label: "Hidden page", reason: "It is not in the navigation of docs.json." };
  if (!page.visible)
    return { label: "Hidden page", reason: "It is set to hidden, or in a hidden part of the navigation." };
  return undefined;
}

/** Most hidden pages that are listed. */
const mostHidden = 100;

export const hiddenPages = ({ pages }: Site): HiddenPage[] =>
  pages
    .flatMap((page) => {
      const mark = page.api ? undefined : markOf(page);
      return mark ? [{ title: page.title, href: encodeURI(page.urlPath), label: mark.label }] : [];
    })
    .slice(0, mostHidden);
