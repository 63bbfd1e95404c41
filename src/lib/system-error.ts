/**
 * The system's error code (`ENOSPC`). An error from a worker thread has it only in its text; errors of Node's module loader
 * and of `rmSync` do not even have that.
 */
export function systemErrorCode(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^E[A-Z0-9]{2,}$/.test(code ?? "")) return code;
  if (/too many open files/i.test(message ?? "")) return "EMFILE";
  return /^(E[A-Z0-9]{2,}):/.exec(message ?? "")?.[1];
}

/** Something outside the program fails: a server, a disk, a port. The message says what, without secrets. */
export class EnvironmentError extends Error {
  override readonly name: string = "EnvironmentError";
}
