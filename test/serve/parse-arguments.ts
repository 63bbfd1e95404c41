import { parseCommandLine } from "../../src/cli/command-line.js";

/** The input that a command of the program reads from the arguments and variables of a deployment. */
export async function parseArguments(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const { command, input } = parseCommandLine(words);
  return (await command.load()).parse(input, env);
}
