/** Calls `read` at most once per `ttlMs`, for all callers. Errors are not cached. */
export function cached<T>(read: () => Promise<T>, ttlMs: number, now: () => number): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last && Math.abs(now() - last.at) < ttlMs) return last.value;
    const value = read();
    const current = { at: now(), value };
    last = current;
    value.catch(() => {
      if (last === current) last = undefined;
    });
    return value;
  };
}
