import { setFlagsFromString } from "node:v8";

/**
 * Settings of V8 for a process that does nothing but export; a library must leave those of its host alone.
 *
 * Threads begin with the heap that making pages takes, in MiB, instead of collecting their way up to it (a tenth of the
 * time of 300 API operations), and the space of short-lived objects does not widen as a site grows. Collecting it is left
 * to the thread that fills it, since the other cores have pages to make; only what is used tens of thousands of times goes
 * to the slow compiler, and the threads that compile beside ours are told to save work. These three save 8 to 10 % of the
 * processor time of some hundred pages and nothing of the time that one waits, and nothing is lost on 4,000.
 */
export function tuneProcess(): void {
  setFlagsFromString("--initial-heap-size=200");
  setFlagsFromString("--min-semi-space-size=8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString("--invocation-count-for-turbofan=30000");
  setFlagsFromString("--battery-saver-mode");
}
