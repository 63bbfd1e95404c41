import { ApiError } from "./api-error.js";

/** Addresses that are remembered; the ones that were refused first are forgotten. */
const maxAddresses = 10_000;
const maxLimit = 1000;

/**
 * Counts the refused keys of each client address in this process, in a sliding window. Above the limit the client gets
 * a 429 instead; a valid key is never refused, since clients may share an address.
 */
export function createRefusalLimit(wanted: number, windowMs: number, now: () => number) {
  const limit = Math.min(wanted, maxLimit);
  const refused = new Map<string, number[]>();
  return (refusal: ApiError, address: string | undefined): ApiError => {
    if (address === undefined || wanted === Number.POSITIVE_INFINITY) return refusal;
    const since = now() - windowMs;
    const times = (refused.get(address) ?? []).filter((time) => time > since && time <= now());
    refused.set(address, times);
    if (times.length < limit) {
      times.push(now());
      const oldest = refused.keys().next().value;
      if (refused.size > maxAddresses && oldest !== undefined) refused.delete(oldest);
      return refusal;
    }
    const seconds = Math.max(1, Math.ceil((times[0]! - since) / 1000));
    return new ApiError(
      429,
      `Too many requests from ${address} had no valid key. Correct the key, and try again in ${seconds} seconds.`,
      { "Retry-After": String(seconds) },
    );
  };
}
