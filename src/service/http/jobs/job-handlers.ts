import type { Context } from "hono";
import { namesTag } from "../../../lib/http/index.js";
import { erase } from "../../erase.js";
import {
  type AccountStore,
  type ErasureStore,
  isFinished,
  type Job,
  type JobStore,
  type PersonStore,
} from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import { ObjectMissingError, type ObjectStore } from "../../store/index.js";
import { ApiError, noSuchJob } from "../api-error.js";
import type { ResolvedApiOptions } from "../api-options.js";
import { within } from "../health.js";
import { readIdempotencyKey, refuseStart } from "../idempotency.js";
import { replayedHeader } from "../rate-limit.js";
import type { ApiEnvironment } from "../request-context.js";
import { cursorFault } from "../schemas.js";
import { entityTag, erasureView, jobView, newJobView, pollSeconds } from "../views.js";
import type { JobRequest } from "./job-request.js";

export interface HandlerDeps {
  readonly jobs: JobStore;
  readonly accounts: AccountStore;
  readonly people: Pick<PersonStore, "addAuditEntry">;
  readonly objects: ObjectStore;
  readonly erasures: ErasureStore;
  readonly options: ResolvedApiOptions;
  readonly longPolls: LongPolls;
  readonly now: () => number;
}
type ApiContext = Context<ApiEnvironment>;

/**
 * Body and headers of the 202.
 *
 * @param route of the Idempotency-Key.
 */
export async function startJob(
  deps: HandlerDeps,
  c: ApiContext,
  request: Readonly<JobRequest> | Job,
  route = "POST /v1/static-export/jobs",
) {
  const { organizationId, keyId, name: requestedBy } = c.get("key")!;
  const { domain, version, paths, audience, webhookUrl } = request;
  const content = { domain, version, paths, audience, webhookUrl };
  const once = readIdempotencyKey(c.req.header("Idempotency-Key"), route, content);
  await requirePlan(deps.accounts, organizationId);
  const project = await deps.accounts.projectByDomain(domain);
  if (project?.organizationId !== organizationId)
    throw new ApiError(
      400,
      `The organization has no site "${domain}". Check the spelling, or add it: offprint site add ${domain}.`,
    );
  const overLimit = c.get("overLimit");
  const created = overLimit
    ? once && (await deps.jobs.repeated(organizationId, once))
    : await deps.jobs.create({ organizationId, projectId: project.projectId, ...content, requestedBy }, once, {
        keyId,
      });
  if (!created) throw overLimit;
  refuseStart(created);
  return {
    view: newJobView(created.job),
    headers: {
      Location: `/v1/static-export/jobs/${created.job.jobId}`,
      "Retry-After": "1",
      ...(created.kind === "repeated" && { [replayedHeader]: "true" }),
    },
  };
}

/** A new job with the request of an ended one. */
export async function rerunJob(deps: HandlerDeps, c: ApiContext, jobId: string) {
  const job = await ownJob(deps.jobs, c, jobId);
  if (!isFinished(job))
    throw new ApiError(409, `The job is ${job.status}. Wait for its end, or cancel it, before you run it again.`);
  return startJob(deps, c, job, `POST /v1/static-export/jobs/${jobId}/rerun`);
}

/** `view` is undefined if the client already has the job's current state. */
export async function getJob(deps: HandlerDeps, c: ApiContext, jobId: string, waitSeconds: number) {
  const known = c.req.header("If-None-Match");
  let job = await ownJob(deps.jobs, c, jobId);
  let tag = entityTag(jobView(job));
  if (waitSeconds > 0 && (known === undefined || namesTag(known, tag))) {
    job = (await deps.longPolls.forChange(job, waitSeconds * 1000, [c.req.raw.signal, c.env.closing])) ?? job;
    tag = entityTag(jobView(job));
  }
  const retryAfter = pollSeconds(job, deps.now());
  return {
    view: namesTag(known, tag) ? undefined : jobView(job),
    headers: { ETag: tag, "Cache-Control": "private, no-cache", ...(retryAfter && { "Retry-After": retryAfter }) },
  };
}

export async function cancelJob(deps: HandlerDeps, c: ApiContext, jobId: string) {
  await ownJob(deps.jobs, c, jobId);
  const { keyId } = c.get("key")!;
  const job = await deps.jobs.cancel(jobId, "The job was cancelled by request.", { keyId });
  if (!job) throw noSuchJob();
  return jobView(job);
}

/**
 * A repeated Idempotency-Key gives a new link, since storing the first one would store a secret.
 */
