import { codes } from "../codes.js";
import { type Command, command, type Input } from "../command.js";
import type { Environment } from "../environment.js";
import { oneOf } from "../options.js";
import type texts from "./texts/completion.json";

const shells = ["bash", "zsh", "fish"] as const;

/** Prints the script for a shell, made from the table of commands, which loads this file. */
export const completionOf = (commands: Readonly<Record<string, Command>>) => ({
  commands: {
    completion: command(
      ({ argument }: Input<typeof texts, "completion">) => oneOf("The shell", argument, shells),
      async (shell, { stdout }: Environment) => {
        const completed = completedCommands(commands);
        stdout.write(shell === "bash" ? bash(completed) : shell === "zsh" ? zsh(completed) : fish(completed));
        return 0;
      },
    ),
  },
});

interface CompletedCommand {
  /** One word or two: `site add`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly { readonly name: string; readonly help: string; readonly takesValue: boolean }[];
  /** The values of its argument; empty if the shell completes files instead. */
  readonly words: readonly string[];
}

function completedCommands(commands: Readonly<Record<string, Command>>): readonly CompletedCommand[] {
  const firstWords = [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]!))];
  const words: Readonly<Record<string, readonly string[]>> = {
    explain: codes.map(({ code }) => code),
    completion: shells,
  };
  return [
    ...Object.entries(commands).map(([name, { summary, options }]) => ({
      name,
      summary,
      options: [
        ...Object.entries(options).map(([option, { help, value }]) => ({
          name: option,
          help,
          takesValue: value !== undefined,
        })),
        { name: "help", help: "Show this help", takesValue: false },
      ],
      words: words[name] ?? [],
    })),
    { name: "help", summary: "Show the help of a command", options: [], words: firstWords },
  ];
}

/** The words that can follow each beginning of a command: commands, second words, arguments. */
function continuations(
  commands: readonly CompletedCommand[],
): Map<string, readonly (readonly [word: string, help: string])[]> {
  const next = new Map<string, Map<string, string>>([["", new Map()]]);
  for (const { name, summary, words } of commands) {
    const [first = "", second] = name.split(" ");
    const isGroup = second !== undefined;
    if (!next.get("")!.has(first)) next.get("")!.set(first, isGroup ? `Commands: ${first} …` : summary);
    if (isGroup) next.set(first, (next.get(first) ?? new Map()).set(second, summary));
    else if (words.length > 0) next.set(first, new Map(words.map((word) => [word, ""])));
  }
  return new Map([...next].map(([before, words]) => [before, [...words]]));
}

const valuedOptions = ({ options }: CompletedCommand): string[] =>
  options.filter(({ takesValue }) => takesValue).map(({ name }) => `--${name}`);

function bash(commands: readonly CompletedCommand[]): string {
  const next = [...continuations(commands)].map(
    ([before, words]) => `    "${before}") words="${words.map(([word]) => word).join(" ")}" ;;`,
  );
  const options = commands.map(
    (command) => `    "${command.name}") words="${command.options.map(({ name }) => `--${name}`).join(" ")}" ;;`,
  );
  const valued = [...new Set(commands.flatMap(valuedOptions))];
  return `# Completion of offprint for bash: source <(offprint completion bash)
_offprint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word words=""
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    [[ $word == -* ]] && continue
    case "\${command:+$command }$word" in
${commandPattern(commands, "      ")} command="\${command:+$command }$word" ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$previous" in
    ${valued.join("|")}) return ;;
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${options.join("\n")}
    "") words="--help --version" ;;
    esac
  else
    case "$command" in
${next.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _offprint offprint
`;
}

/** Every command and every first word of one, as a pattern of `case`. */
function commandPattern(commands: readonly CompletedCommand[], indent: string): string {
  const names = new Set(commands.flatMap(({ name }) => [name.split(" ")[0]!, name]));
  return `${indent}${[...names].map((name) => `"${name}"`).join("|")})`;
}

/** A text between single quotes, in all three shells. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "").replaceAll("'", "’")}'`;

/** zsh runs completions of bash. */
const zsh = (commands: readonly CompletedCommand[]): string =>
  `# Completion of offprint for zsh: source <(offprint completion zsh)
autoload -Uz compinit bashcompinit && compinit && bashcompinit
${bash(commands)}`;

function fish(commands: readonly CompletedCommand[]): string {
  const lines: string[] = [];
  for (const [before, words] of continuations(commands)) {
    const condition = before === "" ? "__fish_use_subcommand" : `__offprint_is "${before}"`;
    for (const [word, help] of words)
      lines.push(`complete -c offprint -n '${condition}' -f -a ${word}${help ? ` -d ${quoted(help)}` : ""}`);
  }
  for (const { name, options } of commands)
    for (const { name: option, help, takesValue } of options)
      lines.push(
        `complete -c offprint -n '__offprint_is "${name}"' -l ${option}${takesValue ? " -r" : ""} -d ${quoted(help)}`,
      );
  return `# Completion of offprint for fish: offprint completion fish > ~/.config/fish/completions/offprint.fish
function __offprint_is
    set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
    set -l wanted (string split ' ' -- $argv[1])
    test (count $words) -ge (count $wanted); and test "$words[1..$(count $wanted)]" = "$wanted"
end
${lines.join("\n")}
`;
}
