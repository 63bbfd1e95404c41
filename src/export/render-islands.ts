import { writeHtml } from "../lib/html/write-html.js";
import { engineVersion } from "../lib/package-root.js";
import { createIcons } from "../page/icons/index.js";
import { createIslandRenderer, type IslandRenderer } from "../page/islands/index.js";
import { hrefOf } from "../site/links/index.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { ExportRun } from "./start-run.js";

/** Renders the live components of the site's pages. Nothing is loaded or started before the first one. */
export function createSiteIslands(run: ExportRun, { site, siteFiles, addresses }: BegunBundle): IslandRenderer {
  const icons = createIcons({ library: site.config.icons.library });
  const islands = createIslandRenderer({
    cache: run.cache,
    version: engineVersion(),
    worker: run.islandWorker(),
    has: (path) => siteFiles.has(path),
    readModule: (path) => (siteFiles.has(path) ? siteFiles.readText(path) : undefined),
    resolveLink(literal) {
      const target = addresses.resolve(literal, { sourcePath: site.config.sourcePath });
      return target.kind === "page" || target.kind === "file" ? hrefOf(target, "index.html") : undefined;
    },
    icon(name) {
      const { node, diagnostics } = icons.icon({ name });
      return node === undefined || diagnostics.length > 0 ? undefined : writeHtml(node);
    },
  });
  run.onClose(() => islands.close());
  return islands;
}
