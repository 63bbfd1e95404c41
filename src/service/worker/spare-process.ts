import type { ExportProcess } from "./export-process.js";
import { environmentFailure } from "./job-failure.js";

export type SpareProcess = ReturnType<typeof keepSpareProcess>;

/**
 * Keeps one process with the loaded engine ready, so that a job need not wait for it. What a process can read is fixed
 * when it starts, so the spare one fits any repository, or one folder.
 *
 * @param start starts a process for the site in a folder, or for a checkout if it gets no folder.
 * @param isKept otherwise every job starts its own process.
 */
export function keepSpareProcess(start: (site?: string) => ExportProcess, isKept = true) {
  let spare: ExportProcess | undefined;
  let isClosed = false;
  const fits = (site: string | undefined): boolean => spare !== undefined && !spare.hasEnded && spare.canRead(site);
  const drop = async (): Promise<void> => {
    const dropped = spare;
    spare = undefined;
    await dropped?.remove().catch(() => {});
  };
  return {
    /** The spare process, or a new one. The caller removes it or puts it back. */
    take(site?: string) {
      if (!fits(site)) return start(site);
      const ready = spare!;
      spare = undefined;
      return ready;
    },
    /** Keeps a process that has not run an export as the spare one. Returns false if it cannot be kept. */
    putBack(unused: ExportProcess): boolean {
      if (!isKept || isClosed || spare !== undefined || unused.hasStarted || unused.hasEnded) return false;
      spare = unused;
      return true;
    },
    /** The next job's site is expected to be the same. */
    refill(site?: string) {
      if (!isKept || isClosed || fits(site)) return;
      void drop();
      try {
        spare = start(site);
      } catch {
        // The next job reports it.
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      await drop();
    },
  };
}

export function takeProcess(
  { processes }: { readonly processes: SpareProcess },
  site: string | undefined,
): ExportProcess {
  try {
    return processes.take(site);
  } catch (error) {
    throw environmentFailure("The worker cannot write to its disk.", error);
  }
}
