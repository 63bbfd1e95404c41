import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Where a run writes the costs of its files and shared programs, a line of JSON each. Unset: nothing is measured. */
export const costReport = process.env["OFFPRINT_TEST_COST"];

/** @param file a test file, or in parentheses a program that test files share */
export function noteCost(file: string, seconds: number): void {
  if (costReport === undefined) return;
  mkdirSync(dirname(costReport), { recursive: true });
  appendFileSync(costReport, `${JSON.stringify({ file, seconds })}\n`);
}

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Its own processor time, and that of its children that have ended, in seconds. */
  readonly seconds: number;
}

/** Processor time of a process and all its descendants, in seconds. */
export function secondsOf(pid: number): number {
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
