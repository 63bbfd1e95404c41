import { createHash } from "node:crypto";
import type { IdempotencyKey } from "../jobs/index.js";
import { ApiError, tryLater } from "./api-error.js";
import type { ApiContext } from "./request-context.js";

/** Marks the response to a repeated Idempotency-Key. */
export const replayedHeader = "Idempotent-Replayed";

/** The Idempotency-Key with a hash of the request, if any. @throws {ApiError} 400 for an invalid one. */
export function readIdempotencyKey(c: ApiContext, route: string, content: unknown): IdempotencyKey | undefined {
  const header = c.req.header("Idempotency-Key");
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header))
    throw new ApiError(400, "The Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.");
  const requestHash = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return { key: header, route, requestHash };
}

type Refused = { readonly kind: "mismatch" } | { readonly kind: "full"; readonly maxQueued: number };

/** A queued job starts once a worker is free, after about the time of an export. */
const fullRetrySeconds = 30;

/** Throws the error of a job that was not started; returns for one that was. */
export function refuseStart<Started extends { readonly kind: string }>(
  started: Started,
): asserts started is Exclude<Started, { readonly kind: Refused["kind"] }> {
  const refused = started as unknown as Refused;
  if (refused.kind === "mismatch")
    throw new ApiError(
      422,
      "This Idempotency-Key was used for a different request. Repeat that request unchanged, or use a new key.",
    );
  if (refused.kind === "full")
    throw tryLater(
      429,
      `This organization has reached its limit of ${refused.maxQueued} queued jobs. Try again when some of them have started, or cancel some.`,
      fullRetrySeconds,
    );
}
