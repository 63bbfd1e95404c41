import { networkOf } from "../../../lib/http/index.js";

/** Networks that are counted at once; then all begin again. */
const mostNetworks = 50_000;

/** Counts the requests of each network in windows of `windowMs`, in this process. False: it has sent `limit` in this one. */
export function createAddressLimit(limit: number, windowMs: number, now: () => number) {
  const counts = new Map<string, number>();
  let startedAt = now();
  return (address: string | undefined): boolean => {
    if (Math.abs(now() - startedAt) >= windowMs || counts.size >= mostNetworks) {
      counts.clear();
      startedAt = now();
    }
    const network = networkOf(address ?? "");
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return count <= limit;
  };
}
