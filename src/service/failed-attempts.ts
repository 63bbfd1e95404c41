import type { Failures } from "./jobs/index.js";

const firstDelayMs = 5_000;
const longestDelayMs = 15 * 60_000;

/**
 * How long a login must wait after its failures, in milliseconds: 5 seconds after failure number `allowed`, twice as long
 * after each further one, 15 minutes at most.
 *
 * @param now milliseconds since 1970.
 */
export function attemptDelay({ count, lastAt }: Failures, allowed: number, now: number): number {
  if (count < allowed) return 0;
  return Math.max(0, lastAt + Math.min(firstDelayMs * 2 ** (count - allowed), longestDelayMs) - now);
}

/** Names under which the failed logins of a person are counted. */
export const passwordFailures = (email: string): string => `password of ${email.toLowerCase()}`;
export const codeFailures = (personId: string): string => `code of ${personId}`;
