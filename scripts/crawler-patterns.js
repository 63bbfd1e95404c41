import { createRequire } from "node:module";

const list = createRequire(import.meta.url)("crawler-user-agents");

/** Words that people's browsers have, too; some of them belong to what robots.txt names. */
const ignored = new Set(["Code\\/1\\.", "Trae\\/"]);

/** The patterns of the package crawler-user-agents by what their crawlers do. */
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
