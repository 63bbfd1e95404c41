import type { Context } from "hono";
import { namesTag } from "../../lib/http/index.js";
import type { AccountStore, Job, JobStore } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { ApiError, noSuchJob } from "./api-error.js";
import type { ResolvedApiOptions } from "./api-options.js";
import { readIdempotencyKey } from "./idempotency-key.js";
import type { JobRequest } from "./job-request.js";
import { entityTag, jobView, newJobView, pollSeconds } from "./job-view.js";
import { countStart } from "./rate-limit.js";
import type { ApiEnvironment } from "./request-context.js";
import type { Waiting } from "./waiting.js";

export interface HandlerParts {
  readonly jobs: JobStore;
  readonly accounts: AccountStore;
  readonly objects: ObjectStore;
  readonly options: ResolvedApiOptions;
  readonly waiting: Waiting;
  readonly now: () => number;
}
type ApiContext = Context<ApiEnvironment>;

/** The 202's body and headers. */
export async function startJob(parts: HandlerParts, c: ApiContext, request: JobRequest) {
  const { organizationId } = c.get("key")!;
  const { domain, version, paths, webhookUrl } = request;
  const content = { domain, version, paths, webhookUrl };
  const once = readIdempotencyKey(c.req.header("Idempotency-Key"), "POST /v1/static-export/jobs", content);
  await requirePlan(parts.accounts, organizationId);
  const headers = await countStart(parts.accounts, organizationId, parts.options, parts.now());
  const project = await parts.accounts.projectByDomain(domain);
  if (project?.organizationId !== organizationId)
    throw new ApiError(
      400,
      `The organization has no site "${domain}". Check the spelling, or add it: offprint site add ${domain}.`,
      headers,
    );
  const created = await parts.jobs.create({ organizationId, projectId: project.projectId, ...content }, once);
  if (created.kind === "mismatch")
    throw new ApiError(
      422,
      "This Idempotency-Key was used for another request. Repeat that one unchanged, or take a new key.",
      headers,
    );
  return {
    view: newJobView(created.job),
    headers: { ...headers, Location: `/v1/static-export/jobs/${created.job.jobId}`, "Retry-After": "1" },
  };
}

/** Undefined instead of the job where the client has it as it is. */
export async function getJob(parts: HandlerParts, c: ApiContext, jobId: string, waitSeconds: number) {
  const known = c.req.header("If-None-Match");
  let job = await ownJob(parts.jobs, c, jobId);
  let tag = entityTag(jobView(job));
  if (waitSeconds > 0 && (known === undefined || namesTag(known, tag))) {
    job = (await parts.waiting.forChange(job, waitSeconds * 1000, [c.req.raw.signal, c.env.closing])) ?? job;
    tag = entityTag(jobView(job));
  }
  const retryAfter = pollSeconds(job, parts.now());
  return {
    view: namesTag(known, tag) ? undefined : jobView(job),
    headers: { ETag: tag, "Cache-Control": "private, no-cache", ...(retryAfter && { "Retry-After": retryAfter }) },
  };
}

export async function cancelJob(parts: HandlerParts, c: ApiContext, jobId: string) {
  await ownJob(parts.jobs, c, jobId);
  const job = await parts.jobs.cancel(jobId, "The job was cancelled by request.");
  if (!job) throw noSuchJob();
  return jobView(job);
}

/**
 * The same key may be sent again: nothing changes, and the link is a fresh one, because keeping the first one
 * would keep a secret.
 */
export async function makeBundle(parts: HandlerParts, c: ApiContext, jobId: string) {
  readIdempotencyKey(c.req.header("Idempotency-Key"), `POST /v1/static-export/jobs/${jobId}/bundle`, null);
  await requirePlan(parts.accounts, c.get("key")!.organizationId);
  const job = await ownJob(parts.jobs, c, jobId);
  if (job.status === "failed")
    throw new ApiError(
      409,
      `The job failed, so there is no bundle: ${job.error ?? "no reason was given."} Start a new job.`,
    );
  if (!job.bundle) {
    const retryAfter = pollSeconds(job, parts.now());
    const message = `The job is ${job.status}, so there is no bundle yet. Ask again once its status is "completed".`;
    throw new ApiError(409, message, retryAfter ? { "Retry-After": retryAfter } : {});
  }
  if ((await parts.objects.sizeOf(job.bundle.objectKey)) === undefined)
    throw new ApiError(404, "The bundle of this job is no longer kept. Start a new job.");
  const { url, expiresAt } = await parts.objects.link(job.bundle.objectKey, parts.options.linkTtlMs);
  return {
    jobId,
    bundleUrl: url,
    sizeBytes: job.bundle.bytes,
    expiresAt: expiresAt.toISOString(),
    sha256: job.bundle.sha256,
  };
}

/** @throws {ApiError} 404, the same whether the job is unknown or another organization's. */
async function ownJob(jobs: JobStore, c: ApiContext, jobId: string): Promise<Job> {
  const job = /^se_[0-9a-f]{32}$/.test(jobId) ? await jobs.get(jobId) : undefined;
  if (job?.organizationId !== c.get("key")!.organizationId) throw noSuchJob();
  return job;
}

async function requirePlan(accounts: AccountStore, organizationId: string): Promise<void> {
  const plan = (await accounts.organizationById(organizationId))?.plan;
  if (plan !== "enterprise")
    throw new ApiError(403, `Static export needs the enterprise plan; this organization has "${plan ?? "none"}".`);
}
