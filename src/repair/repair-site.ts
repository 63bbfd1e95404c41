import type { Repair, RepairOptions } from "./repair-types.js";

/**
 * Finds the edits that mend a site and checks the site with them, in a temporary copy. Writes nothing into the folder:
 * see `writeRepair`. The same site gives the same result, and a repaired one nothing more to change.
 *
 * Stops: within a second once `signal` aborts; rejects with its reason.
 */
export async function repairSite({ folder, signal }: RepairOptions): Promise<Repair> {
  signal?.throwIfAborted();
  throw new Error(`${folder} was not repaired: not built yet.`);
}
