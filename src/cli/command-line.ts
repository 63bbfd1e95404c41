import type { Command } from "./command.js";
import { commands } from "./commands.js";
import { UsageError } from "./environment.js";
import { type Input, type Options, readOptions, suggest, UnknownOptionError } from "./options.js";

export interface CommandLine {
  readonly command: Command;
  readonly input: Input<Options>;
}

const firstWords = [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]!))];

/** The second words of `site` and `key`; empty for other commands. */
export const actionsOf = (first: string): string[] =>
  Object.keys(commands).flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

/**
 * The name of the command that `words` start, or `site` or `key` without an action; options may come first.
 *
 * @throws {UsageError} that names the most similar command.
 */
export function commandName(words: readonly string[]): string {
  const first = pickName(words, firstWords);
  if (first === undefined) throw new UsageError(`There is no command in "${words.join(" ")}". See: offprint --help`);
  if (!firstWords.includes(first)) throw new UsageError(`There is no command "${first}".${suggest(first, firstWords)}`);
  const actions = actionsOf(first);
  const action = actions.length === 0 ? undefined : pickName(words.toSpliced(words.indexOf(first), 1), actions);
  if (action === undefined) return first;
  if (!actions.includes(action))
    throw new UsageError(`There is no "offprint ${first} ${action}".${suggest(action, actions)}`);
  return `${first} ${action}`;
}

const pickName = (words: readonly string[], names: readonly string[]): string | undefined =>
  words[0]?.startsWith("-") ? words.find((word) => names.includes(word)) : words[0];

/** @throws {UsageError} that quotes what was written and says what is allowed. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const name = commandName(words);
  const command = commands[name];
  if (!command) throw new UsageError(`"offprint ${name}" needs one of ${actionsOf(name).join(", ")}.`);
  const rest = name.split(" ").reduce<readonly string[]>((left, word) => left.toSpliced(left.indexOf(word), 1), words);
  const { values, positionals } = readCommandOptions(name, command, rest);
  const [argument, ...further] = positionals;
  const { argument: expected } = command;
  if (!expected && argument !== undefined)
    throw new UsageError(`"offprint ${name}" takes no argument, so it cannot use "${argument}".`);
  if (expected?.name.startsWith("<") && argument === undefined)
    throw new UsageError(`"offprint ${name}" needs ${expected.name}. Example: ${expected.example}`);
  if (expected?.more ? further.length === 0 : further.length > 0)
    throw new UsageError(
      expected?.more
        ? `"offprint ${name}" needs ${expected.more.name}. Example: ${expected.example}`
        : `"offprint ${name}" takes one ${expected!.name}; "${further[0]}" is too many.`,
    );
  return { command, input: { argument: argument ?? "", more: further.join(" "), rest: further, values } };
}

/** @throws {UsageError} for an unknown option; it names the commands that have the option, if they are few. */
function readCommandOptions(name: string, { options }: Command, words: readonly string[]) {
  try {
    return readOptions(words, options);
  } catch (error) {
    if (!(error instanceof UnknownOptionError)) throw error;
    const { option } = error;
    const owners = Object.keys(commands).filter((each) => Object.hasOwn(commands[each]!.options, option.slice(2)));
    const relatives = owners.filter((each) => each.split(" ")[0] === name.split(" ")[0]);
    const nearest = relatives.length > 0 ? relatives : owners;
    if (nearest.length === 0 || nearest.length > 2) throw error;
    const list = nearest.map((each) => `"offprint ${each}"`).join(" and ");
    throw new UsageError(`"offprint ${name}" has no option ${option}: ${option} belongs to ${list}.`);
  }
}
