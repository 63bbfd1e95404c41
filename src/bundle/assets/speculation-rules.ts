import { pageLinks } from "../../lib/page-links.js";
import type { Site } from "../../site/site.js";

/**
 * Speculation rules: browsers prepare the page behind a link that a reader points at, and show it at once after the click.
 * Pages of a site with scripts of its own are only fetched: such a script could count a view of a page that nobody sees.
 */
export function speculationRules({ scripts }: Pick<Site, "scripts">): string {
  // A pattern for addresses would have to start with the path of the site, which the export may not know.
  const rules = [{ where: { selector_matches: pageLinks }, eagerness: "moderate" }];
  return `${JSON.stringify(scripts.length > 0 ? { prefetch: rules } : { prerender: rules })}\n`;
}
