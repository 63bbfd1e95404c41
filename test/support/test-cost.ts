import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { afterAll, expect } from "vitest";

/** Where a run writes the cost of its files, a line of JSON each. Unset: nothing is measured. */
const report = process.env["OFFPRINT_TEST_COST"];

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Its own processor time, and that of its children that have ended, in seconds. */
  readonly seconds: number;
}

/** Measures the processor time of each test file: of its process and of the programs that it starts. */
if (report !== undefined) {
  mkdirSync(dirname(report), { recursive: true });
  const start = secondsOf(process.pid);
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath!);
    appendFileSync(report, `${JSON.stringify({ file, seconds: secondsOf(process.pid) - start })}\n`);
  });
}

/** Processor time of a process and all its descendants, in seconds. */
function secondsOf(pid: number): number {
  const processes = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const times = timesOf(name);
        return times ? [[Number(name), times] as const] : [];
      }),
  );
  const sum = (id: number): number => {
    let seconds = processes.get(id)?.seconds ?? 0;
    for (const [child, { parent }] of processes) if (parent === id) seconds += sum(child);
    return seconds;
  };
  return sum(pid);
}

/** Undefined if the process has ended. */
function timesOf(pid: string): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
}
