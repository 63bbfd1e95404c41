import { join, relative, sep } from "node:path";
import { storeFolderOf } from "../../export/index.js";
import { shareFolder } from "../../lib/cache/index.js";
import type { Log } from "../../lib/log.js";
import type { Project } from "../jobs/index.js";
import { type ObjectStore, projectCachePrefix, remoteStoreOf } from "../store/index.js";
import type { ExportFolders } from "./export-folders.js";
import { siteCache } from "./site-cache.js";

export interface JobCacheDeps {
  readonly store: { readonly objects: ObjectStore };
  /** Shared by all workers of this machine. */
  readonly cacheFolder: string;
  /** Whether all workers share the stored pages of a site through the object store. */
  readonly shareCache: boolean;
  readonly log: Log;
}

export type JobCache = Awaited<ReturnType<typeof openJobCache>>;

/** How often the pages of an export that goes on are sent: another worker can go on from there. */
const everyMs = 500;
/** A cache is only for one site. */
export const nameInCache = "";

/**
 * The cache of one export: that of the site on this machine, and the pages that other workers have stored. The export's
 * process gets the files alone; this process asks the object store. Never fails.
 */
export async function openJobCache(
  jobId: string,
  { organizationId, projectId }: Project,
  folders: ExportFolders,
  { store, cacheFolder, shareCache, log }: JobCacheDeps,
  signal: AbortSignal,
) {
  const own = siteCache(cacheFolder, projectId);
  await own.lend(folders.cache);
  const path = relative(folders.own, storeFolderOf(folders.cache, nameInCache)).split(sep);
  const remote = remoteStoreOf(store.objects, projectCachePrefix(organizationId, projectId), (error) =>
    log("warn", "the shared cache failed, a job goes on without it", { jobId, error: String(error) }),
  );
  const under = path.at(-1)!;
  const shared = shareCache ? shareFolder({ root: folders.own, path, remote, under, signal }) : undefined;
  /** The export's process writes into its own folders, so what comes later goes where it can only read. */
  const later = shareFolder({ root: folders.fetched, path: ["parts"], remote, under, signal });
  await shared?.fetch();
  const timer = shared && setInterval(() => void shared.sendPartial(), everyMs);
  let sending: Promise<void> | undefined;
  return {
    /** Whether other workers see the pages of this export. */
    isShared: shareCache,
    /** Brings the pages that other workers have stored since. Gives their folder. */
    async fetchLater(): Promise<string> {
      await later.fetch();
      return join(folders.fetched, "parts");
    },
    /** Sends the pages that this export has stored so far. */
    sendPartial: async (): Promise<void> => shared?.sendPartial(),
    /** Call it once the export's process has ended with a bundle. */
    onExported(): void {
      clearInterval(timer);
      sending = shared?.send();
    },
    /** Call it once the export's process has ended. */
    async close(): Promise<void> {
      clearInterval(timer);
      await (sending ?? shared?.sendPartial());
      await own.takeBack(folders.cache);
    },
  };
}
