import type { PagePlan } from "../../site/site.js";

/** Whether a page may be listed for search engines and agents: in the sitemap, llms.txt, feeds. */
export function isPublished(page: PagePlan): boolean {
  const { url, robots } = page.frontmatter;
  return page.indexed && !page.noindex && url === undefined && !forbidsIndexing(robots);
}

/** Whether a robots directive keeps a page out of search engines. */
export const forbidsIndexing = (robots: unknown): boolean =>
  typeof robots === "string" && /\b(?:noindex|none)\b/i.test(robots);
