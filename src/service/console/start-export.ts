import type { Job, Project } from "../jobs/index.js";
import type { ConsoleContext } from "./route.js";

type Wanted = Pick<Project, "projectId" | "domain"> & Partial<Pick<Job, "version" | "paths">>;

/** Starts an export of a site of the organization, and notes who did. `refusal` says why there is none, and what to do. */
export async function startExport(
  { deps, organization, audit }: ConsoleContext,
  { projectId, domain, version, paths }: Wanted,
): Promise<{ readonly jobId: string } | { readonly refusal: string }> {
  const { accounts, jobs } = deps.store;
  const { organizationId } = organization;
  const { plan } = (await accounts.organizationById(organizationId))!;
  if (plan !== "enterprise")
    return { refusal: `Static export needs the enterprise plan; this organization has "${plan}".` };
  const created = await jobs.create({ organizationId, projectId, domain, version, paths });
  if (created.kind === "full")
    return { refusal: `${created.maxQueued} exports wait already, the most that may. Cancel some, or wait.` };
  if (created.kind === "mismatch") throw new Error("Our bug: a job without an idempotency key cannot repeat another.");
  const { jobId } = created.job;
  await audit("job.create", jobId, domain);
  return { jobId };
}
