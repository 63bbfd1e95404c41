import { createBundleWriter } from "../bundle/archive/index.js";
import { openFolderCache } from "../lib/cache/index.js";
import { createIcons } from "../page/icons/index.js";
import { createAddresses } from "../site/links/index.js";
import { openListedFolder } from "../site/source/index.js";
import type { PageThreadData } from "./page-thread-data.js";
import { trackReads } from "./track-reads.js";

/** What the stages of one thread share. */
export type PageThread = ReturnType<typeof openPageThread>;

export function openPageThread(data: PageThreadData) {
  const { site, cacheFolder } = data;
  return {
    ...data,
    files: trackReads(openListedFolder(data.root, data.sourcePaths)),
    addresses: createAddresses(site),
    icons: createIcons({ library: site.config.icons.library }),
    cache: cacheFolder === undefined ? undefined : openFolderCache(cacheFolder),
    write: createBundleWriter(data.staging),
    /** Location of what docs.json adds to every page. */
    chromeLocation: { sourcePath: site.config.sourcePath },
  };
}
