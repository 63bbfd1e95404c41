import { createHash } from "node:crypto";
import type { IdempotencyKey } from "../jobs/index.js";
import { ApiError } from "./api-error.js";

/**
 * The client's Idempotency-Key with a hash of the request; undefined if there is none.
 *
 * @throws {ApiError} 400 if it is empty, too long, or not visible ASCII.
 */
export function readIdempotencyKey(
  header: string | undefined,
  route: string,
  content: unknown,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header))
    throw new ApiError(400, "The Idempotency-Key is 1 to 255 visible ASCII characters, such as a UUID.");
  const requestHash = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return { key: header, route, requestHash };
}
