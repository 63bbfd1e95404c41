/** Measures the stages of one page, in milliseconds. */
export interface PageClock {
  /** Adds the time since the last call to this stage. */
  lap(stage: string): void;
  /** @param highlightMs the share of "render" that goes to "highlight". */
  laps(highlightMs: number): Record<string, number>;
}

export function createPageClock(): PageClock {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    lap(stage) {
      const now = performance.now();
      laps[stage] = (laps[stage] ?? 0) + now - last;
      last = now;
    },
    laps: (highlightMs) => ({ ...laps, render: (laps["render"] ?? 0) - highlightMs, highlight: highlightMs }),
  };
}
