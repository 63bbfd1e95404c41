import type { Environment } from "./environment.js";
import type { Input, Options } from "./options.js";

/** One entry of the table of commands. */
export interface Command<O extends Options = Options, A = unknown> {
  /** One line for the list of commands, starting with a verb. */
  readonly summary: string;
  /** The one argument that the command takes, if it takes any. */
  readonly argument?: {
    /** As the help shows it: `<site>`, or `[folder]` for one that may be left out. */
    readonly name: string;
    readonly help: string;
    /** The words after the argument, joined by blanks. */
    readonly more?: { readonly name: string; readonly help: string };
    readonly example: string;
  };
  readonly options: O;
  /** Environment variables by name, with what they set. */
  readonly variables?: Readonly<Record<string, string>>;
  /** @throws {UsageError} that quotes what was written and says what is allowed. */
  parse(input: Input<O>, env: NodeJS.ProcessEnv): A | Promise<A>;
  /** Loads the code of the command; nothing else of it is loaded before. */
  load(): Promise<{
    /** Resolves with the exit code. */
    run(args: A, environment: Environment): Promise<number>;
  }>;
}
