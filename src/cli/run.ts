import { OutputNotOursError } from "../bundle/archive/index.js";
import { engineVersion } from "../lib/package-root.js";
import { parseArguments, UsageError } from "./arguments.js";
import { runExport } from "./export-command.js";
import { explain, printFailure } from "./failure.js";
import { help } from "./help.js";
import { serviceCommands } from "./service-commands.js";

/** What a command needs of the process it runs in. */
export type Surroundings = Pick<NodeJS.Process, "stdout" | "stderr" | "env" | "platform" | "on" | "off">;

/** Runs one command line (without `node` and the script). Resolves with the exit code; see `help`. */
export async function run(words: readonly string[], process: Surroundings): Promise<number> {
  try {
    const load = serviceCommands[words[0] ?? ""];
    if (load && !words.includes("--help") && !words.includes("-h"))
      return await (await load()).run(words.slice(1), process);
    const args = parseArguments(words);
    if (args.command === "help") process.stdout.write(help);
    else if (args.command === "version") process.stdout.write(`offprint ${engineVersion()}\n`);
    else return await runExport(args, process);
    return 0;
  } catch (error) {
    const exitCode = error instanceof UsageError || error instanceof OutputNotOursError ? 2 : 3;
    printFailure(explain(error), exitCode, words.includes("--json"), process);
    return exitCode;
  }
}
