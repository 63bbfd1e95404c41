import { ApiError } from "./api-error.js";

type Refused = { readonly kind: "mismatch" } | { readonly kind: "full"; readonly maxQueued: number };

/** A queued job starts when a worker is free, which takes about as long as an export. */
const fullRetrySeconds = "30";

/** Throws the answer to a request for a job that is not started; returns for one that is. */
export function refuseStart<Started extends { readonly kind: string }>(
  started: Started,
): asserts started is Exclude<Started, { readonly kind: Refused["kind"] }> {
  const refused = started as unknown as Refused;
  if (refused.kind === "mismatch")
    throw new ApiError(
      422,
      "This Idempotency-Key was used for another request. Repeat that one unchanged, or take a new key.",
    );
  if (refused.kind === "full")
    throw new ApiError(
      429,
      `This organization has ${refused.maxQueued} queued jobs, the most it may have. Try again once some of them run, or cancel some.`,
      { "Retry-After": fullRetrySeconds },
    );
}
