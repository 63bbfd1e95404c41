import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { packEntryName } from "../checkout/index.js";
import type { ErasureStore, ErasureWork } from "../jobs/index.js";
import { siteFolderOf } from "./site-cache.js";

interface ConfirmDeps {
  readonly store: { readonly erasures: ErasureStore };
  readonly cacheFolder: string;
}

/**
 * Removes this machine's copies of what was erased, and tells the database. A site that is exported here at the moment
 * waits for the end of the export, which puts its cache back.
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
