import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { Registry } from "prom-client";
import { lazy } from "../../../lib/memo.js";
import {
  assistantLimitDefaults,
  createLimitCounter,
  createTurnWriter,
  readThread,
  shownPath,
} from "../../assistant/index.js";
import type { Project } from "../../jobs/index.js";
import { ApiError, asUnavailable } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import type { Assistant } from "../public-types.js";
import { rateLimitHeaders } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import { loggedFault } from "../request-log.js";
import { answerMessage } from "./answer-message.js";
import { type AssistantDeps, createAssistantMetrics, maxBodyBytes, shareReads, tooMany } from "./assistant-deps.js";
import * as routes from "./routes.js";
import * as lookup from "./site-lookup.js";
import { allowPages, checkFilter, indexOf, projectOf } from "./site-lookup.js";
import texts from "./texts.json" with { type: "json" };

const { problems } = texts;
/** Of a message with its conversation: some hundred answers, each with the sections that were found for it. */
const maxConversationBytes = 2 * 1024 * 1024;
const maxConversationValues = 100_000;
const defaultResults = 10;
/** Kinds of routes whose requests are counted. */
const counted = new Set(["assistant", "search", "page"]);

/** Adds the routes of the assistant, its search and its pages, for the pages of sites and for programs. */
export function addAssistant(
  app: OpenAPIHono<ApiEnvironment>,
  routeDeps: RouteDeps,
  { answerer, indexes }: Assistant,
  register: Registry | undefined,
): void {
  const { store, options, now, log } = routeDeps;
  const { threads } = store;
  const limits = { ...assistantLimitDefaults, ...options.assistantLimits };
  const counter = createLimitCounter(store.accounts, limits, now, log);
  const deps: AssistantDeps = {
    answerer,
    indexes: asUnavailable(indexes, "object store"),
    accounts: shareReads(store.accounts),
    threads,
    counter,
    writer: createTurnWriter(threads, log),
    metrics: register && createAssistantMetrics(register, () => counter.streamCount),
    keepAliveMs: options.keepAliveMs,
    now,
    onFault: (requestId, error) =>
      log("error", "the assistant failed to answer", { requestId, fault: loggedFault(error) }),
  };

  const readRequest = readJson(maxBodyBytes);
  const readConversation = readJson(maxConversationBytes, maxConversationValues);
  app.use("/discovery/*", allowPages);
  app.on(
    "POST",
    [routes.messageV1, routes.feedback].map((route) => route.getRoutingPath()),
    markDeprecated,
  );
  app.on("DELETE", ["/discovery/*"], authenticate(routeDeps));
  const asAssistant = authenticate({ ...routeDeps, store: deps }, "assistant");
  app.on("POST", ["/discovery/*"], asAssistant, async (c, next) => {
    const [, , , route = ""] = c.req.path.split("/");
    // Counting stores the name, so one that a client makes up is not counted.
    if (!counted.has(route)) return next();
    const { refusal, states } = await counter.request(route, c.get("key")!.organizationId, c.get("clientAddress"));
    const headers = rateLimitHeaders(options.rateLimitHeaders, states);
    if (refusal) throw tooMany(refusal, deps.metrics, headers);
    await (route === "assistant" ? readConversation : readRequest)(c, async () => {
      await next();
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
    });
  });

  const projectOf = (c: ApiContext, domain: string): Promise<Project> =>
    lookup.projectOf(deps, c.get("key")!, domain, c.req.header("Origin"));
  /** @param groups see `lookup.indexOf`. */
  const indexOf = async (c: ApiContext, domain: string, groups: readonly string[] | null | undefined) =>
    lookup.indexOf(deps, await projectOf(c, domain), c.get("key")!, groups);

  for (const [version, route] of [
    ["v1", routes.messageV1],
    ["v2", routes.messageV2],
  ] as const) {
    // Unlike `app.openapi`, this does not read and parse the body once more.
    app.openAPIRegistry.registerPath(route);
    app.post(route.getRoutingPath(), (c) => answerMessage(deps, c, version, c.req.param("domain")));
  }
  app.openapi(routes.search, async (c) => {
    const { query, pageSize: count = defaultResults, scoreThreshold, filter } = c.req.valid("json");
    const index = await indexOf(c, c.req.valid("param").domain, filter?.groups);
    const { passages, coverage } = await index.search({ query, count, filter: checkFilter(filter, index) });
    const best = Math.max(...passages.map(({ score }) => score));
    const results = passages.map((passage) => {
      const { text: content, title, heading, url } = passage;
      const score = best > 0 ? Math.round(100 * coverage * (passage.score / best)) / 100 : 0;
      const metadata = heading === "" ? { title, url, score } : { title, heading, url, score };
      return { content, path: shownPath(passage), metadata };
    });
    return c.json(
      results.filter(({ metadata: { score } }) => score >= (scoreThreshold ?? 0)),
      200,
    );
  });
  app.openapi(routes.page, async (c) => {
    const { path, groups } = c.req.valid("json");
    const index = await indexOf(c, c.req.valid("param").domain, groups);
    const page = await index.page(pagePath(path));
    if (!page) return c.json({ message: problems.noPage, error: problems.noPage }, 404);
    return c.json({ path: page.path, content: page.content }, 200);
  });
  addMcp(app, routeDeps, deps);
  const rate = async (c: ApiContext, domain: string, { threadId, messageId, ...rest }: routes.Feedback) => {
    const { projectId } = await projectOf(c, domain);
    if (threads.retentionMs === 0) return;
    const thread = await readThread(threads, { threadId, projectId, threadKey: c.req.header("X-Thread-Key") });
    const rating = { helpful: rest.helpful, ...(rest.comment ? { comment: rest.comment } : {}) };
    if (!thread || !(await threads.rate(threadId, messageId, rating))) throw new ApiError(404, problems.noThread);
  };
  for (const route of [routes.feedback, routes.feedbackV2])
    app.openapi(route, async (c) => {
      await rate(c, c.req.valid("param").domain, c.req.valid("json"));
      return c.body(null, 204);
    });
  app.openapi(routes.deleteThread, async (c) => {
    const { domain, threadId } = c.req.valid("param");
    const { projectId } = await projectOf(c, domain);
    const { keyId } = c.get("key")!;
    if (!(await threads.remove(projectId, threadId.toUpperCase(), { keyId })))
      throw new ApiError(404, problems.noThread);
    return c.body(null, 204);
  });
}

