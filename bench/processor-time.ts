import { readdirSync, readFileSync } from "node:fs";

/** Of this process and its running children, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  const ofChildren = runningProcesses().filter(({ parent }) => parent === process.pid);
  return (user + system) / 1000 + ofChildren.reduce((sum, { ms }) => sum + ms, 0);
}

/** Time between two measurements of `createMeter`, in milliseconds. */
const lookMs = 25;

/** Measures a process and all processes below it. The time between the last measurement and the end of a process is missing. */
export function createMeter(root: number) {
  const msOf = new Map<number, number>();
  const look = (): void => {
    const below = new Set([root]);
    const running = runningProcesses();
    for (let before = 0; before !== below.size; ) {
      before = below.size;
      for (const { pid, parent } of running) if (below.has(parent)) below.add(pid);
    }
    for (const { pid, ms } of running) if (below.has(pid)) msOf.set(pid, ms);
  };
  look();
  const before = new Map(msOf);
  const timer = setInterval(look, lookMs);
  return {
    /** Processor time since the start, in milliseconds. */
    end(): number {
      clearInterval(timer);
      look();
      return [...msOf].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
    },
  };
}

/** With the processor time of each, in milliseconds. */
function runningProcesses() {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const [state, parent, ...fields] = readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]!.split(" ");
      if (state === "Z" || !/^\d+$/.test(name)) return [];
      return [{ pid: Number(name), parent: Number(parent), ms: (Number(fields[9]) + Number(fields[10])) * 10 }];
    } catch {
      // The process has ended, or is not a process.
      return [];
    }
  });
}
