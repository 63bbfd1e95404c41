const checkMs = 10_000;

/**
 * Aborts once `isAllowed` resolves with false: a stream that was opened with a session or a key must not outlive it. Asks
 * every 10 seconds until `end` aborts. While the database is away, the stream stays open.
 */
export function endOfAccess(isAllowed: () => Promise<boolean>, end: AbortSignal): AbortSignal {
  const over = new AbortController();
  const timer = setInterval(() => {
    isAllowed().then(
      (allowed) => allowed || over.abort(),
      () => {},
    );
  }, checkMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  end.addEventListener("abort", stop, { once: true });
  over.signal.addEventListener("abort", stop, { once: true });
  if (end.aborted) stop();
  return over.signal;
}
