import type { Command, Options } from "./command.js";
import { commandName } from "./command-line.js";
import { commands } from "./commands.js";

/** By first word; all other commands are those of the service. */
const sections: Readonly<Record<string, string>> = Object.fromEntries([
  ...["init", "export", "check", "fix", "preview", "cache", "serve"].map((word) => [word, "Sites and bundles"]),
  ...["explain", "doctor", "completion"].map((word) => [word, "Help"]),
]);
const sectionOf = (name: string): string => sections[name.split(" ")[0]!] ?? "The export service";

/** As the help and the handbook list them. */
export const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "Success"],
  [
    "1",
    "The site has errors (check, or export --strict), an air-gapped bundle needs another host, nothing could be exported, something named on the command line does not exist, or fix could not write everything",
  ],
  ["2", "The command line is invalid"],
  ["3", "Something in the environment failed, such as the disk, a permission or a port"],
  ["130", "Interrupted"],
];

/** The help that `words` ask for, or the list of commands. @throws {UsageError} if they name no command. */
export function helpFor(words: readonly string[]): string {
  const name = words.length === 0 ? undefined : commandName(words);
  if (name === undefined) return listOfCommands();
  return commands[name]
    ? commandHelp(name)
    : `Usage: offprint ${name} <command>\n\n${rowsOf((other) => other.startsWith(`${name} `))}\n${more}`;
}

const more = '"offprint <command> --help" shows the options of a command.\n';

const listOfCommands =
  (): string => `Offprint exports a documentation site (docs.json + MDX) to plain files that open anywhere.

Usage: offprint <command> [options]

${["Sites and bundles", "The export service", "Help"]
  .map((title) => `${title}\n${rowsOf((name) => sectionOf(name) === title)}`)
  .join("\n")}
Options
${columns([
  ["-h, --help", "Show this help, or the help of a command"],
  ["-v, --version", "Show the version"],
])}
${more}
Exit codes
${columns(exitCodes)}`;

const rowsOf = (isListed: (name: string) => boolean): string =>
  columns(
    Object.keys(commands)
      .filter(isListed)
      .map((name) => [usageOf(name), commands[name]!.summary]),
  );

/** The usage after `offprint`: `export <site>`. */
export const usageOf = (name: string): string =>
  [name, commands[name]!.argument?.name, commands[name]!.argument?.more?.name].filter(Boolean).join(" ");

function commandHelp(name: string): string {
  const { summary, argument, options, variables } = commands[name]!;
  const sections = [
    `Usage: offprint ${usageOf(name)} [options]\n`,
    `${summary}.\n`,
    ...(argument ? [argumentsHelp(argument)] : []),
    `Options\n${columns([...optionRows(options), ["-h, --help", "Show this help"]])}`,
    ...(Object.keys(variables).length > 0 ? [`Environment variables\n${columns(Object.entries(variables))}`] : []),
    ...(argument ? [`Example\n  ${argument.example}\n`] : []),
  ];
  return sections.join("\n");
}

function argumentsHelp(argument: NonNullable<Command["argument"]>): string {
  const rows = [argument, argument.more ?? []].flat().map(({ name, help }) => [name, help] as const);
  return `Argument${rows.length > 1 ? "s" : ""}\n${columns(rows)}`;
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { short, value = "", help }]) => [
    `${short ? `-${short}, ` : "    "}--${name} ${value}`.trimEnd(),
    help,
  ]);

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}
