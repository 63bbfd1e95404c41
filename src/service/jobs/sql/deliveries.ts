import type { Delivery } from "../job-store.js";
import { jobOf } from "./job-rows.js";
import type { StoreDeps } from "./store-deps.js";

/** Longer than any wait between two attempts. A later due time is from before the clock was set back. */
const longestWaitMs = 10 * 60 * 60_000;

/** Taking a delivery moves its due time, so that it is due again if the process dies. */
export function takeDelivery(deps: StoreDeps, holdMs: number): Promise<Delivery | undefined> {
  return deps.database.transaction(async (transaction) => {
    for (;;) {
      const now = deps.now();
      const [due] = await transaction.query(
        "select delivery_id, due_at from deliveries where due_at <= $1 or due_at > $2 order by due_at limit 1",
        [now, now + longestWaitMs],
      );
      if (!due) return undefined;
      const [row] = await transaction.query(
        `update deliveries set due_at = $3, attempt = attempt + 1
         where delivery_id = $1 and due_at = $2 returning delivery_id, job_id, attempt`,
        [due["delivery_id"], due["due_at"], now + holdMs],
      );
      // Another process took it first.
      if (!row) continue;
      const [job] = await transaction.query("select * from jobs where job_id = $1", [row["job_id"]]);
      return { deliveryId: row["delivery_id"] as string, job: jobOf(job!), attempt: row["attempt"] as number };
    }
  });
}

export async function endDelivery(deps: StoreDeps, deliveryId: string, retryAt: Date | undefined): Promise<void> {
  await deps.database.transaction((transaction) =>
    retryAt
      ? transaction.query("update deliveries set due_at = $2 where delivery_id = $1", [deliveryId, retryAt.getTime()])
      : transaction.query("delete from deliveries where delivery_id = $1", [deliveryId]),
  );
}
