import { keepsChangingCode } from "../../export/index.js";
import { ModelFault } from "../agent/index.js";
import { SourceFault } from "../git/checkout/index.js";
import { CredentialFault } from "../git/credentials/index.js";
import { ForgeFault } from "../git/forge/index.js";
import { ExportProcessDied } from "./export-process.js";
import type { Findings } from "./findings.js";
import type { ExportOutcome } from "./messages.js";

/** Why an attempt produced no bundle. */
export class JobFailure extends Error {
  override readonly name = "JobFailure";
  /**
   * @param message shown to API clients: contains no path or address of this machine.
   * @param fault what must change: the site or its repository, the service's environment, or Offprint.
   * @param retry whether another attempt may succeed.
   * @param findings what the export found before it failed.
   */
  constructor(
    message: string,
    readonly fault: "site" | "environment" | "bug",
    readonly retry: boolean,
    options?: ErrorOptions,
    readonly findings?: Findings,
  ) {
    super(message, options);
  }
}

/** A failure of the environment may pass, so the job is tried again. */
export const environmentFailure = (what: string, cause: unknown): JobFailure =>
  new JobFailure(what, "environment", true, { cause });

/** For `catch` of calls to the stores. */
export function onUnreadDatabase(error: unknown): never {
  throw environmentFailure("The service could not read from its database.", error);
}
export function onUnwrittenDatabase(error: unknown): never {
  throw environmentFailure("The service could not write to its database.", error);
}

export const removedSite = (domain: string): JobFailure =>
  new JobFailure(`The site ${domain} is no longer registered.`, "site", false);

export const ourBug = (cause: unknown): JobFailure =>
  new JobFailure("This is a bug in Offprint. Please report it with the worker's log of this job.", "bug", false, {
    cause,
  });

/** The failure as shown to API clients. */
export function failureOf(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  if (error instanceof ExportProcessDied)
    return new JobFailure(error.message, "environment", true, { cause: error.cause });
  if (error instanceof SourceFault) {
    const { message, ofWorker, retry, cause } = error;
    return new JobFailure(message, ofWorker ? "environment" : "site", retry, { cause });
  }
  if (error instanceof CredentialFault) return new JobFailure(error.message, "environment", false, { cause: error });
  if (error instanceof ModelFault || error instanceof ForgeFault)
    return new JobFailure(error.message, "environment", error.retry, { cause: error });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code !== undefined && /^E[A-Z0-9]+$/.test(code) ? environmentFailure(explain(code), error) : ourBug(error);
}

/** The failure of an export that did not produce what was asked for. */
export function failureOfOutcome(outcome: ExportOutcome): JobFailure {
  if (outcome.kind === "refused") return new JobFailure(outcome.faults, "site", false, {}, outcome.findings);
  if (outcome.kind !== "broken") return ourBug("The export process produced something other than it was asked for.");
  const cause = outcome.stack || outcome.message;
  // V8 reports a full heap of a thread only in its message.
  if (outcome.code === "ENOMEM" || /heap out of memory/.test(outcome.message))
    return new JobFailure("The export process reached its memory limit.", "site", true, { cause });
  if (outcome.code === keepsChangingCode)
    return new JobFailure("Files of the site keep changing while the worker reads them.", "site", true, { cause });
  if (outcome.code === undefined) return ourBug(cause);
  return environmentFailure(explain(outcome.code), cause);
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "its disk is full",
  EDQUOT: "its disk quota is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EACCES: "it has no permission to read or write a file",
  EPERM: "it has no permission to read or write a file",
  EROFS: "its disk is read-only",
  EIO: "its disk cannot be read or written",
};

const explain = (code: string): string =>
  `The worker's machine had a problem: ${reasons[code] ?? "a file could not be read or written"} (${code}).`;
