import type { ConsoleDeps } from "./route.js";

/** A command of the machine of the service, for the data of this service. */
export const commandText = ({ system }: ConsoleDeps, command: string): string =>
  `offprint ${command}${system?.dataOption ?? ""}`;

export const addSiteCommand = (deps: ConsoleDeps, domain = "docs.example.com"): string =>
  commandText(deps, `site add ${domain} --folder ./docs`);
