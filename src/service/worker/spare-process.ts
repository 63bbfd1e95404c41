import type { ExportProcess } from "./export-process.js";

/** Keeps one process with the loaded engine ready, so that a job need not wait for it. */
export interface SpareProcess {
  /** The spare process, or a new one. The caller ends it. */
  take(): ExportProcess;
  /** Starts a spare process if there is none. */
  refill(): void;
  /** Ends the spare process and starts no other. */
  close(): void;
}

export function keepSpareProcess(start: () => ExportProcess): SpareProcess {
  let spare: ExportProcess | undefined;
  let isClosed = false;
  return {
    take() {
      const taken = spare === undefined || spare.hasEnded ? start() : spare;
      spare = undefined;
      return taken;
    },
    refill() {
      if (!isClosed && (spare === undefined || spare.hasEnded)) spare = start();
    },
    close() {
      isClosed = true;
      spare?.end();
      spare = undefined;
    },
  };
}
