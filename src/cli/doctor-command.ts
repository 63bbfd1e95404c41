import { styleText } from "node:util";
import type { DoctorArguments } from "./doctor-arguments.js";
import { type Check, examine } from "./doctor-checks.js";
import type { Environment } from "./environment.js";

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

/** `offprint doctor`: a line for each thing that an export needs; exit code 1 if one of them is missing. */
export async function run({ folder, json }: DoctorArguments, environment: Environment): Promise<number> {
  const { stdout } = environment;
  let hasFailed = false;
  for await (const check of examine(folder, environment)) {
    hasFailed ||= check.status === "fail";
    if (json) stdout.write(`${JSON.stringify(check)}\n`);
    else
      stdout.write(lineOf(check, (text, color) => (stdout.isTTY ? styleText(color, text, { stream: stdout }) : text)));
  }
  return hasFailed ? 1 : 0;
}

function lineOf(
  { status, name, what, fix }: Check,
  paint: (text: string, color: (typeof colors)[Check["status"]]) => string,
): string {
  const line = `${paint(status, colors[status])}${" ".repeat(6 - status.length)}${name.padEnd(14)}${what}\n`;
  return fix === undefined ? line : `${line}${" ".repeat(20)}fix: ${fix}\n`;
}
