/** Adds up how long the stages take, in milliseconds. */
export interface Timings {
  /** Adds the wall time of `work` to `stage`. */
  measure<T>(stage: string, work: () => T | Promise<T>): Promise<T>;
  add(laps: Readonly<Record<string, number>>): void;
  all(): Record<string, number>;
}

export function createTimings(): Timings {
  const sums: Record<string, number> = {};
  const add: Timings["add"] = (laps) => {
    for (const [stage, ms] of Object.entries(laps)) sums[stage] = (sums[stage] ?? 0) + ms;
  };
  return {
    add,
    async measure(stage, work) {
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
