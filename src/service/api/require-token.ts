import { createHash, timingSafeEqual } from "node:crypto";
import { networkOf } from "../../lib/http/index.js";
import { attemptDelay } from "../failed-attempts.js";
import type { AccountStore } from "../jobs/index.js";
import { ApiError } from "./api-error.js";

/**
 * Compares in constant time.
 *
 * @param realm what the token opens, in lower case.
 * @throws {ApiError} 401 unless the Authorization header contains `token`.
 */
export function requireToken(token: string, authorization: string | undefined, realm: string): void {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  if (timingSafeEqual(hash(`Bearer ${token}`), hash(authorization ?? ""))) return;
  throw new ApiError(401, `This route needs the token of ${realm}: Authorization: Bearer <token>.`, {
    "WWW-Authenticate": `Bearer realm="${realm}"`,
  });
}

/** The failure after which an address begins to wait. */
const allowedFailures = 10;

/**
 * The check of `requireToken` for a token that nobody may guess: after ten wrong ones, an address waits longer and longer,
 * up to 15 minutes, in all processes. The right token waits as well; otherwise guesses would have no limit.
 *
 * @returns a function that throws an `ApiError`: 401, or 429 with Retry-After.
 */
export function createTokenCheck(accounts: AccountStore, token: string, realm: string, now: () => number) {
  return async (authorization: string | undefined, address = "unknown"): Promise<void> => {
    const name = `token of ${realm} from ${networkOf(address)}`;
    const wait = (ms: number): void => {
      if (ms <= 0) return;
      const seconds = Math.ceil(ms / 1000);
      throw new ApiError(429, `Too many wrong tokens came from ${address}. Try again in ${seconds} seconds.`, {
        "Retry-After": String(seconds),
      });
    };
    try {
      requireToken(token, authorization, realm);
    } catch (refusal) {
      // No token is no guess.
      if (authorization === undefined) throw refusal;
      wait(
        (await accounts.countFailure([name], ([failures]) => attemptDelay(failures!, allowedFailures, now()))).waitMs,
      );
      throw refusal;
    }
    wait(attemptDelay(await accounts.failures(name), allowedFailures, now()));
  };
}
