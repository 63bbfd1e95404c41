import { parseArgs } from "node:util";
import { nearestName } from "../lib/diagnostic/index.js";
import type { Command, Input, Options } from "./command.js";
import { commands } from "./commands.js";
import { UsageError } from "./environment.js";

export interface CommandLine {
  readonly command: Command;
  readonly input: Input;
}

const firstWords = [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]!))];

/** The second words of `site` and `key`; empty for other commands. */
const actionsOf = (first: string): string[] =>
  Object.keys(commands).flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

/** The command that `words` start; options may come first. @throws {UsageError} that names the most similar one. */
export function commandName(words: readonly string[]): string {
  const first = pickName(words, firstWords);
  if (first === undefined) throw new UsageError(`"${words.join(" ")}" contains no command. See: offprint --help`);
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

/** @throws {UsageError} that quotes what was typed and says what is allowed. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const name = commandName(words);
  const command = commands[name];
  if (!command) throw new UsageError(`"offprint ${name}" needs one of ${actionsOf(name).join(", ")}.`);
  const afterName = name
    .split(" ")
    .reduce<readonly string[]>((left, word) => left.toSpliced(left.indexOf(word), 1), words);
  const { values, positionals } = readOptions(name, command.options, afterName);
  const [argument, ...rest] = positionals;
  const { argument: expected } = command;
  if (!expected && argument !== undefined)
    throw new UsageError(`"offprint ${name}" takes no arguments; remove "${argument}".`);
  if (expected?.name.startsWith("<") && argument === undefined)
    throw new UsageError(`"offprint ${name}" needs ${expected.name}. Example: ${expected.example}`);
  if (expected?.more && rest.length === 0)
    throw new UsageError(`"offprint ${name}" needs ${expected.more.name}. Example: ${expected.example}`);
  if (expected && !expected.more && rest.length > 0)
    throw new UsageError(`"offprint ${name}" takes only one ${expected.name}; remove "${rest[0]}".`);
  return { command, input: { argument: argument ?? "", rest, values: values as Input["values"] } };
}

/** @throws {UsageError} for an option that the command does not have, or that lacks its value. */
function readOptions(name: string, options: Options, words: readonly string[]) {
  const config = Object.entries(options).map(([option, { short, value, multiple = false }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [option, { type, multiple, ...(short !== undefined && { short }) }] as const;
  });
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(config), allowPositionals: true });
  } catch (error) {
    const unknown = /Unknown option '(--?[^' ]+)/.exec((error as Error).message)?.[1];
    throw new UsageError(unknown === undefined ? (error as Error).message : unknownOption(name, options, unknown));
  }
}

/** Names the commands that have the option, if they are one or two, or else the most similar option of this one. */
function unknownOption(name: string, options: Options, option: string): string {
  const owners = Object.keys(commands).filter((owner) => Object.hasOwn(commands[owner]!.options, option.slice(2)));
  const relatives = owners.filter((owner) => owner.split(" ")[0] === name.split(" ")[0]);
  const nearest = relatives.length > 0 ? relatives : owners;
  if (nearest.length === 0 || nearest.length > 2) {
    const names = Object.keys(options).map((word) => `--${word}`);
    return `There is no option ${option}.${suggest(option, names, `offprint ${name} --help`)}`;
  }
  const list = nearest.map((owner) => `"offprint ${owner}"`).join(" and ");
  return `"offprint ${name}" has no option ${option}: ${option} belongs to ${list}.`;
}

/** A sentence that names the most similar of `names`, or else the first that begins with `word`, or else the help. */
function suggest(word: string, names: readonly string[], help = "offprint --help"): string {
  const near = nearestName(word, names) ?? names.find((name) => word.length > 4 && name.startsWith(word));
  return near ? ` Did you mean "${near}"?` : ` See: ${help}`;
}
