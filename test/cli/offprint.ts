import { EventEmitter } from "node:events";
import type { Environment } from "../../src/cli/environment.js";
import { run } from "../../src/cli/run.js";

/** Runs a command line in this process, without a terminal. */
export async function offprint(...words: readonly string[]) {
  return offprintIn({}, ...words);
}

export async function offprintIn(env: NodeJS.ProcessEnv, ...words: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  const writer = (name: "stdout" | "stderr") => ({
    write(text: string): void {
      printed[name] += text;
    },
  });
  const signals = new EventEmitter();
  const environment = Object.assign(signals, {
    stdout: writer("stdout"),
    stderr: writer("stderr"),
    env,
    platform: "linux",
  });
  return { code: await run(words, environment as unknown as Environment), ...printed };
}
