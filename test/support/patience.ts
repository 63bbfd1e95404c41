/**
 * How long a test waits for what has to come, in milliseconds. It only ends what hangs: on a usual machine, nothing takes a
 * twentieth of it. What has to be fast is measured in processor time instead (machine-time.ts).
 */
export const patienceMs = 600_000;

/** The time limit of a test or of a hook: what waits within it says first what it has waited for. */
export const testMs = 1.5 * patienceMs;

/** For a call that takes a signal. */
export const patience = (): AbortSignal => AbortSignal.timeout(patienceMs);
