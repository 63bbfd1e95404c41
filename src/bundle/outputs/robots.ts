import type { Site } from "../../site/site.js";

/**
 * The text of robots.txt. It has a `Content-Signal` (what the content may be used for) only if the site sets
 * `seo.metatags.content-signal`: "search=yes, ai-train=no". `sitemapUrl` is absolute, undefined if there is none.
 */
export function robotsText(site: Site, sitemapUrl: string | undefined): string {
  const signal = Object.entries(site.config.seo.metatags).find(
    ([name]) => name.toLowerCase() === "content-signal",
  )?.[1];
  const lines = ["User-agent: *"];
  if (signal !== undefined && /^[a-z-]+=(?:yes|no)(?:, *[a-z-]+=(?:yes|no))*$/.test(signal.trim()))
    lines.push(`Content-Signal: ${signal.trim()}`);
  lines.push("Allow: /");
  if (sitemapUrl !== undefined) lines.push("", `Sitemap: ${sitemapUrl}`);
  return `${lines.join("\n")}\n`;
}
