import { engineVersion } from "../lib/package-root.js";
import { parseCommandLine } from "./command-line.js";
import { type Environment, RefusedError, UsageError } from "./environment.js";
import { helpFor } from "./help.js";
import { explain, printFailure } from "./print/failure.js";

/**
 * Runs one command line (without `node` and the script). Resolves with the exit code; the help lists them.
 *
 * @param keepCode called before the code of a command is loaded, unless the command must not write to the cache
 */
export async function run(
  words: readonly string[],
  environment: Environment,
  keepCode?: () => Promise<void>,
): Promise<number> {
  const has = (...names: readonly string[]): boolean => words.some((word) => names.includes(word));
  try {
    if (has("--version", "-v")) environment.stdout.write(`offprint ${engineVersion()}\n`);
    else if (words.length === 0 || words[0] === "help" || has("--help", "-h"))
      environment.stdout.write(helpFor(words.filter((word) => !["help", "--help", "-h"].includes(word))));
    else {
      const { command, input } = parseCommandLine(words);
      // "offprint cache clear" must not write again what it removes.
      if (!has("--no-cache", "cache")) await keepCode?.();
      const code = await command.load();
      return await code.run(await code.parse(input, environment.env), environment);
    }
    return 0;
  } catch (error) {
    const exitCode = error instanceof RefusedError ? 1 : error instanceof UsageError ? 2 : 3;
    printFailure(explain(error), exitCode, has("--json"), environment);
    return exitCode;
  }
}
