import type { Actor, ErasedObjects, Erasure, ErasureRefusal, ErasureTarget, ErasureWork } from "./jobs/index.js";
import type { Store } from "./open-store.js";
import { bundlesPrefix, type ObjectStore, projectCachePrefix } from "./store/index.js";

type ErasingStore = Pick<Store, "erasures" | "objects">;

/** After this time, another process may take over the work. */
const holdMs = 60_000;

/**
 * Erases `target` from the database and the object store, so its links stop working at once. Workers remove their copies
 * within seconds, and then the receipt is complete.
 *
 * Fails: rejects if the database fails. If the object store fails, maintenance retries.
 */
export async function erase(store: ErasingStore, target: ErasureTarget, by: Actor): Promise<Erasure | ErasureRefusal> {
  const erased = await store.erasures.erase(target, by);
  if (!("erasureId" in erased)) return erased;
  await removeErased(store, erased.erasureId).catch(() => {});
  return (await store.erasures.get(erased.erasureId)) ?? erased;
}

export async function continueErasures(store: ErasingStore, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await removeErased(store)));
}

async function removeErased({ erasures, objects }: ErasingStore, erasureId?: string): Promise<boolean> {
  const work = await erasures.takeWork(holdMs, erasureId);
  if (!work) return false;
  const removed = work.hasObjects ? await removeObjects(objects, work) : { bundles: 0, caches: 0 };
  await erasures.objectsRemoved(work.erasureId, removed, work.isConfirmed);
  return true;
}

async function removeObjects(
  objects: ObjectStore,
  { jobIds, objectKeys, projects }: ErasureWork,
): Promise<ErasedObjects> {
  let [bundles, caches] = [0, 0];
  for (const objectKey of objectKeys) {
    if ((await objects.sizeOf(objectKey)) === undefined) continue;
    await objects.remove(objectKey);
    bundles++;
  }
  for (const jobId of jobIds) bundles += await removeUnder(objects, `${bundlesPrefix}${jobId}/`);
  for (const { organizationId, projectId } of projects)
    caches += await removeUnder(objects, projectCachePrefix(organizationId, projectId));
  return { bundles, caches };
}

async function removeUnder(objects: ObjectStore, prefix: string): Promise<number> {
  const stored = await objects.list(prefix);
  for (const { objectKey } of stored) await objects.remove(objectKey);
  return stored.length;
}
