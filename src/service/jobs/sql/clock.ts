/**
 * Milliseconds since 1970, for everything that people see or that expires at a date. It steps when somebody sets the
 * clock and after a machine has slept. The database stores these times, and all processes compare them. A stored time
 * that lies further ahead than it could have been set is from before the clock was set back.
 *
 * The property only keeps the two kinds of clocks apart.
 */
export interface WallClock {
  (): number;
  readonly kind?: "wall";
}

/**
 * Milliseconds since a moment that differs by process; it never steps. It measures how long this process has waited for
 * a heartbeat or for work, so it is never stored.
 */
export interface SteadyClock {
  (): number;
  readonly kind?: "steady";
}

export const steadyClock: SteadyClock = () => performance.now();

/** Databases store times as integers. */
export const wholeMs =
  (now: () => number): WallClock =>
  () =>
    Math.floor(now());