export async function makeBundle(deps: HandlerDeps, c: ApiContext, jobId: string) {
  readIdempotencyKey(c.req.header("Idempotency-Key"), `POST /v1/static-export/jobs/${jobId}/bundle`, null);
  await requirePlan(deps.accounts, c.get("key")!.organizationId);
  const job = await ownJob(deps.jobs, c, jobId);
  if (job.status === "failed")
    throw new ApiError(
      409,
      `The job failed, so there is no bundle: ${job.error ?? "no reason was given."} Start a new job.`,
    );
  if (!job.bundle) {
    const retryAfter = pollSeconds(job, deps.now());
    const message = `The job is ${job.status}, so there is no bundle yet. Ask again once its status is "completed".`;
    throw new ApiError(409, message, retryAfter ? { "Retry-After": retryAfter } : {});
  }
  const { objectKey } = job.bundle;
  const { url, expiresAt } = await inTime(deps, (signal) =>
    deps.objects.link(objectKey, deps.options.linkTtlMs, signal),
  ).catch((error: unknown) => {
    if (!(error instanceof ObjectMissingError)) throw error;
    throw new ApiError(404, "The bundle of this job is no longer kept. Start a new job.");
  });
  const { organizationId, keyId } = c.get("key")!;
  await deps.people.addAuditEntry({
    organizationId,
    keyId,
    action: "job.download",
    subject: jobId,
    detail: job.domain,
  });
  return {
    jobId,
    bundleUrl: url,
    sizeBytes: job.bundle.bytes,
    expiresAt: expiresAt.toISOString(),
    sha256: job.bundle.sha256,
  };
}

/** Withdraws the bundle of a completed job: links to it end at once. */
export async function withdrawBundle(deps: HandlerDeps, c: ApiContext, jobId: string) {
  const { organizationId } = await ownJob(deps.jobs, c, jobId);
  const erased = await erase(deps, { kind: "bundle", organizationId, jobId }, { keyId: c.get("key")!.keyId });
  if (!("erasureId" in erased)) throw new ApiError(409, "The job has no bundle that could be withdrawn.");
  return erasureView(erased);
}

/** @throws {ApiError} 503 if the object store does not answer in time. */
function inTime<T>({ options }: HandlerDeps, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const message = `The object store did not answer within ${options.objectsMs / 1000} seconds. Try again in a few seconds.`;
  return within(options.objectsMs, work, () => new ApiError(503, message, { "Retry-After": "5" }));
}

/** @throws {ApiError} 404, whether the job is unknown or belongs to another organization. */
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

interface Page {
  readonly limit?: number;
  readonly cursor?: string;
}
const defaultLimit = 20;

export async function listLog(deps: HandlerDeps, c: Context<ApiEnvironment>, jobId: string, page: Page) {
  await ownJob(deps.jobs, c, jobId);
  const { lines, next } = await deps.jobs.log(jobId, { ...page, limit: page.limit ?? defaultLimit });
  return { lines: lines.map((line) => ({ ...line, time: line.time.toISOString() })), nextCursor: next ?? null };
}

export async function listDiagnostics(deps: HandlerDeps, c: Context<ApiEnvironment>, jobId: string, page: Page) {
  const { limit = defaultLimit, cursor } = page;
  const job = await ownJob(deps.jobs, c, jobId);
  const retryAfter = pollSeconds(job, deps.now());
  if (!isFinished(job))
    throw new ApiError(
      409,
      `The job is ${job.status}, so its diagnostics are not known yet. Ask again once it has ended.`,
      retryAfter ? { "Retry-After": retryAfter } : {},
    );
  const { errors, warnings, diagnosticsKey } = job.report ?? { errors: 0, warnings: 0 };
  if (errors + warnings === 0) return { diagnostics: [], nextCursor: null };
  const found =
    diagnosticsKey &&
    (await inTime(deps, (signal) => readDiagnostics(deps.objects, diagnosticsKey, { limit, cursor, signal })));
  if (!found) throw new ApiError(404, "The diagnostics of this job are no longer kept. Start a new job.");
  if (found === "bad cursor") throw new ApiError(400, cursorFault);
  return { diagnostics: [...found.diagnostics], nextCursor: found.next ?? null };
}

type LongPolls = ReturnType<typeof createLongPolls>;

/** Requests that wait for a job to change. */
export function createLongPolls(jobs: JobStore, maxCount: number) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    /**
     * Resolves with the job when it differs from `since`, after the timeout, once a signal aborts, or at once if
     * `maxCount` requests wait already. Undefined: the job was deleted.
     */
    async forChange(since: Job, timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) {
      const given = signals.filter((signal) => signal !== undefined);
      if (isFinished(since) || count >= maxCount || given.some((signal) => signal.aborted)) return since;
      count += 1;
      try {
        return await jobs.waitForChange(since, timeoutMs, AbortSignal.any(given));
      } finally {
        count -= 1;
      }
    },
  };
}