/** Says, in the headers of RFC 9745 and RFC 8594, since when the first version is deprecated, until when it answers, and what replaces it. */
const markDeprecated: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
  await next();
  c.header("Deprecation", `@${Date.parse(texts.deprecation.since) / 1000}`);
  c.header("Sunset", new Date(texts.deprecation.until).toUTCString());
  c.header("Link", `<${c.req.path.replace("/v1/", "/v2/")}>; rel="successor-version"`);
};

/** `/guides/install` for `guides/install#requirements`. */
const pagePath = (requested: string): string => {
  const path = requested.replace(/[?#].*$/s, "").trim();
  return path.startsWith("/") ? path : `/${path}`;
};

/** Earlier versions of the protocol allow several messages in a request. */
const maxMessages = 20;

/**
 * Adds the MCP server of each site. Keys, origins, limits and groups of readers are as for the assistant; each message
 * counts as a request. A key may also be in the address, since many clients know no headers. There are no sessions, so
 * POST is the only method.
 */
function addMcp(app: OpenAPIHono<ApiEnvironment>, routeDeps: RouteDeps, deps: AssistantDeps): void {
  const { counter, metrics } = deps;
  // Loaded at the first request, since it takes longer to load than the rest of the API.
  const endpoint = lazy(async () => {
    const { createEndpoint } = await import("../../../mcp/endpoint.js");
    return createEndpoint((error) => deps.onFault("mcp", error));
  });
  const path = routes.mcp.getRoutingPath();
  app.openAPIRegistry.registerPath(routes.mcp);
  app.use(path, allowPages);
  const asAssistant = authenticate({ ...routeDeps, store: deps }, "assistant", undefined, (c) => c.req.query("key"));
  app.post(path, asAssistant, readJson(maxBodyBytes), async (c) => {
    const key = c.get("key")!;
    const body = c.get("json");
    const messages = Array.isArray(body) ? Math.max(1, body.length) : 1;
    if (messages > maxMessages) throw new ApiError(400, `A request can have at most ${maxMessages} messages.`);
    let headers: Readonly<Record<string, string>> = {};
    for (let message = 0; message < messages; message++) {
      const { refusal, states } = await counter.request("mcp", key.organizationId, c.get("clientAddress"));
      headers = rateLimitHeaders(routeDeps.options.rateLimitHeaders, states);
      if (refusal) throw tooMany(refusal, metrics, headers);
    }
    const project = await projectOf(deps, key, c.req.param("domain")!, c.req.header("Origin"));
    const index = await indexOf(deps, project, key, undefined);
    const response = await (await endpoint()).fetch(c.req.raw, index, body);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  });
}
