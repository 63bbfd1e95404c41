import type { OpenAPIHono } from "@hono/zod-openapi";
import { quoted } from "../../../lib/diagnostic/index.js";
import { namesTag } from "../../../lib/http/index.js";
import { createSitePages } from "../../analytics/index.js";
import { erase } from "../../erase.js";
import { isFinished, type Job, type JobStore, type Project } from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import { ObjectMissingError } from "../../store/index.js";
import { ApiError, noSuchJob, tryLater } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { within } from "../health.js";
import { readIdempotencyKey } from "../idempotency.js";
import { limitStarts } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import { cursorFault } from "../schemas.js";
import { entityTag, erasureView, jobView, newJobView } from "../views.js";
import { type JobRequest, requirePlan, startExport } from "./job-request.js";
import * as routes from "./routes.js";

const defaultPage = 20;

export function addJobRoutes(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps, longPolls: LongPolls): void {
  const { store, options, now } = deps;
  const { jobs, objects } = store;
  app.use("/v1/static-export/*", authenticate(deps));
  const limited = limitStarts(deps);
  app.post(routes.startJob.path, limited, readJson(options.maxBodyBytes));
  for (const { getRoutingPath } of [routes.rerunJob, routes.replayWebhooks]) app.post(getRoutingPath(), limited);

  /** @throws {ApiError} 404, whether the job is unknown or belongs to another organization. */
  const ownJob = async (c: ApiContext, { jobId }: { readonly jobId: string }): Promise<Job> => {
    const job = /^se_[0-9a-f]{32}$/.test(jobId) ? await jobs.get(jobId) : undefined;
    if (job?.organizationId !== c.get("key")!.organizationId) throw noSuchJob();
    return job;
  };
  /** @throws {ApiError} 503 if the object store does not answer in time. */
  const inTime = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const message = `The object store did not answer within ${options.objectsMs / 1000} seconds. Try again in a few seconds.`;
    return within(options.objectsMs, work, () => tryLater(503, message, 5));
  };

  /**
   * @throws {ApiError} 400 for pages that the site's last export does not have. A version may have other pages: its
   *   worker checks them before it exports the first one.
   */
  const requirePages = async (project: Project, { version, paths = [] }: Pick<Job, "version" | "paths">) => {
    if (paths.length === 0 || version !== undefined) return;
    // Without a cache, which would not know the pages of an export that has just ended.
    const pages = await createSitePages({ store, log: deps.log, now }).of(project.projectId);
    const unknown = pages ? paths.filter((path) => !pages.has(`/${path.replace(/(?:^|\/)index$/, "")}`)) : [];
    if (unknown.length === 0) return;
    const names =
      unknown
        .slice(0, 5)
        .map((path) => quoted(path))
        .join(", ") + (unknown.length > 5 ? ", …" : "");
    throw new ApiError(
      400,
      `The last export of ${project.domain} has no page ${names}. Correct "paths". If a page is new, export the whole site first, or name the "version" that has it.`,
    );
  };
  /** @param route to which the Idempotency-Key belongs. */
  const start = async (c: ApiContext, request: Readonly<JobRequest> | Job, route: string) => {
    const { organizationId } = c.get("key")!;
    const { domain, version, paths, audience, webhookUrl } = request;
    const once = readIdempotencyKey(c, route, { domain, version, paths, audience, webhookUrl });
    await requirePlan(store, organizationId);
    const project = await store.accounts.projectByDomain(domain);
    if (project?.organizationId !== organizationId)
      throw new ApiError(
        400,
        `The organization has no site "${domain}". Check the spelling, or add it: offprint site add ${domain}.`,
      );
    await requirePages(project, request);
    const job = await startExport(deps, c, project, request, once);
    return c.json(newJobView(job), 202, { Location: `/v1/static-export/jobs/${job.jobId}` });
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
    const headers = { ETag: tag, "Cache-Control": "private, no-cache", ...pollAfter(job, now()) };
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
      throw new ApiError(
        409,
        `The job is ${job.status}. Wait until it has ended, or cancel it, before you run it again.`,
      );
    return start(c, job, `POST /v1/static-export/jobs/${job.jobId}/rerun`);
  });

  app.openapi(routes.listDiagnostics, async (c) => {
    const { limit = defaultPage, cursor } = c.req.valid("query");
    const job = await ownJob(c, c.req.valid("param"));
    if (!isFinished(job))
      throw new ApiError(
        409,
        `The job is ${job.status}, so it has no diagnostics yet. Ask again when it has ended.`,
        pollAfter(job, now()),
      );
    const { errors, warnings, diagnosticsKey } = job.report ?? { errors: 0, warnings: 0 };
    if (errors + warnings === 0) return c.json({ diagnostics: [], nextCursor: null }, 200);
    const page =
      diagnosticsKey && (await inTime((signal) => readDiagnostics(objects, diagnosticsKey, { limit, cursor, signal })));
    if (!page) throw new ApiError(404, "The diagnostics of this job have been deleted. Start a new job.");
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
    await requirePlan(store, organizationId);
    const job = await ownJob(c, { jobId });
    if (job.status === "failed")
      throw new ApiError(
        409,
        `The job failed, so there is no bundle: ${job.error ?? "no reason was given."} Start a new job.`,
      );
    if (!job.bundle)
      throw new ApiError(
        409,
        `The job is ${job.status}, so there is no bundle yet. Ask again when its status is "completed".`,
        pollAfter(job, now()),
      );
    const { objectKey, bytes, sha256 } = job.bundle;
    const { url, expiresAt } = await inTime((signal) => objects.link(objectKey, options.linkTtlMs, signal)).catch(
      (error: unknown) => {
        if (!(error instanceof ObjectMissingError)) throw error;
        throw new ApiError(404, "The bundle of this job has been deleted. Start a new job.");
      },
    );
    const line = { organizationId, keyId, action: "job.download", subject: jobId, detail: job.domain };
    await store.people.addAuditEntry(line);
    return c.json({ jobId, bundleUrl: url, sizeBytes: bytes, expiresAt: expiresAt.toISOString(), sha256 }, 200);
  });
  app.openapi(routes.replayWebhooks, async (c) => {
    const { jobId } = await ownJob(c, c.req.valid("param"));
    if (!(await jobs.replayDeliveries(jobId)))
      throw new ApiError(
        409,
        "The job has not ended, or was started without a webhookUrl, so there is nothing to send.",
      );
    return c.json({ jobId, status: "queued" as const }, 202);
  });
  app.openapi(routes.withdrawBundle, async (c) => {
    const { jobId, organizationId } = await ownJob(c, c.req.valid("param"));
    const erased = await erase(store, { kind: "bundle", organizationId, jobId }, { keyId: c.get("key")!.keyId });
    if (!("erasureId" in erased)) throw new ApiError(409, "The job has no bundle to withdraw.");
    return c.json(erasureView(erased), 200);
  });
}

/** When to poll again: 1 second for a new job, up to 10 for an old one. Empty once it has finished. */
export function pollAfter(job: Job, now: number): Record<string, string> {
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
