import { OutputNotOursError } from "../bundle/archive/index.js";
import { systemErrorCode } from "../lib/system-error.js";
import { UsageError } from "./arguments.js";
import type { Surroundings } from "./run.js";

/** The reason why a run ended without a result, on stderr. */
export function printFailure(message: string, exitCode: number, json: boolean, process: Surroundings): void {
  const line = json ? JSON.stringify({ type: "error", message, exitCode }) : `offprint: ${message}`;
  process.stderr.write(`${line}\n`);
}

const untouched = "The previous output is untouched.";
const notPermitted = `you may not write there; choose another place or change its permissions. ${untouched}`;
const fixes: Readonly<Record<string, string>> = {
  EACCES: notPermitted,
  EPERM: notPermitted,
  EROFS: `that disk is read-only; choose another place. ${untouched}`,
  ENOSPC: `the disk is full; free some space, or choose a place on another disk. ${untouched}`,
  EDQUOT: `your quota is used up; free some space. ${untouched}`,
  EFBIG: `a file may not grow that large there; raise the limit (ulimit -f), or choose another disk. ${untouched}`,
  ENOENT: `no folder can be made there, or a file went away while it was read; choose another place, or try again. ${untouched}`,
  ENOTDIR: `a part of that path is a file; choose another place. ${untouched}`,
  EISDIR: `that is a folder, where a file is wanted. ${untouched}`,
  ENAMETOOLONG: `the name is longer than the disk allows; choose a shorter one. ${untouched}`,
  EBUSY: `something holds that place, such as a mount; choose a folder below it. ${untouched}`,
  EADDRINUSE: "something else listens on that port; choose another one (--port).",
  EADDRNOTAVAIL: "this machine has no such address; choose another one (--host).",
  EMFILE: "too many files are open; raise the limit (ulimit -n).",
};

/** What happened, and what to do about it. */
export function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof OutputNotOursError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = systemErrorCode(error);
  if (code !== undefined) return `${error.message}${fixes[code] ? `\n  fix: ${fixes[code]}` : ""}`;
  return `this is a bug of Offprint; please report it with what follows.\n${error.stack ?? error.message}\n${error.cause ?? ""}`;
}
