import { OpenAPIHono } from "@hono/zod-openapi";
import { addressMatcher } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import type { AgentSetup } from "../agent/index.js";
import type { Collector } from "../analytics/index.js";
import type { Credentials } from "../git/credentials/index.js";
import type {
  AccountStore,
  AgentStore,
  ErasureStore,
  JobStore,
  PersonStore,
  ThreadStore,
  ViewStore,
} from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { addAdminRoutes } from "./admin/add-admin-routes.js";
import { addAgent } from "./agent/add-agent.js";
import { addAnalytics } from "./analytics/add-analytics.js";
import { addCollect } from "./analytics/add-collect.js";
import type { Answerer, RequestInfo } from "./answerer.js";
import { ApiError, asUnavailable, errorResponse, shownError } from "./api-error.js";
import { type ApiOptions, resolveApiOptions } from "./api-options.js";
import { addAssistant } from "./assistant/add-assistant.js";
import type { Assistant } from "./assistant/assistant.js";
import { authenticate, requireToken } from "./authenticate.js";
import { addConsole } from "./console-api.js";
import { cached, createHealthChecks } from "./health.js";
import {
  cancelJob,
  createLongPolls,
  getJob,
  type HandlerDeps,
  listDiagnostics,
  listLog,
  makeBundle,
  rerunJob,
  startJob,
  withdrawBundle,
} from "./jobs/job-handlers.js";
import { jobRequestSchema } from "./jobs/job-request.js";
import * as routes from "./jobs/routes.js";
import { jobEnded } from "./jobs/routes.js";
import { createMetrics } from "./metrics.js";
import { createRefusalLimit, limitStarts } from "./rate-limit.js";
import { invalidRequest, readJson } from "./request-body.js";
import { type ApiEnvironment, setSecurityHeaders } from "./request-context.js";
import { createRequestLog, observeRequests } from "./request-log.js";
import { jobView } from "./views.js";

export interface ApiDeps {
  readonly store: {
    readonly jobs: JobStore;
    readonly agents: AgentStore;
    readonly accounts: AccountStore;
    readonly threads: ThreadStore;
    /** For lines of the audit log about downloads. */
    readonly people: Pick<PersonStore, "addAuditEntry" | "personByEmail">;
    readonly erasures: ErasureStore;
    readonly views: ViewStore;
    readonly credentials: Credentials;
    readonly objects: ObjectStore;
  };
  /** Without it there are no routes of the assistant. */
  readonly assistant?: Assistant;
  /** What agent jobs may be asked for. Default: nothing, so each is refused. */
  readonly agent?: AgentSetup;
  /** Takes the views that pages send. Without it there is no such route. */
  readonly collector?: Collector;
  /** Serves /v1/objects/ if the object store is a folder. It checks the links itself. */
  readonly serveObject?: (request: Request) => Promise<Response>;
  /** Answers below /console. */
  readonly console?: Answerer;
  readonly options?: ApiOptions;
  /** Further metrics in the format of Prometheus, such as those of a worker in the same process. */
  readonly moreMetrics?: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: Log;
}

export interface Api {
  /** Never rejects: an internal error is a 500 or 503, and is logged with the request's id. */
  fetch(request: Request, info?: RequestInfo): Promise<Response>;
  /**
   * Answers a request of a server of `node:http` by its `IncomingMessage` and `ServerResponse`, which is faster. The result
   * is false, and nothing has happened, if `fetch` has to answer.
   */
  onNode?(incoming: object, outgoing: object): boolean;
}

/**
 * The HTTP API over a store.
 *
 * @throws {RangeError} if an option is invalid.
 */
