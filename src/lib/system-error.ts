/** The system's error code (`ENOSPC`). Errors of threads have it only in the message; those of `rmSync`, not at all. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^E[A-Z0-9]{2,}$/.test(code ?? "")) return code;
  if (/too many open files/i.test(message ?? "")) return "EMFILE";
  return /^(E[A-Z0-9]{2,}):/.exec(message ?? "")?.[1];
}

/** A failure outside the program: of a server, a disk, a port. The message names it, without secrets. */
export class EnvironmentError extends Error {
  override readonly name: string = "EnvironmentError";
}
