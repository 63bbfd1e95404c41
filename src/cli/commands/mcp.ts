import { BundleRefused } from "../../serve/refusal.js";
import { serveOverStdio } from "../../serve/serve-stdio.js";
import { type Input, stoppableCommand } from "../command.js";
import { type Environment, UsageError } from "../environment.js";
import { createLog } from "../print/terminal.js";
import { bundleFolder } from "./serve.js";
import type texts from "./texts/mcp.json";

export const commands = { mcp: stoppableCommand(parse, run) };

function parse({ argument, values }: Input<typeof texts, "mcp">) {
  return { source: argument, data: values.data };
}

/** Runs until the client closes stdin, or a signal ends it. Only messages of the protocol go to stdout. */
async function run(
  { source, data }: ReturnType<typeof parse>,
  environment: Environment,
  { signal }: AbortController,
): Promise<number> {
  try {
    await serveOverStdio({
      source,
      dataFolder: bundleFolder(source, data, environment),
      input: environment.stdin!,
      output: environment.stdout,
      log: createLog(environment.stderr, Date.now),
      signal,
    });
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof BundleRefused) throw new UsageError(error.message);
    throw error;
  }
}
