/**
 * Milliseconds since 1970 that advance evenly while the process runs, even if someone sets the machine's clock: such a
 * change must neither expire a lease nor extend a wait.
 */
export const monotonicNow = (): number => performance.timeOrigin + performance.now();

/** Databases store times as integers. */
export const wholeMs =
  (now: () => number): (() => number) =>
  () =>
    Math.floor(now());
