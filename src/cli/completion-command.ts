import type { Command } from "./command.js";
import { type CompletionArguments, shells } from "./completion-arguments.js";
import { completionScript, type ToComplete } from "./completion-script.js";
import type { Environment } from "./environment.js";

/** `offprint completion`: the script of a shell, made from the tables of commands and options. */
export const completing = (commands: Readonly<Record<string, Command>>) => ({
  async run({ shell }: CompletionArguments, { stdout }: Environment): Promise<number> {
    const { codes } = await import("./codes.js");
    const help = [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]!))];
    const words: Readonly<Record<string, readonly string[]>> = {
      explain: codes.map(({ code }) => code),
      completion: shells,
    };
    const list: readonly ToComplete[] = [
      ...Object.entries(commands).map(([name, { summary, options }]) => ({
        name,
        summary,
        options: [
          ...Object.entries(options).map(([option, each]) => ({
            name: option,
            help: each.help,
            takesValue: each.value !== undefined,
          })),
          { name: "help", help: "Show this help", takesValue: false },
        ],
        words: words[name] ?? [],
      })),
      { name: "help", summary: "Show the help of a command", options: [], words: help },
    ];
    stdout.write(completionScript(shell, list));
    return 0;
  },
});
