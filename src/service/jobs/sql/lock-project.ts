import type { Transaction } from "./database.js";

/**
 * Whether a site exists and is not removed. If so, an erasure waits for the end of the transaction and sees what it has
 * added; otherwise nothing may be added for the site any more.
 */
export async function lockProject(transaction: Transaction, projectId: string): Promise<boolean> {
  const rows = await transaction.query(
    "update projects set domain = domain where project_id = $1 and removed_at is null returning 1 as one",
    [projectId],
  );
  return rows.length > 0;
}
