/**
 * Milliseconds since 1970 that go on evenly while the process lives, whatever is done to the machine's clock:
 * a lease must not end, and a wait not last an hour longer, because someone set it.
 */
export const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Databases keep times as integers. */
export const wholeMs =
  (now: () => number): (() => number) =>
  () =>
    Math.floor(now());
