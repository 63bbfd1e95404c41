import type { ExportProcess } from "./export-process.js";
import { environmentFailure } from "./job-failure.js";
import type { SpareProcess } from "./spare-process.js";

export function takeProcess(
  { processes }: { readonly processes: SpareProcess },
  site: string | undefined,
): ExportProcess {
  try {
    return processes.take(site);
  } catch (error) {
    throw environmentFailure("The worker's disk cannot be written.", error);
  }
}
