import type { DoctorArguments } from "./doctor-arguments.js";
import { type Check, examine } from "./doctor-checks.js";
import type { Environment } from "./environment.js";
import { painter } from "./painter.js";

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

/** `offprint doctor`: a line for each thing that an export needs; exit code 1 if one of them is missing. */
export async function run({ folder, json }: DoctorArguments, environment: Environment): Promise<number> {
  const { stdout, env } = environment;
  const paint = painter(stdout, env);
  let hasFailed = false;
  for await (const check of examine(folder, environment)) {
    hasFailed ||= check.status === "fail";
    stdout.write(json ? `${JSON.stringify(check)}\n` : lineOf(check, paint));
  }
  return hasFailed ? 1 : 0;
}

function lineOf({ status, name, what, fix }: Check, paint: ReturnType<typeof painter>): string {
  const line = `${paint(status, colors[status])}${" ".repeat(6 - status.length)}${name.padEnd(14)}${what}\n`;
  return fix === undefined ? line : `${line}${" ".repeat(20)}fix: ${fix}\n`;
}
