import { maxUnusedMs, type RemoteStore } from "../../lib/cache/index.js";
import { folderOf } from "../../lib/url/index.js";
import type { ObjectStore } from "./object-store.js";

/** Prefix of the stored pages of all projects. */
export const cachePrefix = "cache/";
const maxBytes = 256 * 2 ** 20;

/** Key prefix of a project's stored pages. The service generates both ids, so nobody chooses the prefix. */
export const projectCachePrefix = (organizationId: string, projectId: string): string =>
  `${cachePrefix}${organizationId}/${projectId}/`;

/** The objects under `prefix` as a store that machines share. */
export function remoteStoreOf(objects: ObjectStore, prefix: string, onFailure: (error: unknown) => void): RemoteStore {
  return {
    async list(under, signal) {
      const listed = await within(objects.list(prefix + under, signal), signal);
      return listed.map(({ objectKey, bytes, changedAt }) => ({
        name: objectKey.slice(prefix.length),
        bytes,
        changedAt: changedAt.getTime(),
      }));
    },
    async get(name, signal) {
      const part = await within(objects.read(prefix + name, 0, maxBytes, signal), signal);
      return part && part.bytes.length === part.size ? part.bytes : undefined;
    },
    put: (name, bytes, signal) =>
      within(objects.putBytes(prefix + name, bytes, "application/octet-stream", signal), signal),
    remove: (name, signal) => within(objects.remove(prefix + name, signal), signal),
    onFailure,
  };
}

/**
 * Removes stored pages that no export has written for 30 days, and those of removed projects. Resolves with the number of
 * removed objects.
 *
 * @param isGone answers for the part of a key before the store's name.
 */
export async function pruneCacheObjects(
  objects: ObjectStore,
  under: string,
  now: () => number,
  isGone: (prefix: string) => Promise<boolean>,
): Promise<number> {
  const stores = Map.groupBy(await objects.list(under), ({ objectKey }) => folderOf(objectKey));
  const gone = new Map<string, boolean>();
  let count = 0;
  for (const [store, listed] of stores) {
    const owner = folderOf(store);
    if (!gone.has(owner)) gone.set(owner, await isGone(owner));
    const newest = Math.max(...listed.map(({ changedAt }) => changedAt.getTime()));
    if (!gone.get(owner) && now() - newest <= maxUnusedMs) continue;
    for (const { objectKey } of listed) await objects.remove(objectKey);
    count += listed.length;
  }
  return count;
}

/** A store may answer after the deadline, or never. */
function within<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
