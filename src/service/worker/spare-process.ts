import type { ExportProcess } from "./export-process.js";

/** Keeps one process ready that has loaded the engine, so that a job does not wait for that. */
export interface SpareProcess {
  /** The spare one, else a new one. The caller ends it. */
  take(): ExportProcess;
  /** Starts one if there is none. */
  refill(): void;
  /** Ends the spare one; there will be no other. */
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
