import type { SteadyClock } from "./clock.js";
import type { Row } from "./database.js";

/**
 * Finds the leases that have expired: this process has seen the same heartbeat for `leaseMs`. It compares no clocks, so
 * that a step of any clock neither expires a lease nor extends one.
 *
 * @returns a function to call at intervals with all leases, as rows with `lease`, which differs for each lease ever, or
 *   else `heartbeat` begins differently, and `heartbeat`, which differs after each heartbeat.
 */
export function createLeaseWatch(leaseMs: number, steadyNow: SteadyClock): (leases: readonly Row[]) => readonly Row[] {
  let seen = new Map<Row[string], { readonly heartbeat: Row[string]; readonly since: number }>();
  return (leases) => {
    const before = seen;
    seen = new Map();
    return leases.filter((row) => {
      const [lease, heartbeat] = [row["lease"]!, row["heartbeat"]!];
      const last = before.get(lease);
      const since = last?.heartbeat === heartbeat ? last.since : steadyNow();
      seen.set(lease, { heartbeat, since });
      return steadyNow() - since >= leaseMs;
    });
  };
}
