import type { Project } from "../jobs/index.js";
import type { ConsoleContext } from "./route.js";

/** The site that `?site=` names; without it the first one. Undefined: the organization has no such site. */
export async function chosenSite({ deps, organization, query }: ConsoleContext): Promise<{
  readonly project?: Project;
  readonly projects: readonly Project[];
}> {
  const projects = await deps.store.accounts.projects(organization.organizationId);
  const written = query.get("site");
  return { project: written === null ? projects[0] : projects.find(({ domain }) => domain === written), projects };
}
