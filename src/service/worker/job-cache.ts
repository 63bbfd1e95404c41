import { cp, lstat, mkdir, readdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { storeFolderOf } from "../../export/index.js";
import { pruneUnused, shareFolder } from "../../lib/cache/index.js";
import type { Log } from "../../lib/log.js";
import { packEntryName } from "../git/checkout/index.js";
import type { ErasureStore, ErasureWork, Project } from "../jobs/index.js";
import { type ObjectStore, projectCachePrefix, remoteStoreOf } from "../store/index.js";
import type { ExportFolders } from "./export-process.js";

export interface JobCacheDeps {
  readonly store: { readonly objects: ObjectStore };
  /** Shared by all workers of this machine. */
  readonly cacheFolder: string;
  /** Whether all workers share the stored pages of a site through the object store. */
  readonly shareCache: boolean;
  readonly log: Log;
}

export type JobCache = Awaited<ReturnType<typeof openJobCache>>;

/** How often the pages of a running export are sent, so that another worker can continue from there. */
const everyMs = 500;

/** Each site has its own cache. */
export const nameInCache = "";

/** The cache of one export: files of this machine, and pages of other workers. Never fails. */
export async function openJobCache(
  jobId: string,
  { organizationId, projectId }: Project,
  folders: ExportFolders,
  { store, cacheFolder, shareCache, log }: JobCacheDeps,
  signal: AbortSignal,
) {
  const cacheOfSite = siteCache(cacheFolder, projectId);
  await cacheOfSite.lend(folders.cache);
  const path = relative(folders.own, storeFolderOf(folders.cache, nameInCache)).split(sep);
  const remote = remoteStoreOf(store.objects, projectCachePrefix(organizationId, projectId), (error) =>
    log("warn", "the shared cache failed; the job continues without it", { jobId, error: String(error) }),
  );
  const under = path.at(-1)!;
  const shared = shareCache ? shareFolder({ root: folders.own, path, remote, under, signal }) : undefined;
  /** The export's process may replace anything in its own folders, so later pages go where it can only read. */
  const later = shareFolder({ root: folders.fetched, path: ["parts"], remote, under, signal });
  await shared?.fetch();
  const timer = shared && setInterval(() => void shared.sendPartial(), everyMs);
  let sending: Promise<void> | undefined;
  return {
    /** Whether other workers see the pages of this export. */
    isShared: shareCache,
    /** Downloads the pages that other workers have stored since. Returns their folder. */
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
      await cacheOfSite.takeBack(folders.cache);
    },
  };
}

/** @param folder of all caches. */
const siteFolderOf = (folder: string, projectId: string): string => join(folder, "sites", projectId);

/**
 * The cache of one site. Only one export uses it at a time; another one at the same time gets an empty cache, which is
 * dropped. A cache may be lost at any time, so nothing here fails.
 *
 * @param folder of all caches.
 */
export function siteCache(folder: string, projectId: string) {
  const siteFolder = siteFolderOf(folder, projectId);
  const sites = dirname(siteFolder);
  return {
    async lend(target: string): Promise<void> {
      await move(siteFolder, target).catch(() => {});
    },
    /** Moves the cache back. */
    async takeBack(from: string): Promise<void> {
      try {
        // The export could have created a link there.
        if (!(await lstat(from)).isDirectory()) return;
        await mkdir(sites, { recursive: true });
        await move(from, siteFolder);
        await utimes(siteFolder, new Date(), new Date());
        await pruneUnused(sites, [/^prj_/]);
      } catch {
        // Another export has put its cache back first.
      }
    },
  };
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true, force: true });
  }
}

interface ConfirmDeps {
  readonly store: { readonly erasures: ErasureStore };
  readonly cacheFolder: string;
}

/**
 * Removes this machine's copies of erased data, and confirms that in the database. If the site is being exported here,
 * it waits until the export has put its cache back.
 *
 * @param isBusy whether this worker runs a job of the project.
 * @param taking resolves once the job that is being taken is known to `isBusy`.
 */
export async function confirmErasures(
  workerId: string,
  { store, cacheFolder }: ConfirmDeps,
  isBusy: (projectId: string) => boolean,
  taking: () => Promise<unknown>,
): Promise<void> {
  const erasures = await store.erasures.unconfirmed(workerId);
  await taking();
  for (const erasure of erasures) {
    if (erasure.projects.some(({ projectId }) => isBusy(projectId))) continue;
    let files = 0;
    for (const folder of foldersOf(cacheFolder, erasure)) {
      files += await countFiles(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
    await store.erasures.confirm(erasure.erasureId, workerId, files);
  }
}

const foldersOf = (cacheFolder: string, { projects, repositories }: ErasureWork): string[] => [
  ...projects.map(({ projectId }) => siteFolderOf(cacheFolder, projectId)),
  ...repositories.map(({ url, subfolder }) => join(cacheFolder, "git", packEntryName(url, subfolder))),
];

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).length;
}
