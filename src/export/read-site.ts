import { partDefaults } from "../site/config/index.js";
import type { Site } from "../site/site.js";
import { loadTrackedSite } from "./load-site.js";
import type { ExportRun } from "./start-run.js";

/** The first step: files and settings become the plan of the site. */
export function readSite({ settings, features, fetchText, progress, timings, inMemory }: ExportRun) {
  const { source, paths, output, archive, signal } = settings;
  progress("read", 0, 1);
  return timings.measure("read", async () => {
    const loaded = await loadTrackedSite({
      source,
      paths,
      written: [inMemory ? undefined : output, archive].filter((path) => path !== undefined),
      fetchText: features.remoteSpecs ? fetchText : undefined,
      onProgress: (done, total) => progress("read", done, total),
      signal,
    });
    return { ...loaded, site: loaded.site && settings.print ? withPrint(loaded.site) : loaded.site };
  });
}

/** The site as if its docs.json had `contextual.print`. */
const withPrint = (site: Site): Site => {
  const contextual = { options: [], ...partDefaults.contextual, ...site.config.contextual, print: true };
  return { ...site, config: { ...site.config, contextual } };
};
