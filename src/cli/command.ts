import shared from "./commands/texts/shared.json" with { type: "json" };
import { type Environment, stopOnSignal } from "./environment.js";

export interface Option {
  readonly short?: string;
  /** The value as the help shows it: `<dir>`. An option without one is a switch. */
  readonly value?: string;
  /** May be given several times: its values are a list. */
  readonly multiple?: boolean;
  readonly help: string;
}
export type Options = Readonly<Record<string, Option>>;

/** One command in the JSON file of `commands/texts` that its help is made from. */
export interface CommandTexts {
  /** One line for the list of commands, starting with a verb. */
  readonly summary: string;
  /** The one argument that the command takes, if it takes any. */
  readonly argument?: {
    /** As the help shows it: `<site>`, or `[folder]` for an optional one. */
    readonly name: string;
    readonly help: string;
    /** The words after the argument. */
    readonly more?: { readonly name: string; readonly help: string };
    readonly example: string;
  };
  /** By name. Instead of an option: `shared`, or the command of the same file that has it. */
  readonly options: Readonly<Record<string, Option | string>>;
  /** Environment variables: groups of `settings/variables.json`, or single ones. */
  readonly variables?: readonly string[];
}
export type FileTexts = Readonly<Record<string, CommandTexts>>;

/** One entry of the table of commands. */
export interface Command extends Omit<CommandTexts, "options" | "variables"> {
  readonly options: Options;
  /** What each environment variable sets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Loads the code of the command; nothing else of it is loaded before. */
  load(): Promise<CommandCode>;
}

export interface CommandCode {
  /** @throws {UsageError} that quotes what was typed and says what is allowed. */
  parse(input: Input, env: NodeJS.ProcessEnv): unknown;
  /** Resolves with the exit code. */
  run(args: unknown, environment: Environment): Promise<number>;
}

/** Checks that `run` takes what `parse` returns. */
export const command = <I extends Input, A>(
  parse: (input: I, env: NodeJS.ProcessEnv) => A | Promise<A>,
  run: (args: A, environment: Environment) => Promise<number>,
): CommandCode => ({ parse, run }) as unknown as CommandCode;

/** A command that SIGINT and SIGTERM stop: they abort the controller. */
export const stoppableCommand = <I extends Input, A>(
  parse: (input: I, env: NodeJS.ProcessEnv) => A | Promise<A>,
  run: (args: A, environment: Environment, controller: AbortController) => Promise<number>,
): CommandCode =>
  command(parse, async (args: A, environment) => {
    const { controller, release } = stopOnSignal(environment);
    try {
      return await run(args, environment, controller);
    } finally {
      release();
    }
  });

/** The words after the name of a command. */
export interface Input<T extends FileTexts = FileTexts, Name extends keyof T = keyof T> {
  /** Empty if the command takes no argument. */
  readonly argument: string;
  /** The words after the argument. */
  readonly rest: readonly string[];
  readonly values: { readonly [N in keyof T[Name]["options"]]?: ValueOf<OptionNamed<N, T[Name]["options"], T>> };
}

/** Option `N` of a command, looked up as `commands.ts` does. */
type OptionNamed<N extends keyof O, O, T extends FileTexts> = O[N] extends string
  ? N extends keyof typeof shared
    ? (typeof shared)[N]
    : OwnOption<N, T[keyof T]["options"]>
  : O[N];
type OwnOption<N extends PropertyKey, O> = O extends { readonly [K in N]: infer One } ? Exclude<One, string> : never;

type ValueOf<O> = O extends { readonly multiple: boolean }
  ? readonly string[]
  : O extends { readonly value: string }
    ? string
    : boolean;

export const sharedOption = (name: string): Option => (shared as Options)[name]!;
