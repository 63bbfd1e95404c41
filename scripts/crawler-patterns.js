// Writes src/service/analytics/crawlers.json: the patterns of the package crawler-user-agents by what their crawlers do.
// Run it after an update of the package.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const list = createRequire(import.meta.url)("crawler-user-agents");
const file = fileURLToPath(new URL("../src/service/analytics/crawlers.json", import.meta.url));

/** Words that people's browsers have, too; some of them belong to what robots.txt names. */
const ignored = new Set(["Code\\/1\\.", "Trae\\/"]);

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

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(file, `${JSON.stringify(crawlerPatterns(), undefined, 2)}\n`);
