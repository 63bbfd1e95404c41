import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { findProgram, tryOut } from "./namespace.js";

/** Starts processes that get the processor time that no other process wants. */
export interface Background {
  /** The words to put before a program and its arguments. Empty: `yieldToOthers` alone. */
  readonly prefix: readonly string[];
}

/**
 * Linux has a scheduling class for this. With the lowest priority alone, a process that wakes up still waits for the
 * running one. Some containers forbid the class, so it is tried.
 */
export async function findBackground(): Promise<Background> {
  const chrt = process.platform === "linux" ? findProgram("chrt") : undefined;
  const prefix = chrt === undefined ? [] : [chrt, "-i", "0"];
  return { prefix: chrt !== undefined && (await tryOut(prefix)) === undefined ? prefix : [] };
}

/** Null: there is none. */
let nice: string | null | undefined;

/** Words before a program that give it the lowest priority: on a busy machine it may start others before `yieldToOthers`. */
export function lowestPriority(): readonly string[] {
  nice ??= findProgram("nice") ?? null;
  return nice === null ? [] : [nice, "-n", String(constants.priority.PRIORITY_LOW)];
}

/** Gives a process the lowest priority. Call it right after the start: later threads and children inherit it. */
export function yieldToOthers(pid: number): void {
  const lowered = new Set<number>();
  // On Linux each thread has a priority of its own. One that has not got it yet may start others meanwhile.
  for (let found = [pid]; found.length > 0; found = threadsOf(pid).filter((thread) => !lowered.has(thread)))
    for (const thread of found) {
      lowered.add(thread);
      try {
        setPriority(thread, constants.priority.PRIORITY_LOW);
      } catch {
        // It has ended.
      }
    }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
