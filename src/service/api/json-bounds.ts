import { exceededBound } from "../../lib/json/index.js";
import { ApiError } from "./api-error.js";

/** Requests need two levels; the largest valid one has some 10,000 values. */
const bounds = { maxDepth: 16, maxValues: 20_000 };

/** @throws {ApiError} 400 for too deep nesting, 413 for too many values. */
export function checkJsonBounds(body: Uint8Array): void {
  const exceeded = exceededBound(body, bounds);
  if (exceeded === "maxDepth")
    throw new ApiError(
      400,
      `The body nests arrays and objects more than ${bounds.maxDepth} levels deep. Send a flat object.`,
    );
  if (exceeded === "maxValues")
    throw new ApiError(413, `The body has more than ${bounds.maxValues} values, which is the most that is taken.`);
}
