import type { AccountStore, Project } from "../jobs/index.js";
import type { ApiError } from "./api-error.js";
import type { ApiContext } from "./request-context.js";

/**
 * The project of a request, of the organization of its key.
 *
 * @throws {ApiError} `fault`, whether the project is unknown, removed, or belongs to another organization, so that clients
 *   cannot probe for ids.
 */
export async function ownProject(
  accounts: Pick<AccountStore, "projectById">,
  c: ApiContext,
  projectId: string,
  fault: () => ApiError,
): Promise<Project> {
  const project = /^prj_[0-9a-f]{32}$/.test(projectId) ? await accounts.projectById(projectId) : undefined;
  if (project?.organizationId !== c.get("key")!.organizationId || project.removedAt) throw fault();
  return project;
}
