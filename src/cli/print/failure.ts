import { EnvironmentError, systemErrorCode } from "../../lib/system-error.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";

/** Prints on stderr why a run ended without a result. */
export function printFailure(message: string, exitCode: number, json: boolean, environment: Environment): void {
  const line = json ? JSON.stringify({ type: "error", message, exitCode }) : `offprint: ${message}`;
  environment.stderr.write(`${line}\n`);
}

const changePermissions = "choose another folder, or change its permissions.";
/** By code of the system, for what an export reads and writes. */
const fileFixes: Readonly<Record<string, string>> = {
  EACCES: changePermissions,
  EPERM: changePermissions,
  EROFS: "the disk is read-only; choose another folder.",
  ENOSPC: "the disk is full; free some space, or choose a folder on another disk.",
  ENOMEM: "the machine or container has run out of memory; give it more.",
  EDQUOT: "your disk quota is used up; free some space.",
  EFBIG: "the file exceeds the size limit; raise it (ulimit -f), or choose another disk.",
  ENOENT: "the folder cannot be created, or a file was deleted during the run; choose another folder, or try again.",
  ENOTDIR: "a part of that path is a file; choose another path.",
  EISDIR: "that path is a folder; give the path of a file.",
  ENAMETOOLONG: "the name is too long for the file system; choose a shorter one.",
  EBUSY: "another program uses that path, or it is a mount point; choose a folder inside it.",
  EMFILE: "too many files are open; raise the limit (ulimit -n).",
  ENFILE: "too many files are open on this machine; close other programs.",
};
const portFixes: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program already listens on that port; choose another one (--port).",
  EADDRNOTAVAIL: "this machine has no such address; choose another one (--host).",
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
  const code = systemErrorCode(error) ?? "";
  const fix = fileFixes[code] ? `${fileFixes[code]} The previous output is unchanged.` : portFixes[code];
  return `${error.message || code}${fix ? `\n  fix: ${fix}` : ""}`;
}
