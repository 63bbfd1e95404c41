/**
 * Work in milliseconds that must wait for each thread. Another one loads and compiles the engine for itself and shares
 * the caches of a core: where less waits, it costs far more processor time than it saves.
 */
const workOfThreadMs = 4000;
/** The first tasks take many times what later ones take, while their code is compiled: they tell nothing yet. */
const youngTasks = 64;
/** Unless they took so long, in milliseconds, that they are long themselves. */
const youngMs = 2000;
const recentTasks = 32;

/** Decides from the time that tasks took how many threads what is left is worth. */
export interface ThreadCount {
  /** @param ms that one more task took. Gives the threads for the `left` tasks, which never become fewer. */
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
      if (tasks < youngTasks && spentMs < youngMs) return count;
      const leftMs = (recent.reduce((sum, each) => sum + each, 0) / recent.length) * left;
      count = Math.max(count, Math.min(most, 1 + Math.floor(leftMs / workOfThreadMs)));
      return count;
    },
  };
}
