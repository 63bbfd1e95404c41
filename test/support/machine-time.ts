/** Time of the reference work on the machine on which the time limits were measured, in milliseconds. */
const referenceMs = 12;

/**
 * Measures the processor time of this process. The returned function gives the milliseconds that the reference machine
 * would have taken so far, so that the limits also hold on a slow or shared machine.
 */
export function startCpuTimer(): () => number {
  return startScaled(cpuMs);
}

const maxRuns = 5;

/**
 * Runs work until one run takes at most so many milliseconds of processor time of the reference machine, and gives its
 * result. What a busy machine adds to a run is by chance; work that takes longer by itself does so in every run.
 *
 * @throws {Error} if each of several runs takes longer
 */
export async function withinCpu<Result>(limitMs: number, work: () => Result): Promise<Awaited<Result>> {
  const times: number[] = [];
  while (times.length < maxRuns) {
    const spent = startCpuTimer();
    const result = await work();
    times.push(Math.round(spent()));
    if (times.at(-1)! <= limitMs) return result;
  }
  throw new Error(`The work takes ${Math.min(...times)} ms of processor time; the limit is ${limitMs} ms (${times}).`);
}

/**
 * Counts milliseconds while the event loop of this process turns: a pause, however long a busy machine makes it, counts as
 * one turn. For what happens in this process alone.
 */
export function startLoopTimer(): () => number {
  const turnMs = 5;
  let turns = 0;
  const timer = setInterval(() => turns++, turnMs);
  return () => {
    clearInterval(timer);
    return turns * turnMs;
  };
}

function startScaled(nowMs: () => number): () => number {
  const start = nowMs();
  return () => {
    const spent = nowMs() - start;
    // Below every limit. Most measurements are, and measuring the machine takes longer.
    return spent < 100 ? spent : spent / Math.max(1, slowness(nowMs), slowness(nowMs));
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Time of the reference work relative to the reference machine: the best of three runs, since the first ones compile. */
function slowness(nowMs: () => number): number {
  const times = Array.from({ length: 3 }, () => {
    const start = nowMs();
    referenceWork();
    return nowMs() - start;
  });
  return Math.min(...times) / referenceMs;
}

/** Work like that of the engine: strings, maps, short-lived objects. */
function referenceWork(): number {
  const seen = new Map<number, string>();
  let length = 0;
  for (let i = 0; i < 75_000; i++) {
    seen.set(i % 20_000, `entry ${i}`);
    length += seen.get((i * 7) % 20_000)?.length ?? 0;
  }
  return length;
}
