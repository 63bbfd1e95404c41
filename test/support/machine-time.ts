/** What the yardstick takes on the machine that the bounds of the tests were measured on, in milliseconds. */
const usualMs = 12;

/**
 * Counts processor time of this process from now on. What it gives back tells the milliseconds so far as the usual machine
 * would have taken: one that runs at a third of that speed, as shared ones do for minutes, meets the same bounds.
 */
export function startCpuTimer(): () => number {
  return startScaled(cpuMs);
}

/** The same for the time of a clock, which others on the machine have a part in. */
export function startTimer(): () => number {
  return startScaled(() => performance.now());
}

function startScaled(nowMs: () => number): () => number {
  const before = slowness(nowMs);
  const start = nowMs();
  return () => {
    const spent = nowMs() - start;
    return spent / Math.max(1, before, slowness(nowMs));
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How many times what is usual the yardstick takes. The best of three: the first ones are compiled on the way. */
function slowness(nowMs: () => number): number {
  const takes = Array.from({ length: 3 }, () => {
    const start = nowMs();
    yardstick();
    return nowMs() - start;
  });
  return Math.min(...takes) / usualMs;
}

/** Work of the kind that the engine does: strings, maps, objects that do not live long. */
function yardstick(): number {
  const seen = new Map<number, string>();
  let length = 0;
  for (let i = 0; i < 75_000; i++) {
    seen.set(i % 20_000, `entry ${i}`);
    length += seen.get((i * 7) % 20_000)?.length ?? 0;
  }
  return length;
}
