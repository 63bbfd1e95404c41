import type { ExportProcess } from "./export-process.js";

export type SpareProcess = ReturnType<typeof keepSpareProcess>;

/** Keeps one process with the loaded engine ready, so that a job need not wait for it. */
export function keepSpareProcess(start: () => ExportProcess) {
  let spare: ExportProcess | undefined;
  let isClosed = false;
  return {
    /** The spare process, or a new one. The caller ends it. */
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
