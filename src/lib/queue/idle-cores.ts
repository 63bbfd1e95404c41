import { cpus } from "node:os";

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
