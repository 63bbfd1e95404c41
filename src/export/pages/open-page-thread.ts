import { createBundleWriter } from "../../bundle/archive/index.js";
import { openPackedCache } from "../../lib/cache/index.js";
import { engineVersion } from "../../lib/package-root.js";
import { createIcons } from "../../page/icons/create-icons.js";
import { createImageMeter } from "../../page/render/index.js";
import { createAddresses, type EmbeddedFile } from "../../site/links/index.js";
import { openListedFolder } from "../../site/source/index.js";
import { createReadLog, noReadLog, noteAddresses, noteFileReads, noteSizes } from "../store/page-reads.js";
import { bodySiteOf, noteShownTexts } from "../store/plan-hashes.js";
import { trackReads } from "../store/source-files.js";
import { createApiPages, createModelPages } from "./api-pages.js";
import type { EmbeddedEntries, PageThreadData } from "./thread-messages.js";

/** What the stages of one thread share. */
export type PageThread = Awaited<ReturnType<typeof openPageThread>>;

export async function openPageThread(data: PageThreadData) {
  const { site, cacheFolder } = data;
  const embedded = new Map<string, EmbeddedFile>();
  const embeddedPaths = new Set<string>();
  const addEmbedded = (entries: EmbeddedEntries = []): void => {
    for (const [url, file] of entries) {
      embedded.set(url, file);
      embeddedPaths.add(file.outputPath);
    }
  };
  addEmbedded(data.embedded);
  const log = data.packs === undefined ? noReadLog : createReadLog();
  const tracked = trackReads(openListedFolder(data.root, data.sourcePaths, data.texts));
  const shown = data.packs === undefined ? undefined : noteShownTexts(site);
  const frameSite = shown?.site ?? site;
  return {
    ...data,
    /** Output paths of the copies that pages may use. */
    embeddedPaths,
    addEmbedded,
    /** Notes what the current page reads. Its body depends on nothing else. */
    log,
    files: noteFileReads(tracked, log),
    measure: noteSizes(await createImageMeter(tracked), log),
    bodyAddresses: noteAddresses(createAddresses(site, embedded), log),
    bodySite: bodySiteOf(site),
    /** The whole site, on which the frame of a page depends. */
    frameSite,
    frameAddresses: createAddresses(frameSite, embedded),
    /** Absent for pages that are not stored. */
    shown,
    takeInputs: tracked.takeReads,
    /** Body stages must note what they get from `apiPages` and `models`. */
    apiPages: createApiPages(site),
    models: createModelPages(site),
    icons: createIcons({ library: site.config.icons.library }),
    /** Cache of highlighted code. */
    cache: cacheFolder === undefined ? undefined : openPackedCache(cacheFolder, `code ${engineVersion()}`),
    write: createBundleWriter(data.staging),
    /** Location of what docs.json adds to every page. */
    chromeLocation: { sourcePath: site.config.sourcePath },
  };
}
