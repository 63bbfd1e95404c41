import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole, type Role } from "../../jobs/index.js";

/** What somebody without a site can do, before the command that adds a folder. */
export const HowToAdd = ({ role }: { readonly role: Role }): JsxNode => (
  <>
    {includesRole(role, "editor") ? <a href="/console/sites/new">Add a repository</a> : "Add a repository"}, or a folder
    of the service's machine in its terminal:
  </>
);
