/** Settles like `work`, but after `timeoutMs` rejects with `error()` and aborts the signal of `work`. */
export async function within<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  error: () => Error,
): Promise<T> {
  const late = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(error());
    late.abort();
  }, timeoutMs);
  return Promise.race([work(late.signal), promise]).finally(() => clearTimeout(timer));
}
