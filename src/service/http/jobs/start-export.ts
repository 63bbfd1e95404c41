import type { IdempotencyKey, Job, Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { refuseStart, replayedHeader } from "../idempotency.js";
import type { ApiContext, RouteDeps } from "../request-context.js";
import type { JobRequest } from "./job-request.js";

/** @throws {ApiError} 403 if the organization's plan has no static export. */
export async function requirePlan({ accounts }: RouteDeps["store"], organizationId: string): Promise<void> {
  const plan = (await accounts.organizationById(organizationId))?.plan;
  if (plan !== "enterprise")
    throw new ApiError(403, `Static export needs the enterprise plan, but this organization has "${plan ?? "none"}".`);
}

/**
 * Starts the export of a site for the key of the request, and sets the headers of the response.
 *
 * @throws {ApiError} 403, 422 or 429.
 */
export async function startExport(
  { store }: RouteDeps,
  c: ApiContext,
  { projectId, domain, organizationId }: Pick<Project, "projectId" | "domain" | "organizationId">,
  request: Omit<JobRequest, "domain" | "paths"> & Pick<Job, "paths">,
  once: IdempotencyKey | undefined,
): Promise<Job> {
  const { keyId, name: requestedBy } = c.get("key")!;
  await requirePlan(store, organizationId);
  const { version, paths, audience, webhookUrl } = request;
  const overLimit = c.get("overLimit");
  const newJob = { organizationId, projectId, domain, version, paths, audience, webhookUrl, requestedBy };
  const created = overLimit
    ? once && (await store.jobs.repeated(organizationId, once))
    : await store.jobs.create(newJob, once, { keyId });
  if (!created) throw overLimit;
  refuseStart(created);
  c.header("Retry-After", "1");
  if (created.kind === "repeated") c.header(replayedHeader, "true");
  return created.job;
}
