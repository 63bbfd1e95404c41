import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ExportEnvironment } from "./run/start-run.js";

/**
 * Tunes V8 in a process that only exports. The library never calls this: it must not change the process of its caller.
 *
 * - The heap starts at the size that rendering needs, in MiB, instead of growing to it (saves 10 % of the time of 300 API
 *   operations), and the space for young objects does not grow with the site. Both flags count for threads that start later;
 *   the space of this thread grows once, here. At its first size of 1 MiB, an export after an edit of one of 4,000 pages
 *   collected young objects 190 times instead of 30. Each collection also lowers the limit for the first full one.
 * - A thread collects its young objects alone, since the other cores have pages to render. Only functions that run tens of
 *   thousands of times are optimized, and V8's own threads save work. These three save 8 to 10 % of the CPU time of some
 *   hundred pages without changing the wall time, and cost nothing on 4,000 pages.
 * - The bytecode of regular expressions is not optimized: used twice, an expression becomes machine code anyway (saves 4 %
 *   of highlighting).
 *
 * This module imports nothing of the exporter: code that is loaded before the flags are set needs more memory.
 */
export function tuneProcess(): Pick<ExportEnvironment, "freeMemory"> {
  setFlagsFromString("--initial-heap-size=200");
  setFlagsFromString("--min-semi-space-size=8");
  growYoungSpace();
  setFlagsFromString("--no-parallel-scavenge");
  setFlagsFromString("--invocation-count-for-turbofan=30000");
  setFlagsFromString("--battery-saver-mode");
  setFlagsFromString("--no-regexp-peephole-optimization");
  return { freeMemory: collectGarbage };
}

/** Bytes in use below which collecting garbage would free less than it costs. */
const enoughBytes = 96 * 2 ** 20;

/** Frees what is left of a specification. V8 would keep it for a minute, while the threads read it again. */
function collectGarbage(): void {
  const { used_heap_size, external_memory } = getHeapStatistics();
  if (used_heap_size + external_memory < enoughBytes) return;
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  setFlagsFromString("--no-expose-gc");
}

/** Fills the space with objects in use, upon which V8 enlarges it by the growth factor. */
function growYoungSpace(): void {
  setFlagsFromString("--semi-space-growth-factor=8");
  const target = 8 * youngSpaceBytes();
  const inUse: object[] = [];
  while (youngSpaceBytes() < target && inUse.length < maxInUse)
    for (let count = 0; count < 1000; count++) inUse.push([count]);
  setFlagsFromString("--semi-space-growth-factor=1");
}
/** A bound, several times as many objects as are needed. */
const maxInUse = 100_000;

const youngSpaceBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
