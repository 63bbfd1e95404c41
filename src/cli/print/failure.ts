import { EnvironmentError, systemErrorCode } from "../../lib/system-error.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";

/** Prints on stderr why a run ended without a result. */
export function printFailure(message: string, exitCode: number, json: boolean, environment: Environment): void {
  const line = json ? JSON.stringify({ type: "error", message, exitCode }) : `offprint: ${message}`;
  environment.stderr.write(`${line}\n`);
}

const untouched = "The previous output is untouched.";
const notPermitted = `choose another folder, or change its permissions. ${untouched}`;
const fixes: Readonly<Record<string, string>> = {
  EACCES: notPermitted,
  EPERM: notPermitted,
  EROFS: `the disk is read-only; choose another folder. ${untouched}`,
  ENOSPC: `the disk is full; free some space, or choose a folder on another disk. ${untouched}`,
  ENOMEM: `the memory of the machine or of its container is used up; give it more. ${untouched}`,
  EDQUOT: `your disk quota is used up; free some space. ${untouched}`,
  EFBIG: `the file exceeds the size limit; raise it (ulimit -f), or choose another disk. ${untouched}`,
  ENOENT: `the folder cannot be created, or a file was removed during the run; choose another folder, or try again. ${untouched}`,
  ENOTDIR: `a part of that path is a file; choose another path. ${untouched}`,
  EISDIR: `that path is a folder; give the path of a file. ${untouched}`,
  ENAMETOOLONG: `the name is too long for the disk; choose a shorter one. ${untouched}`,
  EBUSY: `another program uses that path, or it is a mount point; choose a folder below it. ${untouched}`,
  EADDRINUSE: "another program listens on that port; choose another one (--port).",
  EADDRNOTAVAIL: "this machine does not have that address; choose another one (--host).",
  EMFILE: `too many files are open; raise the limit (ulimit -n). ${untouched}`,
  ENFILE: `too many files are open on this machine; close other programs. ${untouched}`,
};

/** What happened, and how to fix it. */
export function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof RefusedError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof EnvironmentError)
    return error.cause instanceof Error ? `${error.message}\n  cause: ${withFix(error.cause)}` : error.message;
  if (systemErrorCode(error) !== undefined) return withFix(error);
  return `this is a bug of Offprint. Please report it with these lines:\n${error.stack ?? error.message}\n${error.cause ?? ""}`;
}

function withFix(error: Error): string {
  const fix = fixes[systemErrorCode(error) ?? ""];
  return `${error.message || systemErrorCode(error)}${fix ? `\n  fix: ${fix}` : ""}`;
}
