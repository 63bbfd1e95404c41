import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Job, Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { readIdempotencyKey } from "../idempotency.js";
import { pollAfter } from "../jobs/add-job-routes.js";
import { startExport } from "../jobs/job-request.js";
import { limitStarts } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import { type ApiContext, type ApiEnvironment, ownProject, type RouteDeps } from "../request-context.js";
import { projectView } from "../views.js";
import * as routes from "./routes.js";
import texts from "./texts.json" with { type: "json" };

const branchPrefix = "refs/heads/";
const maxLogLines = 500;

/** Adds the routes of projects: their list, and their updates and previews, which are exports. */
export function addProjects(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps, hasConsole: boolean): void {
  const { store, options, now } = deps;
  const { accounts, jobs } = store;
  const limited = limitStarts(deps);
  for (const path of ["/v1/projects", "/v1/project/*", "/v1/workflow/*"]) app.use(path, authenticate(deps));
  app.post(routes.triggerUpdate.getRoutingPath(), limited);
  app.post(routes.triggerPreview.getRoutingPath(), limited, readJson(options.maxBodyBytes));
  const ofRequest = (c: ApiContext, { projectId }: { readonly projectId: string }): Promise<Project> =>
    ownProject(accounts, c, projectId, () => new ApiError(404, texts.problems[404].error));

  app.openapi(routes.listProjects, async (c) => {
    const projects = await accounts.projects(c.get("key")!.organizationId);
    return c.json({ projects: projects.map(projectView) }, 200);
  });
  app.openapi(routes.triggerUpdate, async (c) => {
    const project = await ofRequest(c, c.req.valid("param"));
    const once = readIdempotencyKey(c, `POST /v1/project/update/${project.projectId}`, null);
    const { jobId } = await startExport(deps, c, project, {}, once);
    return c.json({ statusId: jobId }, 202);
  });
  app.openapi(routes.triggerPreview, async (c) => {
    const { branch } = c.req.valid("json");
    const project = await ofRequest(c, c.req.valid("param"));
    const once = readIdempotencyKey(c, `POST /v1/project/preview/${project.projectId}`, { branch });
    if (project.source.kind === "folder")
      throw new ApiError(400, `The site ${project.domain} comes from a folder, which has no branches.`);
    const { jobId } = await startExport(deps, c, project, { version: `${branchPrefix}${branch}` }, once);
    const page = hasConsole ? `/console/jobs/${jobId}` : `/v1/static-export/jobs/${jobId}`;
    return c.json({ statusId: jobId, previewUrl: (options.publicUrl ?? new URL(c.req.url).origin) + page }, 202);
  });
  app.openapi(routes.updateStatus, async (c) => {
    const { statusId } = c.req.valid("param");
    const job = /^se_[0-9a-f]{32}$/.test(statusId) ? await jobs.get(statusId) : undefined;
    const project = job && (await accounts.projectById(job.projectId));
    if (!project || job?.organizationId !== c.get("key")!.organizationId) throw new ApiError(404, texts.noUpdate);
    const { lines } = await jobs.log(statusId, { limit: maxLogLines });
    const logs = lines.map(({ message }) => message);
    return c.json(statusView(job, project, logs), 200, pollAfter(job, now()));
  });
  app.openAPIRegistry.registerPath(routes.triggerWorkflow);
  app.post(routes.triggerWorkflow.getRoutingPath(), async (c) => {
    await ofRequest(c, { projectId: c.req.param("projectId") });
    throw new ApiError(501, texts.noWorkflow);
  });
}

const statuses = { queued: "queued", running: "in_progress", completed: "success", failed: "failure" } as const;

function statusView(job: Job, project: Project, logs: string[]): z.infer<typeof routes.updateStatusSchema> {
  const { jobId, projectId, createdAt, finishedAt, status, requestedBy, version } = job;
  const ref = (version ?? (project.source.kind === "git" ? project.source.ref : undefined))?.replace(branchPrefix, "");
  return {
    _id: jobId,
    projectId,
    createdAt: createdAt.toISOString(),
    ...(finishedAt && { endedAt: finishedAt.toISOString() }),
    status: statuses[status],
    summary: summaryOf(job),
    logs,
    subdomain: project.identifier,
    author: requestedBy === undefined ? null : { name: requestedBy },
    ...(ref !== undefined && { commit: { ref } }),
    source: "api",
  };
}

function summaryOf({ status, pageCount, error, report }: Job): string {
  if (status === "queued") return "The update is waiting for a worker.";
  if (status === "running") return `The update is running. Pages so far: ${pageCount}.`;
  if (status === "failed") return error ?? "The update failed without giving a reason.";
  const { errors = 0, warnings = 0 } = report ?? {};
  return `The update is done. Pages: ${pageCount}, errors: ${errors}, warnings: ${warnings}.`;
}
