import type { FetchOutcome } from "../lib/fetch/index.js";
import { loadTrackedSite } from "./load-site.js";
import type { ExportRun } from "./start-run.js";

/** The first step: files and settings become the plan of the site. */
export function readSite({ settings, features, progress, timings, inMemory }: ExportRun) {
  const { source, paths, output, archive, signal } = settings;
  progress("read", 0, 1);
  return timings.measure("read", () =>
    loadTrackedSite({
      source,
      paths,
      written: [inMemory ? undefined : output, archive].filter((path) => path !== undefined),
      fetchText: features.remoteSpecs ? fetchText : undefined,
      onProgress: (done, total) => progress("read", done, total),
      signal,
    }),
  );
}

/** The fetcher is loaded on first use: few sites name a specification by URL. */
async function fetchText(url: string, signal?: AbortSignal): Promise<FetchOutcome> {
  const { guardedFetch } = await import("../lib/fetch/index.js");
  return guardedFetch(url, {}, signal);
}
