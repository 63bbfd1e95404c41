import type { ModelLimits } from "./model-calls.js";
import type { ChangeLimits } from "./site-files.js";

/** What one run with a language model may use and change. */
export type RunLimits = ModelLimits & ChangeLimits;

export const runLimitDefaults: RunLimits = {
  requests: 60,
  tokens: 400_000,
  wallMs: 15 * 60_000,
  files: 40,
  lines: 2000,
  bytes: 2_000_000,
};
