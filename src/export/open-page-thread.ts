import { createBundleWriter, type WriteBundleFile } from "../bundle/archive/index.js";
import { type Cache, openFolderCache } from "../lib/cache/index.js";
import type { Location } from "../lib/diagnostic/index.js";
import { createIcons } from "../page/icons/index.js";
import type { IconPort } from "../page/render/index.js";
import { type Addresses, createAddresses } from "../site/links/index.js";
import { openListedFolder } from "../site/source/index.js";
import type { PageThreadData } from "./page-thread-data.js";
import { type TrackedFiles, trackReads } from "./track-reads.js";

/** What the stages of one thread share. */
export interface PageThread extends PageThreadData {
  readonly files: TrackedFiles;
  readonly addresses: Addresses;
  readonly icons: IconPort;
  readonly cache: Cache | undefined;
  readonly write: WriteBundleFile;
  /** Location of what docs.json adds to every page. */
  readonly chromeLocation: Location;
}

export function openPageThread(data: PageThreadData): PageThread {
  const { site, cacheFolder } = data;
  return {
    ...data,
    files: trackReads(openListedFolder(data.root, data.sourcePaths)),
    addresses: createAddresses(site),
    icons: createIcons({ library: site.config.icons.library }),
    cache: cacheFolder === undefined ? undefined : openFolderCache(cacheFolder),
    write: createBundleWriter(data.staging),
    chromeLocation: { sourcePath: site.config.sourcePath },
  };
}
