import type { Diagnostic } from "../lib/diagnostic/index.js";

/** Whether a result may be another one the next time: the machine was busy, or could not start a process. */
export const isOfMachine = ({ code }: Diagnostic): boolean =>
  /^(?:PAGE_FAILED|PAGE_TOO_\w+|ISLAND_LIMIT|DIAGRAMS_NOT_DRAWN)$/.test(code);
