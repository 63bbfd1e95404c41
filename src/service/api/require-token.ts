import { createHash, timingSafeEqual } from "node:crypto";
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
