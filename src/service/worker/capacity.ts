import { availableParallelism, totalmem } from "node:os";

/** Of the machine, or of the control group that the process runs in. */
export interface Capacity {
  readonly cores: number;
  readonly memoryMb: number;
}

export const capacityOfProcess = (): Capacity => ({
  cores: availableParallelism(),
  // Without a limit, the constrained memory is 0 or more than the machine has.
  memoryMb: Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20),
});

/** An export uses two cores: one reads and packs while the other renders. */
const coresOfExport = 2;
/** Resident memory of the worker's own process, and of an export of a site with 16,000 pages, with some room. */
const workerMb = 256;
const exportMb = 768;
/** More does not help any site that was measured. */
const mostHeapMb = 2048;

/** Exports at once that neither wait for each other's cores nor run out of memory; at least one. */
export const exportsAtOnce = ({ cores, memoryMb }: Capacity): number =>
  Math.max(1, Math.min(Math.floor(cores / coresOfExport), Math.floor((memoryMb - workerMb) / exportMb)));

/** Resident memory of one export, in MiB. */
export const memoryOfExport = ({ memoryMb }: Capacity, concurrency: number): number =>
  Math.max(exportMb, Math.floor((memoryMb - workerMb) / concurrency));

/**
 * Heap limit of an export's main thread, in MiB: three quarters of its share, so that a site that is too large ends with
 * a message before the system kills a process.
 */
export const heapOfExport = ({ memoryMb }: Capacity, concurrency: number): number =>
  Math.max(256, Math.min(mostHeapMb, Math.floor(((memoryMb - workerMb) / concurrency) * 0.75)));