export function createApi(deps: ApiDeps): Api {
  const { serveObject, now = Date.now, log = () => {} } = deps;
  const options = resolveApiOptions(deps.options ?? {});
  const jobs = asUnavailable(deps.store.jobs, "database");
  const accounts = asUnavailable(deps.store.accounts, "database");
  const people = asUnavailable(deps.store.people, "database");
  const erasures = asUnavailable(deps.store.erasures, "database");
  const objects = asUnavailable(deps.store.objects, "object store");
  const longPolls = createLongPolls(jobs, options.maxWaiting);
  const counts = cached(() => jobs.counts(), 1000, now);
  const metrics =
    options.metricsToken === undefined ? undefined : createMetrics(counts, () => longPolls.count, deps.moreMetrics);
  const checks = createHealthChecks(counts, objects, now);
  const handlers: HandlerDeps = { jobs, accounts, people, objects, erasures, options, longPolls, now };

  const app = new OpenAPIHono<ApiEnvironment>({
    defaultHook(result, c) {
      if (result.success) return;
      const input = (result as { readonly data?: unknown }).data;
      const isJob = c.req.path === routes.startJob.path;
      throw invalidRequest(result.error.issues, input, isJob ? Object.keys(jobRequestSchema.shape) : []);
    },
  });
  const requests = createRequestLog(addressMatcher(options.trustedProxies), metrics, log);
  app.use(observeRequests(requests), setSecurityHeaders);
  app.use(async (c, next) => {
    if (c.env.refusal) throw c.env.refusal;
    await next();
  });
  const { jobsPerWindow, windowMs, maxBodyBytes } = options;
  const onRefusal = createRefusalLimit(jobsPerWindow, windowMs, now);
  app.use("/v1/static-export/*", authenticate(accounts, now, onRefusal));

  const limited = limitStarts(accounts, options, now);
  app.post(routes.startJob.path, limited, readJson(maxBodyBytes));
  app.openapi(routes.startJob, async (c) => {
    const { view, headers } = await startJob(handlers, c, c.req.valid("json"));
    return c.json(view, 202, headers);
  });
  app.openapi(routes.listJobs, async (c) => {
    const { limit = 20, ...page } = c.req.valid("query");
    const list = await jobs.list(c.get("key")!.organizationId, { ...page, limit });
    return c.json({ jobs: list.jobs.map(jobView), nextCursor: list.next ?? null }, 200);
  });
  app.openapi(routes.getJob, async (c) => {
    const { view, headers } = await getJob(handlers, c, c.req.valid("param").jobId, c.req.valid("query").wait ?? 0);
    return view ? c.json(view, 200, headers) : c.body(null, 304, headers);
  });
  app.openapi(routes.cancelJob, async (c) => c.json(await cancelJob(handlers, c, c.req.valid("param").jobId), 200));
  app.post(routes.rerunJob.getRoutingPath(), limited);
  app.openapi(routes.rerunJob, async (c) => {
    const { view, headers } = await rerunJob(handlers, c, c.req.valid("param").jobId);
    return c.json(view, 202, headers);
  });
  app.openapi(routes.listDiagnostics, async (c) =>
    c.json(await listDiagnostics(handlers, c, c.req.valid("param").jobId, c.req.valid("query")), 200),
  );
  app.openapi(routes.listLog, async (c) =>
    c.json(await listLog(handlers, c, c.req.valid("param").jobId, c.req.valid("query")), 200),
  );
  app.openapi(routes.makeBundle, async (c) => c.json(await makeBundle(handlers, c, c.req.valid("param").jobId), 200));

  app.openapi(routes.withdrawBundle, async (c) =>
    c.json(await withdrawBundle(handlers, c, c.req.valid("param").jobId), 200),
  );

  const { threads, views } = deps.store;
  const { assistant } = deps;
  const { register } = metrics ?? {};
  const ofAssistant = { accounts, threads, options, register, requests, onRefusal, now, log };
  const onNode = assistant && addAssistant(app, { assistant, ...ofAssistant });

  addAnalytics(app, { accounts, views, threads, options, onRefusal, now });
  const setup = deps.agent ?? {};
  const { agents, credentials } = deps.store;
  addAgent(app, { agents, credentials, jobs, accounts, setup, options, onRefusal, now });
  if (deps.collector) addCollect(app, { collector: deps.collector, now, log });

  const { adminToken } = options;
  if (adminToken !== undefined)
    addAdminRoutes(app, { accounts, credentials, people, erasures, objects, adminToken, maxBodyBytes, now });

  app.openapi(routes.health, async (c) => {
    const problems = await checks.health();
    return c.json({ status: problems.length === 0 ? ("ok" as const) : ("degraded" as const), problems }, 200);
  });
  app.openapi(routes.readiness, async (c) => {
    const problems = await checks.readiness();
    return problems.length === 0
      ? c.json({ status: "ready" as const, problems }, 200)
      : c.json({ status: "unready" as const, problems, error: problems.join(" ") }, 503);
  });
  // To generate it takes longer than all else here, and few ask for it.
  let specification: string | undefined;
  app.get("/openapi.json", (c) => {
    specification ??= JSON.stringify(openApiDocument(app, options.publicUrl));
    return c.body(specification, 200, { "Content-Type": "application/json" });
  });
  if (metrics)
    app.get("/metrics", async (c) => {
      try {
        requireToken(options.metricsToken!, c.req.header("Authorization"), "offprint metrics");
      } catch (refusal) {
        // Counted in this process: metrics are needed while the database is away.
        throw onRefusal(refusal as ApiError, c.get("clientAddress"));
      }
      return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
    });
  if (deps.console) addConsole(app, deps.console);
  if (serveObject) app.all("/v1/objects/*", (c) => serveObject(c.req.raw));

  app.notFound((c) => {
    const allow = allowedMethods(app.routes, c.req.path).join(", ");
    const error =
      allow === ""
        ? new ApiError(404, "There is no such route. See /openapi.json for those there are.")
        : new ApiError(405, `This route takes ${allow}, not ${c.req.method}.`, { Allow: allow });
    return errorResponse(error, c.req.header("Accept"));
  });
  app.onError((error, c) => {
    if (!(error instanceof ApiError) || error.cause !== undefined) c.set("fault", error);
    return errorResponse(shownError(error, c.get("requestId")), c.req.header("Accept"));
  });
  return { fetch: async (request, info = {}) => app.fetch(request, info), ...(onNode && { onNode }) };
}

