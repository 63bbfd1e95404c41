import type { ExportPhase, ExportProgress } from "./export-options.js";

export type UpdateProgress = (phase: ExportPhase, done: number, total: number) => void;

/** Percentage of the whole run that each phase takes, in the order in which they run. */
const shares: readonly (readonly [ExportPhase, number])[] = [
  ["read", 8],
  ["assets", 4],
  ["pages", 74],
  ["embed", 4],
  ["outputs", 4],
  ["archive", 6],
];

/** Turns the steps of the phases into one number from 0 to 100 that never falls. */
export function createProgress(onProgress: ((progress: ExportProgress) => void) | undefined): UpdateProgress {
  let progress = 0;
  let pageCount = 0;
  return (phase, done, total) => {
    const index = shares.findIndex(([name]) => name === phase);
    const before = shares.slice(0, index).reduce((sum, [, share]) => sum + share, 0);
    const own = (shares[index]?.[1] ?? 0) * (total === 0 ? 1 : done / total);
    progress = Math.max(progress, Math.min(100, before + own));
    if (phase === "pages") pageCount = done;
    onProgress?.({ phase, done, total, progress, pageCount });
  };
}
