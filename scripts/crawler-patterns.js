import { createRequire } from "node:module";

const list = createRequire(import.meta.url)("crawler-user-agents");

/** Words that also occur in browsers' user agents; some are part of the names in robots.txt. */
const ignored = new Set(["Code\\/1\\.", "Trae\\/"]);

/** The patterns of the package crawler-user-agents by the purpose of their crawlers. */
export function crawlerPatterns() {
  const patterns = { search: [], otherAi: [], bot: [], tool: [] };
  for (const { pattern, tags = [] } of list) {
    if (ignored.has(pattern)) continue;
    const isTool = tags.includes("http-library") || tags.includes("browser-automation");
    const name = isTool
      ? "tool"
      : tags.includes("search-engine")
        ? "search"
        : tags.includes("ai-crawler")
          ? "otherAi"
          : "bot";
    patterns[name].push(pattern);
  }
  return patterns;
}
