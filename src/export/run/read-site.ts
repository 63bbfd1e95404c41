import { partDefaults } from "../../site/config/index.js";
import type { DiscoverOptions } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import type { OpenedFolder } from "../../site/source/index.js";
import type { KnownPlan } from "../store/plan-store.js";
import { loadTrackedSite, openSource } from "./load-site.js";
import type { ExportRun } from "./start-run.js";

/** Lists the files of the site, without what the export writes. */
export function openSite({ settings, inMemory }: ExportRun): OpenedFolder {
  const { source, output, archive } = settings;
  return openSource(
    source,
    [inMemory ? undefined : output, archive].filter((path) => path !== undefined),
  );
}

/** Files and settings become the plan of the site. @param more see `DiscoverOptions` */
export function readSite(
  { settings, features, fetchText, progress, timings }: ExportRun,
  opened: OpenedFolder,
  more: Pick<DiscoverOptions, "drafts" | "scans"> & { readonly known?: KnownPlan | undefined } = {},
) {
  const { source, paths, audience, cacheFolder, signal } = settings;
  progress("read", 0, 1);
  return timings.measure("read", async () => {
    const options = {
      source,
      paths,
      audience,
      fetchText: features.remoteSpecs ? fetchText : undefined,
      onProgress: (done: number, total: number) => progress("read", done, total),
      signal,
      ...more,
      hashes: cacheFolder !== undefined,
    };
    const loaded = await loadTrackedSite(options, opened);
    return { ...loaded, site: loaded.site && settings.print ? withPrint(loaded.site) : loaded.site };
  });
}

/** The site as if its docs.json had `contextual.print`. */
const withPrint = (site: Site): Site => {
  const contextual = { options: [], ...partDefaults.contextual, ...site.config.contextual, print: true };
  return { ...site, config: { ...site.config, contextual } };
};
