import { engineVersion } from "../lib/package-root.js";
import { parseCommandLine } from "./command-line.js";
import type { Environment } from "./environment.js";
import { UsageError } from "./environment.js";
import { helpFor } from "./help.js";
import { explain, printFailure } from "./print/failure.js";

/** Runs one command line (without `node` and the script). Resolves with the exit code; the help lists them. */
export async function run(words: readonly string[], environment: Environment): Promise<number> {
  const has = (...names: readonly string[]): boolean => words.some((word) => names.includes(word));
  try {
    if (has("--version", "-v")) environment.stdout.write(`offprint ${engineVersion()}\n`);
    else if (words.length === 0 || words[0] === "help" || has("--help", "-h"))
      environment.stdout.write(helpFor(words.filter((word) => !["help", "--help", "-h"].includes(word))));
    else {
      const { command, input } = parseCommandLine(words);
      const args = await command.parse(input, environment.env);
      return await (await command.load()).run(args, environment);
    }
    return 0;
  } catch (error) {
    const exitCode = error instanceof UsageError ? 2 : 3;
    printFailure(explain(error), exitCode, has("--json"), environment);
    return exitCode;
  }
}
