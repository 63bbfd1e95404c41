import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readThread, shownPath, streamText } from "../../assistant/index.js";
import type { Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { authenticate, type OnRefusal } from "../authenticate.js";
import { readJson } from "../request-body.js";
import type { ApiEnvironment } from "../request-context.js";
import { answerMessage } from "./answer-message.js";
import type { AssistantDeps } from "./assistant-deps.js";
import { tooMany } from "./assistant-metrics.js";
import * as routes from "./routes.js";
import type { Feedback } from "./schemas.js";
import * as lookup from "./site-lookup.js";
import { allowPages, checkFilter } from "./site-lookup.js";
import texts from "./texts.json" with { type: "json" };

const { problems } = texts;
export const maxBodyBytes = 256 * 1024;
const defaultResults = 10;
/** Kinds of routes with their own count. */
const counted = new Set(["assistant", "search", "page"]);

/** The routes of the assistant, its search and its pages, for the pages of sites and for programs. */
export function addAssistantRoutes(app: OpenAPIHono<ApiEnvironment>, deps: AssistantDeps, onRefusal: OnRefusal): void {
  const { accounts, threads, counter, now } = deps;
  const asAssistant = authenticate(accounts, now, onRefusal, "assistant");

  app.use("/discovery/*", allowPages);
  app.on("DELETE", ["/discovery/*"], authenticate(accounts, now, onRefusal));
  app.on("POST", ["/discovery/*"], asAssistant, async (c, next) => {
    const [, , , route = ""] = c.req.path.split("/");
    // A name that a client makes up must not be counted, and so stored.
    if (!counted.has(route)) return next();
    const refusal = await counter.request(route, c.get("key")!.organizationId, c.get("clientAddress"));
    if (refusal) throw tooMany(refusal, deps.metrics);
    await readJson(maxBodyBytes)(c, next);
  });

  const projectOf = (c: Context<ApiEnvironment>, domain: string): Promise<Project> =>
    lookup.projectOf(deps, c.get("key")!, domain, c.req.header("Origin"));
  /** @param groups see `lookup.indexOf`. */
  const indexOf = async (c: Context<ApiEnvironment>, domain: string, groups: readonly string[] | null | undefined) =>
    lookup.indexOf(deps, await projectOf(c, domain), c.get("key")!, groups);

  for (const [version, route] of [
    ["v1", routes.messageV1],
    ["v2", routes.messageV2],
  ] as const) {
    // As `app.openapi` does, but the body is not read from a response and parsed once more.
    app.openAPIRegistry.registerPath(route);
    app.post(route.getRoutingPath(), async (c) => {
      const { headers, text } = await answerMessage(deps, {
        version,
        domain: c.req.param("domain"),
        body: c.get("json"),
        key: c.get("key")!,
        requestId: c.get("requestId"),
        clientAddress: c.get("clientAddress"),
        header: (name) => c.req.header(name),
        signal: c.req.raw.signal,
      });
      return new Response(streamText(text), { status: 200, headers });
    });
  }
  app.openapi(routes.search, async (c) => {
    const { query, pageSize: count = defaultResults, filter } = c.req.valid("json");
    const index = await indexOf(c, c.req.valid("param").domain, filter?.groups);
    const { passages } = await index.search({ query, count, filter: checkFilter(filter, index) });
    const results = passages.map((passage) => {
      const { text: content, title, heading, url } = passage;
      const metadata = heading === "" ? { title, url } : { title, heading, url };
      return { content, path: shownPath(passage), metadata };
    });
    return c.json(results, 200);
  });
  app.openapi(routes.page, async (c) => {
    const { path, groups } = c.req.valid("json");
    const index = await indexOf(c, c.req.valid("param").domain, groups);
    const found = await index.page(pathOf(path));
    if (!found) return c.json({ message: problems.noPage, error: problems.noPage }, 404);
    return c.json({ path: found.path, content: found.content }, 200);
  });
  const rate = async (c: Context<ApiEnvironment>, domain: string, { threadId, messageId, ...rest }: Feedback) => {
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

/** `/guides/install` of `guides/install#requirements`. */
const pathOf = (written: string): string => {
  const path = written.replace(/[?#].*$/s, "").trim();
  return path.startsWith("/") ? path : `/${path}`;
};
