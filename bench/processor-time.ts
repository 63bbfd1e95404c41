import { readFileSync } from "node:fs";
import { childrenOf } from "../test/support/worker-processes.ts";

/** Of this process and its running children, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  const ofChildren = childrenOf(process.pid).map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  });
  return (user + system) / 1000 + ofChildren.reduce((sum, ms) => sum + ms, 0);
}
