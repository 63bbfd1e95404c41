import { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import type { Log } from "../../lib/log.js";
import type { AgentSetup } from "../agent/index.js";
import type { Collector } from "../analytics/index.js";
import { addAdminRoutes } from "./admin/add-admin-routes.js";
import { addAgent } from "./agent/add-agent.js";
import { addAnalytics } from "./analytics/add-analytics.js";
import { addCollect } from "./analytics/add-collect.js";
import { ApiError, availableStore, errorResponse, shownError } from "./api-error.js";
import { type ApiOptions, resolveApiOptions } from "./api-options.js";
import { addAssistant } from "./assistant/add-assistant.js";
import { addHealthRoutes, cached } from "./health.js";
import { addJobRoutes, createLongPolls } from "./jobs/add-job-routes.js";
import { jobRequestSchema } from "./jobs/job-request.js";
import { getObject, jobEnded, startJob } from "./jobs/routes.js";
import { addKnowledge } from "./knowledge/add-knowledge.js";
import texts from "./operations.json" with { type: "json" };
import { addProjects } from "./projects/add-projects.js";
import type { Answerer, ApiStore, Assistant, RequestInfo } from "./public-types.js";
import { createRefusalLimit } from "./rate-limit.js";
import { invalidRequest } from "./request-body.js";
import { type ApiEnvironment, type RouteDeps, setSecurityHeaders } from "./request-context.js";
import { addMetricsRoute, createMetrics, observeRequests } from "./request-log.js";
import { sharedFailures } from "./route-parts.js";

export interface ApiDeps {
  /** As `openStore` opens it. */
  readonly store: ApiStore;
  /** Without it the routes of the assistant do not exist. */
  readonly assistant?: Assistant;
  /** What agent jobs may be asked for. Default: nothing, so each is refused. */
  readonly agent?: AgentSetup;
  /** Counts the views that pages send. Without it that route does not exist. */
  readonly collector?: Collector;
  /** Serves /v1/objects/ if the object store is a folder, and checks the signatures of the links. */
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
}

/** The HTTP API over a store. @throws {RangeError} if an option is invalid. */
export function createApi(deps: ApiDeps): Api {
  const { assistant, collector, serveObject, now = Date.now, log = () => {} } = deps;
  const store = availableStore(deps.store);
  const options = resolveApiOptions(deps.options ?? {});
  const onRefusal = createRefusalLimit(options.jobsPerWindow, options.windowMs, now);
  const routeDeps: RouteDeps = { store, options, onRefusal, now, log };
  const longPolls = createLongPolls(store.jobs, options.maxWaiting);
  const counts = cached(() => store.jobs.counts(), 1000, now);
  const metrics =
    options.metricsToken === undefined ? undefined : createMetrics(counts, () => longPolls.count, deps.moreMetrics);

  const app = new OpenAPIHono<ApiEnvironment>({
    defaultHook(result, c) {
      if (result.success) return;
      const input = (result as { readonly data?: unknown }).data;
      const isJob = c.req.path === startJob.path;
      throw invalidRequest(result.error.issues, input, isJob ? Object.keys(jobRequestSchema.shape) : []);
    },
  });
  app.use(observeRequests(options.trustedProxies, metrics, log), setSecurityHeaders, refuse);
  addJobRoutes(app, routeDeps, longPolls);
  if (assistant) {
    addAssistant(app, routeDeps, assistant, metrics?.register);
    addKnowledge(app, routeDeps, assistant.indexes);
  }
  addAnalytics(app, routeDeps);
  addAgent(app, routeDeps, deps.agent ?? {});
  addProjects(app, routeDeps, deps.console !== undefined);
  if (collector) addCollect(app, { collector, now, log });
  if (options.adminToken !== undefined) addAdminRoutes(app, routeDeps, options.adminToken);
  addHealthRoutes(app, routeDeps, counts);
  // Created for the first reader, since it takes longer than the rest of createApi.
  let specification: string | undefined;
  app.get("/openapi.json", (c) => {
    specification ??= JSON.stringify(openApiDocument(app, options.publicUrl));
    return c.body(specification, 200, { "Content-Type": "application/json" });
  });
  if (metrics) addMetricsRoute(app, routeDeps, metrics);
  if (deps.console) addConsole(app, deps.console);
  if (serveObject) {
    app.openAPIRegistry.registerPath(getObject);
    app.all("/v1/objects/*", (c) => serveObject(c.req.raw));
  }

  app.notFound((c) => {
    const allow = allowedMethods(app.routes, c.req.path).join(", ");
    const error =
      allow === ""
        ? new ApiError(404, "There is no such route. /openapi.json lists the routes.")
        : new ApiError(405, `This route takes ${allow}, not ${c.req.method}.`, { Allow: allow });
    return errorResponse(error, c.req.header("Accept"));
  });
  app.onError((error, c) => {
    if (!(error instanceof ApiError) || error.cause !== undefined) c.set("fault", error);
    return errorResponse(shownError(error, c.get("requestId")), c.req.header("Accept"));
  });
  return { fetch: async (request, info = {}) => app.fetch(request, info) };
}

/** Answers a request that the listener refuses. */
const refuse: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
  if (c.env.refusal) throw c.env.refusal;
  await next();
};

/** The sorted methods of a path; empty for no route. @param routes of hono; those for all paths are middleware. */
function allowedMethods(routes: readonly { readonly method: string; readonly path: string }[], path: string): string[] {
  const methods = routes
    .filter((route) => route.method !== "ALL" && matches(route.path, path))
    .map(({ method }) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)].sort();
}

function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  const segments = path.split("/");
  return (
    expected.length === segments.length &&
    expected.every((segment, index) => (segment.startsWith(":") ? segments[index] !== "" : segment === segments[index]))
  );
}

/** The OpenAPI 3.1 document of the app's routes, generated from the schemas that validate requests. */
function openApiDocument(app: OpenAPIHono<ApiEnvironment>, publicUrl: string | undefined) {
  for (const [name, description] of Object.entries(texts.securitySchemes))
    app.openAPIRegistry.registerComponent("securitySchemes", name, { type: "http", scheme: "bearer", description });
  for (const [name, response] of sharedFailures) app.openAPIRegistry.registerComponent("responses", name, response);
  app.openAPIRegistry.registerWebhook(jobEnded);
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: texts.info,
    servers: [{ url: publicUrl ?? "/" }],
    tags: texts.tags,
  });
}

/** Serves only the console, on a port of its own. Requests are logged as those of the API are. */
export function consoleApi(console: Answerer, trustedProxies: readonly string[], log: Log): Answerer {
  const app = new Hono<ApiEnvironment>();
  app.use(observeRequests(trustedProxies, undefined, log), refuse);
  addConsole(app, console);
  app.get("/", (c) => c.redirect("/console", 302));
  app.notFound(() => errorResponse(new ApiError(404, "Not found. The console is at /console."), undefined));
  app.onError((error) =>
    errorResponse(error instanceof ApiError ? error : new ApiError(500, "Internal server error."), undefined),
  );
  return { fetch: async (request, info = {}) => app.fetch(request, info) };
}

/** Lets the console answer the requests below /console. */
export function addConsole(app: Pick<Hono<ApiEnvironment>, "all">, console: Answerer): void {
  for (const path of ["/console", "/console/*"])
    app.all(path, (c) => console.fetch(c.req.raw, { remoteAddress: c.get("clientAddress"), closing: c.env.closing }));
}
