export type PageClock = ReturnType<typeof createPageClock>;

/** Measures the stages of one page, in milliseconds. */
export function createPageClock() {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    /** Adds the time since the last call to this stage. */
    lap(stage: string): void {
      const now = performance.now();
      laps[stage] = (laps[stage] ?? 0) + now - last;
      last = now;
    },
    /** @param highlightMs the share of "render" that goes to "highlight". */
    laps: (highlightMs: number): Record<string, number> => ({
      ...laps,
      render: (laps["render"] ?? 0) - highlightMs,
      highlight: highlightMs,
    }),
  };
}
