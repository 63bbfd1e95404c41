import { SourceFault } from "../checkout/index.js";
import { ExportProcessDied } from "./export-process.js";
import type { ExportOutcome } from "./messages.js";

/** How an attempt ended without a bundle. */
export class JobFailure extends Error {
  override readonly name = "JobFailure";
  /**
   * @param message for the reader of the job, who may not know this machine: no path, no address.
   * @param retry whether another attempt may go better.
   */
  constructor(
    message: string,
    readonly retry: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What the surroundings do passes, and is tried again. */
export const surroundings = (what: string, cause: unknown): JobFailure => new JobFailure(what, true, { cause });

/** Trying a bug again would show it again. */
export const ourBug = (cause: unknown): JobFailure =>
  new JobFailure("This is a bug of Offprint: please report it, with what the worker's log says of this job.", false, {
    cause,
  });

/** What failed, as the reader of the job is told. */
export function failureOf(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  if (error instanceof ExportProcessDied) return new JobFailure(error.message, true, { cause: error.cause });
  if (error instanceof SourceFault) return new JobFailure(error.message, error.retry, { cause: error.cause });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code !== undefined && /^E[A-Z0-9]+$/.test(code) ? surroundings(explain(code), error) : ourBug(error);
}

/** Of an export that gave no bundle. */
export function failureOfOutcome(outcome: Exclude<ExportOutcome, { kind: "exported" }>): JobFailure {
  if (outcome.kind === "refused") return new JobFailure(outcome.faults, false);
  const cause = outcome.stack || outcome.message;
  if (outcome.code === undefined) return ourBug(cause);
  return surroundings(explain(outcome.code), cause);
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "its disk is full",
  EDQUOT: "its quota of the disk is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EACCES: "a file may not be read or written",
  EPERM: "a file may not be read or written",
  EROFS: "its disk is read-only",
  EIO: "its disk cannot be read or written",
};

const explain = (code: string): string =>
  `The worker's machine failed: ${reasons[code] ?? "a file could not be read or written"} (${code}).`;
