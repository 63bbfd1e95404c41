import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { attempt } from "../attempt.js";

/** Lowers the priority of this thread. Only Linux has a priority for each thread; others ignore it. */
export function lowerThreadPriority(): void {
  // Fails if the system is not Linux, or forbids it.
  attempt(() => {
    const thread = Number(readlinkSync("/proc/thread-self").replace(/.*\//, ""));
    setPriority(thread, constants.priority.PRIORITY_LOW);
  });
}
