export type Timings = ReturnType<typeof createTimings>;

/** Adds up how long the stages take, in milliseconds. */
export function createTimings() {
  const sums: Record<string, number> = {};
  const add = (laps: Readonly<Record<string, number>>): void => {
    for (const [stage, ms] of Object.entries(laps)) sums[stage] = (sums[stage] ?? 0) + ms;
  };
  const pageMs: number[] = [];
  let pagesMade = 0;
  return {
    add,
    addPage(laps: Readonly<Record<string, number>>, isStored = false): void {
      add(laps);
      if (!isStored) pagesMade++;
      pageMs.push(Math.round(Object.values(laps).reduce((sum, ms) => sum + ms, 0)));
    },
    /** Adds the wall time of `work` to `stage`. */
    async measure<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
      const started = performance.now();
      try {
        return await work();
      } finally {
        add({ [stage]: performance.now() - started });
      }
    },
    all: () => ({ timings: { ...sums }, pageMs: [...pageMs], pagesMade }),
  };
}
