/**
 * Milliseconds of work that must be left for each thread. Every thread loads and compiles the engine again, which takes
 * more than a second of CPU time: with less work it costs far more than it saves.
 */
const workOfThreadMs = 7000;
/** The first tasks are ignored: they take many times as long as later ones, while their code is being compiled. */
const warmUpTasks = 64;
/** Milliseconds of work after which the first tasks count too: so much does not come from compiling alone. */
const warmUpMs = 2000;
const recentTasks = 32;

/** Decides from the duration of past tasks how many threads the remaining tasks are worth. */
export interface ThreadCount {
  /** @param ms duration of one more task. Gives the number of threads for the `left` tasks; it never falls. */
  after(ms: number, left: number): number;
}

export function createThreadCount(most: number): ThreadCount {
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
      const leftMs = (recent.reduce((sum, each) => sum + each, 0) / recent.length) * left;
      count = Math.max(count, Math.min(most, 1 + Math.floor(leftMs / workOfThreadMs)));
      return count;
    },
  };
}
