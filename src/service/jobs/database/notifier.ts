export type Notifier = ReturnType<typeof createNotifier>;

/** Wakes the waiters for a topic in this process. A notification without waiters is lost. */
export function createNotifier() {
  const waiters = new Map<string, Set<() => void>>();
  const notify = (topic: string): void => {
    for (const wake of waiters.get(topic) ?? []) wake();
  };
  return {
    notify,
    /** For changes of unknown topic. */
    notifyAll(): void {
      for (const topic of [...waiters.keys()]) notify(topic);
    },
    /** Resolves at the next notification, after `timeoutMs`, or once `signal` aborts. */
    wait(topic: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
          set.delete(wake);
          if (set.size === 0 && waiters.get(topic) === set) waiters.delete(topic);
          resolve();
        };
        const set = waiters.get(topic) ?? new Set();
        waiters.set(topic, set.add(wake));
        const timer = setTimeout(wake, timeoutMs);
        signal.addEventListener("abort", wake);
      });
    },
    get hasWaiters(): boolean {
      return waiters.size > 0;
    },
  };
}
