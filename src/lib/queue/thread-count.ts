import { cpus } from "node:os";

/**
 * What a run is to spare: `time` starts a thread as soon as it shortens the wait; `work`, for machines that others use, too,
 * only where its start costs little of the whole.
 */
export type ThreadGoal = "time" | "work";

/**
 * Milliseconds of processor time that must be left for each thread. Every thread loads and compiles the engine again, which
 * takes more than a second: with less work it costs far more than it saves.
 */
const workOfThreadMs: Readonly<Record<ThreadGoal, number>> = { time: 7000, work: 30_000 };
/** The first tasks are ignored: they take many times as long as later ones, while their code is being compiled. */
const warmUpTasks = 64;
/** Milliseconds of work after which the first tasks count too: so much does not come from compiling alone. */
const warmUpMs = 2000;
const recentTasks = 32;

/** Decides from the processor time of past tasks how many threads the remaining tasks are worth. */
export interface ThreadCount {
  /** @param ms processor time of one more task. Gives the number of threads for the `left` tasks; it never falls. */
  after(ms: number, left: number): number;
}

/** @param idleCores how many cores nobody uses; asked when there is work for another thread */
export function createThreadCount(most: number, goal: ThreadGoal, idleCores: () => number): ThreadCount {
  const recent: number[] = [];
  let tasks = 0;
  let spentMs = 0;
  let count = 1;
  return {
    after(ms, left) {
      tasks++;
      spentMs += ms;
      recent.push(ms);
      if (recent.length > recentTasks) recent.shift();
      if (tasks < warmUpTasks && spentMs < warmUpMs) return count;
      // While nothing has changed much, the cores are asked about only now and then.
      if (tasks > warmUpTasks && tasks % recentTasks > 0) return count;
      const leftMs = (recent.reduce((sum, each) => sum + each, 0) / recent.length) * left;
      const worth = Math.min(most, 1 + Math.floor(leftMs / workOfThreadMs[goal]));
      if (worth > count) count = Math.min(worth, count + Math.round(idleCores()));
      return count;
    },
  };
}

/** Each call of the result tells how many cores nobody has used since the call before, as a fraction: 0.8. */
export function watchIdleCores(): () => number {
  let before = coreTimes();
  return () => {
    const now = coreTimes();
    const all = now.all - before.all;
    const idle = now.idle - before.idle;
    before = now;
    // Where the system does not tell, all cores count as idle.
    return all <= 0 ? Number.MAX_SAFE_INTEGER : (now.count * idle) / all;
  };
}

function coreTimes() {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, core) => sum + core.idle, 0);
  return {
    count: times.length,
    idle,
    all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle),
  };
}
