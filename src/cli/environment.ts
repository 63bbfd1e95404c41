/** The parts of the process that a command uses. */
export type Environment = Pick<NodeJS.Process, "stdout" | "stderr" | "env" | "platform" | "on" | "off"> &
  Partial<Pick<NodeJS.Process, "stdin">>;

/** The command line or an environment variable is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something named on the command line does not exist, or the service refuses to change it: exit code 1. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** The words that run a command. A clone has no `offprint`: its npm scripts run the program. */
export const programName = ({ env }: Environment): string =>
  env["npm_lifecycle_script"]?.includes("dist/cli/main.js") ? "npm run -s offprint --" : "offprint";

/** Aborts `controller` at the first SIGINT or SIGTERM; a second one ends the process. Call `release` at the end. */
export function stopOnSignal(environment: Environment) {
  const controller = new AbortController();
  const release = (): void => void environment.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  const onSignal = (): void => {
    release();
    controller.abort();
  };
  environment.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return { controller, release };
}
