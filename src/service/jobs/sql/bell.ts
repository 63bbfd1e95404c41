/** Wakes those in this process who wait for a topic; a ring that nobody waits for is lost. */
export interface Bell {
  ring(topic: string): void;
  /** For when it is not known what has changed. */
  ringAll(): void;
  /** Resolves at the next ring, after `timeoutMs`, or once `signal` aborts. */
  wait(topic: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  readonly isAwaited: boolean;
}

export function createBell(): Bell {
  const waiters = new Map<string, Set<() => void>>();
  const ring = (topic: string): void => {
    for (const wake of waiters.get(topic) ?? []) wake();
  };
  return {
    ring,
    ringAll() {
      for (const topic of [...waiters.keys()]) ring(topic);
    },
    wait(topic, timeoutMs, signal) {
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
    get isAwaited() {
      return waiters.size > 0;
    },
  };
}
