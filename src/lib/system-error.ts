/** The system's code of an error (`ENOSPC`), which one from a worker thread carries in its text alone. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^E[A-Z0-9]{2,}$/.test(code ?? "")) return code;
  return /^(E[A-Z0-9]{2,}):/.exec(message ?? "")?.[1];
}
