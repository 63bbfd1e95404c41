export type Timings = ReturnType<typeof createTimings>;

/** Adds up how long the stages take, in milliseconds. */
export function createTimings() {
  const sums: Record<string, number> = {};
  const add = (laps: Readonly<Record<string, number>>): void => {
    for (const [stage, ms] of Object.entries(laps)) sums[stage] = (sums[stage] ?? 0) + ms;
  };
  return {
    add,
    /** Adds the wall time of `work` to `stage`. */
    async measure<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
      const started = performance.now();
      try {
        return await work();
      } finally {
        add({ [stage]: performance.now() - started });
      }
    },
    all: () => ({ ...sums }),
  };
}
