import type { OpenAPIHono } from "@hono/zod-openapi";
import { namesTag } from "../../../lib/http/index.js";
import { erase } from "../../erase.js";
import { isFinished, type Job, type JobStore } from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import { ObjectMissingError } from "../../store/index.js";
import { ApiError, noSuchJob } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { within } from "../health.js";
import { readIdempotencyKey, refuseStart, replayedHeader } from "../idempotency.js";
import { limitStarts } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import { cursorFault } from "../schemas.js";
import { entityTag, erasureView, jobView, newJobView } from "../views.js";
import type { JobRequest } from "./job-request.js";
import * as routes from "./routes.js";

const defaultPage = 20;

/** Adds the routes of exports. */
export function addJobRoutes(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps, longPolls: LongPolls): void {
  const { store, options, now } = deps;
  const { jobs, objects } = store;
  app.use("/v1/static-export/*", authenticate(deps));
  const limited = limitStarts(deps);
  app.post(routes.startJob.path, limited, readJson(options.maxBodyBytes));
  app.post(routes.rerunJob.getRoutingPath(), limited);

  /** @throws {ApiError} 404, whether the job is unknown or belongs to another organization. */
  const ownJob = async (c: ApiContext, { jobId }: { readonly jobId: string }): Promise<Job> => {
    const job = /^se_[0-9a-f]{32}$/.test(jobId) ? await jobs.get(jobId) : undefined;
    if (job?.organizationId !== c.get("key")!.organizationId) throw noSuchJob();
    return job;
  };
  const requirePlan = async (organizationId: string): Promise<void> => {
    const plan = (await store.accounts.organizationById(organizationId))?.plan;
    if (plan !== "enterprise")
      throw new ApiError(403, `Static export needs the enterprise plan; this organization has "${plan ?? "none"}".`);
  };
  /** @throws {ApiError} 503 if the object store does not answer in time. */
  const inTime = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const message = `The object store did not answer within ${options.objectsMs / 1000} seconds. Try again in a few seconds.`;
    return within(options.objectsMs, work, () => new ApiError(503, message, { "Retry-After": "5" }));
  };

  /** @param route of the Idempotency-Key. */
  const start = async (c: ApiContext, request: Readonly<JobRequest> | Job, route: string) => {
    const { organizationId, keyId, name: requestedBy } = c.get("key")!;
    const { domain, version, paths, audience, webhookUrl } = request;
    const content = { domain, version, paths, audience, webhookUrl };
    const once = readIdempotencyKey(c, route, content);
    await requirePlan(organizationId);
    const project = await store.accounts.projectByDomain(domain);
    if (project?.organizationId !== organizationId)
      throw new ApiError(
        400,
        `The organization has no site "${domain}". Check the spelling, or add it: offprint site add ${domain}.`,
      );
    const overLimit = c.get("overLimit");
    const newJob = { organizationId, projectId: project.projectId, ...content, requestedBy };
    const created = overLimit
      ? once && (await jobs.repeated(organizationId, once))
      : await jobs.create(newJob, once, { keyId });
    if (!created) throw overLimit;
    refuseStart(created);
    return c.json(newJobView(created.job), 202, {
      Location: `/v1/static-export/jobs/${created.job.jobId}`,
      "Retry-After": "1",
      ...(created.kind === "repeated" && { [replayedHeader]: "true" }),
    });
  };
  app.openapi(routes.startJob, (c) => start(c, c.req.valid("json"), "POST /v1/static-export/jobs"));
  app.openapi(routes.listJobs, async (c) => {
    const { limit = defaultPage, ...page } = c.req.valid("query");
    const list = await jobs.list(c.get("key")!.organizationId, { ...page, limit });
    return c.json({ jobs: list.jobs.map(jobView), nextCursor: list.next ?? null }, 200);
  });
  app.openapi(routes.getJob, async (c) => {
    const { wait = 0 } = c.req.valid("query");
    const knownTag = c.req.header("If-None-Match");
    let job = await ownJob(c, c.req.valid("param"));
    if (wait > 0 && (knownTag === undefined || namesTag(knownTag, entityTag(jobView(job)))))
      job = (await longPolls.forChange(job, wait * 1000, [c.req.raw.signal, c.env.closing])) ?? job;
    const view = jobView(job);
    const tag = entityTag(view);
    const headers = { ETag: tag, "Cache-Control": "private, no-cache", ...retryAfter(job, now()) };
    return namesTag(knownTag, tag) ? c.body(null, 304, headers) : c.json(view, 200, headers);
  });
  app.openapi(routes.cancelJob, async (c) => {
    const { jobId } = await ownJob(c, c.req.valid("param"));
    const { keyId } = c.get("key")!;
    const job = await jobs.cancel(jobId, "The job was cancelled by request.", { keyId });
    if (!job) throw noSuchJob();
    return c.json(jobView(job), 200);
  });

  app.openapi(routes.rerunJob, async (c) => {
    const job = await ownJob(c, c.req.valid("param"));
    if (!isFinished(job))
      throw new ApiError(409, `The job is ${job.status}. Wait for its end, or cancel it, before you run it again.`);
    return start(c, job, `POST /v1/static-export/jobs/${job.jobId}/rerun`);
  });

  app.openapi(routes.listDiagnostics, async (c) => {
    const { limit = defaultPage, cursor } = c.req.valid("query");
    const job = await ownJob(c, c.req.valid("param"));
    if (!isFinished(job))
      throw new ApiError(
        409,
        `The job is ${job.status}, so its diagnostics are not known yet. Ask again once it has ended.`,
        retryAfter(job, now()),
      );
    const { errors, warnings, diagnosticsKey } = job.report ?? { errors: 0, warnings: 0 };
    if (errors + warnings === 0) return c.json({ diagnostics: [], nextCursor: null }, 200);
    const page =
      diagnosticsKey && (await inTime((signal) => readDiagnostics(objects, diagnosticsKey, { limit, cursor, signal })));
    if (!page) throw new ApiError(404, "The diagnostics of this job are no longer kept. Start a new job.");
    if (page === "bad cursor") throw new ApiError(400, cursorFault);
    return c.json({ diagnostics: [...page.diagnostics], nextCursor: page.next ?? null }, 200);
  });
  app.openapi(routes.listLog, async (c) => {
    const { jobId } = await ownJob(c, c.req.valid("param"));
    const { limit = defaultPage, cursor } = c.req.valid("query");
    const { lines, next } = await jobs.log(jobId, { limit, cursor });
    const views = lines.map((line) => ({ ...line, time: line.time.toISOString() }));
    return c.json({ lines: views, nextCursor: next ?? null }, 200);
  });

  // A repeated Idempotency-Key gives a new link, since storing the first one would store a secret.
  app.openapi(routes.makeBundle, async (c) => {
    const { organizationId, keyId } = c.get("key")!;
    const { jobId } = c.req.valid("param");
    readIdempotencyKey(c, `POST /v1/static-export/jobs/${jobId}/bundle`, null);
    await requirePlan(organizationId);
    const job = await ownJob(c, { jobId });
    if (job.status === "failed")
      throw new ApiError(
        409,
        `The job failed, so there is no bundle: ${job.error ?? "no reason was given."} Start a new job.`,
      );
    if (!job.bundle)
      throw new ApiError(
        409,
        `The job is ${job.status}, so there is no bundle yet. Ask again once its status is "completed".`,
        retryAfter(job, now()),
      );
    const { objectKey, bytes, sha256 } = job.bundle;
    const { url, expiresAt } = await inTime((signal) => objects.link(objectKey, options.linkTtlMs, signal)).catch(
      (error: unknown) => {
        if (!(error instanceof ObjectMissingError)) throw error;
        throw new ApiError(404, "The bundle of this job is no longer kept. Start a new job.");
      },
    );
    const line = { organizationId, keyId, action: "job.download", subject: jobId, detail: job.domain };
    await store.people.addAuditEntry(line);
    return c.json({ jobId, bundleUrl: url, sizeBytes: bytes, expiresAt: expiresAt.toISOString(), sha256 }, 200);
  });
  app.openapi(routes.withdrawBundle, async (c) => {
    const { jobId, organizationId } = await ownJob(c, c.req.valid("param"));
    const erased = await erase(store, { kind: "bundle", organizationId, jobId }, { keyId: c.get("key")!.keyId });
    if (!("erasureId" in erased)) throw new ApiError(409, "The job has no bundle that could be withdrawn.");
    return c.json(erasureView(erased), 200);
  });
}

/** 1 second for a new job, up to 10 for an old one; nothing once it has finished. */
function retryAfter(job: Job, now: number): Record<string, string> {
  if (isFinished(job)) return {};
  const seconds = Math.ceil((now - job.createdAt.getTime()) / 10_000);
  return { "Retry-After": String(Math.min(10, Math.max(1, seconds))) };
}

export type LongPolls = ReturnType<typeof createLongPolls>;

/** Requests that wait for a job to change. */
export function createLongPolls(jobs: JobStore, maxCount: number) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    /**
     * Resolves with the job when it differs from `since`, after the timeout, once a signal aborts, or at once if
     * `maxCount` requests wait already. Undefined if the job was deleted.
     */
    async forChange(since: Job, timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) {
      const ends = signals.filter((signal) => signal !== undefined);
      if (isFinished(since) || count >= maxCount || ends.some((signal) => signal.aborted)) return since;
      count += 1;
      try {
        return await jobs.waitForChange(since, timeoutMs, AbortSignal.any(ends));
      } finally {
        count -= 1;
      }
    },
  };
}
