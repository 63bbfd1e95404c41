import { readFileSync } from "node:fs";
import { attempt } from "./attempt.js";

/** Returns the processor time of a thread or process, in milliseconds; undefined if the system cannot measure it. */
export type ProcessorClock = () => number | undefined;

export type Deadline = ReturnType<typeof createDeadline>;

/** Most work ends before this, so the clock is not read for it. The time until then counts as processor time. */
const firstLookMs = 50;
/** The wall time of a task may be `waitTimes` its limit plus `waitMs`, since a task may wait instead of computing. */
const waitTimes = 10;
const waitMs = 5_000;

/**
 * Limits the processor time of a task, so that a task fails or succeeds alike on a busy and an idle machine. Each timer counts
 * as the duration that it was set for, not as the time that really passed, so that no time counts while the system has stopped
 * the process.
 *
 * @param limitMs limit of processor time; of wall time if `clock` returns undefined
 */
export function createDeadline(limitMs: number, clock: ProcessorClock, onMissed: () => void) {
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
    /** Starts, or continues after a pause. */
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
      // Most tasks end before the first look.
      if (isFirstLook) usedMs += ms;
      else count(ms);
    },
    /** Adds processor time that other processes have spent on the task, in milliseconds. */
    add(ms: number) {
      usedMs += ms;
    },
  };
}

/** Processor time in steps of 10 ms. @param path `/proc/1234`, or `/proc/self/task/1235`; only on Linux. */
export const processorMs = (path: string): number | undefined =>
  attempt(() => {
    const stat = readFileSync(`${path}/stat`, "latin1");
    // The name of the program comes first, in parentheses, and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  });
