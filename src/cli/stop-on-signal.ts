import type { Environment } from "./environment.js";

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
