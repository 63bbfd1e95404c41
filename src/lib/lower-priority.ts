import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets other threads go first: for work that may wait a moment. On Linux it is this thread alone; elsewhere threads have
 * no priority of their own, so nothing changes.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").replace(/.*\//, ""));
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // No Linux, or it is forbidden.
  }
}
