/** What a command uses of the process that it runs in. */
export type Environment = Pick<NodeJS.Process, "stdout" | "stderr" | "env" | "platform" | "on" | "off"> &
  Partial<Pick<NodeJS.Process, "stdin">>;
