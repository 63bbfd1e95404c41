import type { Surroundings } from "./run.js";

/** A command beside `export` and `check`, loaded when it is asked for. */
export interface CommandModule {
  /**
   * @param words what stands after the command's name.
   * @returns the exit code.
   * @throws {UsageError} that says what was typed and what was wanted.
   */
  run(words: readonly string[], process: Surroundings): Promise<number>;
}

/** By name. */
export const serviceCommands: Readonly<Record<string, () => Promise<CommandModule>>> = {
  serve: () => import("./serve-command.js"),
  service: async () => (await import("./service-command.js")).serviceCommand("service"),
  api: async () => (await import("./service-command.js")).serviceCommand("api"),
  worker: async () => (await import("./service-command.js")).serviceCommand("worker"),
  site: () => import("./site-command.js"),
  key: () => import("./key-command.js"),
};
