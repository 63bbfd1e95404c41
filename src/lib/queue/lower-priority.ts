import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { attempt } from "../attempt.js";

/**
 * Lowers the priority of this thread, for work that is not urgent. Does nothing on systems other than Linux, where threads
 * have no priority of their own.
 */
export function lowerThreadPriority(): void {
  // Fails if the system is not Linux, or forbids it.
  attempt(() => {
    const thread = Number(readlinkSync("/proc/thread-self").replace(/.*\//, ""));
    setPriority(thread, constants.priority.PRIORITY_LOW);
  });
}
