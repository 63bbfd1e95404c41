import type { Refusal } from "../../assistant/index.js";
import { ApiError } from "../api-error.js";
import type { AssistantMetrics } from "./assistant-metrics.js";
import texts from "./texts.json" with { type: "json" };

export function tooMany({ limit, retrySeconds }: Refusal, metrics: AssistantMetrics | undefined): ApiError {
  metrics?.refused(limit);
  return new ApiError(429, `${texts.limits[limit]} Try again in ${retrySeconds} seconds.`, {
    "Retry-After": String(retrySeconds),
  });
}
