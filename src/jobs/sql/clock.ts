/**
 * Milliseconds since 1970, whole, that go on evenly while the process lives, whatever is done to the machine's clock:
 * a lease must not end, and a wait not last an hour longer, because someone set it.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());
