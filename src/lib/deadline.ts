import { readFileSync } from "node:fs";

/** Milliseconds of processor time that something has used; undefined if the system does not tell. */
export type ProcessorClock = () => number | undefined;

/** Limits the processor time of one piece of work, so that a busy machine ends the same work as an idle one. */
export interface Deadline {
  /** Starts, or continues after a pause. */
  run(): void;
  pause(): void;
  /** Counts time that others have spent on the work, in milliseconds. */
  add(ms: number): void;
}

/** Most work ends before this, so the clock is not read for it. The time until then counts as processor time. */
const firstLookMs = 50;
/** Work that waits instead of computing may take so many times its limit, and this much longer. */
const waitTimes = 10;
const waitMs = 5_000;

/**
 * Starts with `run`. A timer of this thread counts the duration that it was set for, not the time that really passed: while
 * the system has stopped the process, no time counts.
 *
 * @param limitMs of processor time; of time that passes if `clock` gives none
 */
export function createDeadline(limitMs: number, clock: ProcessorClock, onMissed: () => void): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let setAt = 0;
  let setForMs = 0;
  /** Undefined until the first look. */
  let clockMs: number | undefined;
  let isFirstLook = true;
  let usedMs = 0;
  let passedMs = 0;

  const set = (ms: number): void => {
    setAt = performance.now();
    setForMs = Math.max(1, ms);
    timer = setTimeout(look, setForMs);
  };
  const count = (ms: number): void => {
    passedMs += ms;
    const now = clock();
    usedMs += isFirstLook || now === undefined || clockMs === undefined ? ms : now - clockMs;
    clockMs = now;
    isFirstLook = false;
  };
  const look = (): void => {
    timer = undefined;
    count(setForMs);
    const leftMs = Math.min(limitMs - usedMs, waitTimes * limitMs + waitMs - passedMs);
    if (leftMs < 1) onMissed();
    else set(leftMs);
  };
  return {
    run() {
      if (timer !== undefined) return;
      isFirstLook = true;
      set(Math.min(firstLookMs, limitMs / 10, limitMs - usedMs));
    },
    pause() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      const ms = Math.min(performance.now() - setAt, setForMs);
      // Most work ends before the first look.
      if (isFirstLook) usedMs += ms;
      else count(ms);
    },
    add(ms) {
      usedMs += ms;
    },
  };
}

/**
 * Processor time of a process or a thread of it, in steps of 10 ms.
 *
 * @param path `/proc/1234`, or `/proc/self/task/1235`; other systems than Linux do not have it
 */
export function processorMs(path: string): number | undefined {
  try {
    const stat = readFileSync(`${path}/stat`, "latin1");
    // The name of the program comes first, in parentheses, and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