/**
 * The methods that a path accepts, sorted; empty if there is no such route.
 *
 * @param routes as listed by hono; routes for all paths are middleware.
 */
function allowedMethods(routes: readonly { readonly method: string; readonly path: string }[], path: string): string[] {
  const methods = routes
    .filter((route) => route.method !== "ALL" && matches(route.path, path))
    .map(({ method }) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)].sort();
}

function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((segment, index) => (segment.startsWith(":") ? given[index] !== "" : segment === given[index]))
  );
}

/** The OpenAPI 3.1 document of the app's routes, generated from the schemas that validate requests. */
function openApiDocument(app: OpenAPIHono<ApiEnvironment>, publicUrl: string | undefined) {
  app.openAPIRegistry.registerComponent("securitySchemes", "adminKey", {
    type: "http",
    scheme: "bearer",
    description: "An admin API key, which begins with `svc_`. It is a secret of servers: never put it into a page.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "assistantKey", {
    type: "http",
    scheme: "bearer",
    description:
      "An assistant API key, which begins with `svc_dsc_`. It may be in a page: limits and origins bound its use.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "operatorToken", {
    type: "http",
    scheme: "bearer",
    description: "The operator's token, `OFFPRINT_ADMIN_TOKEN`. Without that setting these routes do not exist.",
  });
  app.openAPIRegistry.registerWebhook(jobEnded);
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Offprint API",
      version: "1",
      description:
        "Exports documentation sites to bundles of plain files: start a job, poll it, fetch the bundle. Mends sites by pull requests, answers questions from them, and counts who reads them.",
    },
    servers: [{ url: publicUrl ?? "/" }],
    tags: [
      { name: "Static export", description: "Jobs and their bundles." },
      { name: "Agent jobs", description: "Prompts and repairs that become pull requests." },
      { name: "Assistant", description: "Answers, search and pages of a site's last export." },
      { name: "Analytics", description: "Views of a site's pages, by people and by agents, and what they ask." },
      { name: "Administration", description: "Organizations, their sites and keys, for the operator's programs." },
      { name: "Operations", description: "For those who run the service." },
    ],
  });
}
