import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { includesRole, type Role } from "../jobs/index.js";
import type { ConsoleDeps } from "./route.js";

/** A command to type on the machine of the service, with the option that names its data. */
export const commandText = ({ system }: ConsoleDeps, command: string): string =>
  `offprint ${command}${system?.dataOption ?? ""}`;

export const addSiteCommand = (deps: ConsoleDeps, domain = "docs.example.com"): string =>
  commandText(deps, `site add ${domain} --folder ./docs`);

/** How to add a site. The command that adds a folder follows this text. */
export const HowToAdd = ({ role }: { readonly role: Role }): JsxNode => (
  <>
    {includesRole(role, "editor") ? <a href="/console/sites/new">Add a repository</a> : "Add a repository"}, or a folder
    of the service's machine in its terminal:
  </>
);
