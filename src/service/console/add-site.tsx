import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { includesRole, type Role } from "../jobs/index.js";
import type { ConsoleDeps } from "./route.js";

/** A command of the machine of the service, for the data of this service. */
export const commandText = ({ system }: ConsoleDeps, command: string): string =>
  `offprint ${command}${system?.dataOption ?? ""}`;

export const addSiteCommand = (deps: ConsoleDeps, domain = "docs.example.com"): string =>
  commandText(deps, `site add ${domain} --folder ./docs`);

/** What somebody without a site can do, before the command that adds a folder. */
export const HowToAdd = ({ role }: { readonly role: Role }): JsxNode => (
  <>
    {includesRole(role, "editor") ? <a href="/console/sites/new">Add a repository</a> : "Add a repository"}, or a folder
    of the service's machine in its terminal:
  </>
);
