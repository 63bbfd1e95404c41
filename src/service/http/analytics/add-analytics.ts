import type { OpenAPIHono } from "@hono/zod-openapi";
import { csvOf } from "../../../lib/csv.js";
import { turnOfUlid, ulidOfTurn } from "../../assistant/index.js";
import { cursorOf, isCursor, type KindCounts, type PathCounts, positionOf } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { limitAnalytics } from "../rate-limit.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import { AnalyticsQuery, shownRange } from "./query.js";
import * as routes from "./routes.js";
import texts from "./texts.json" with { type: "json" };

const defaultPage = 50;

/** All rows of a table: a site has at most as many paths. */
const allRows = 20_000;

/** Adds the routes for programs that read the numbers of a site. */
export function addAnalytics(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps): void {
  const { accounts, views, threads } = deps.store;
  app.use("/v1/analytics/*", authenticate(deps), limitAnalytics(deps));

  /** The project of a request, and its parameters as `read` gives them, which are checked first. */
  const ask = async <Parameters extends object>(c: ApiContext, read: (query: AnalyticsQuery) => Parameters) => {
    const query = new AnalyticsQuery(c.req.queries());
    const parameters = read(query);
    query.check();
    const projectId = c.req.param("projectId")!;
    const projects = await accounts.projects(c.get("key")!.organizationId);
    if (!projects.some((project) => project.projectId === projectId)) throw new ApiError(404, texts.noProject);
    return { projectId, ...parameters };
  };
  const pageOf = (query: AnalyticsQuery) => {
    const isTable = query.is("format", "csv", "json");
    const limit = query.integer("limit", 1, 250, isTable ? allRows : defaultPage);
    return { isTable, range: query.range(), page: { limit, offset: query.offset() } };
  };

  app.openapi(routes.views, async (c) => {
    const { projectId, isTable, range, page, allKinds } = await ask(c, (query) => ({
      ...pageOf(query),
      allKinds: query.is("kinds", "all", "readers"),
    }));
    const list = await views.views(projectId, range, { ...page, allKinds });
    if (isTable) return table("views", list.views);
    return c.json(
      { totals: flat(list.totals), views: list.views.map(row), hasMore: list.hasMore, range: shownRange(range) },
      200,
    );
  });
  app.openapi(routes.visitors, async (c) => {
    const { projectId, isTable, range, page } = await ask(c, pageOf);
    const list = await views.visitors(projectId, range, page);
    if (isTable) return table("visitors", list.visitors);
    return c.json(
      { totals: flat(list.totals), visitors: list.visitors.map(row), hasMore: list.hasMore, range: shownRange(range) },
      200,
    );
  });
  app.openapi(routes.missing, async (c) => {
    const { projectId, isTable, limit } = await ask(c, (query) => ({
      isTable: query.is("format", "csv", "json"),
      limit: query.integer("limit", 1, 1000, 100),
    }));
    const found = await views.missing(projectId, limit);
    const missing = found.map((each) => ({ ...each, lastSeenAt: each.lastSeenAt.toISOString() }));
    if (!isTable) return c.json({ missing }, 200);
    const rows = missing.map(({ path, views: count, lastSeenAt }) => [path, count, lastSeenAt]);
    return csvResponse("missing", csvOf(["path", "views", "lastSeenAt"], rows)) as never;
  });

  app.openapi(routes.assistant, async (c) => {
    const { projectId, range, limit, before } = await ask(c, (query) => ({
      range: query.range(),
      limit: query.integer("limit", 1, 1000, 100),
      before: query.cursor("cursor", turnOfUlid),
    }));
    const page = { limit: limit + 1, ...(before === undefined ? {} : { before }) };
    const turns = await threads.conversations(projectId, range, page);
    const conversations = turns.slice(0, limit).map((turn) => ({
      id: ulidOfTurn(turn.turnId, turn.askedAt.getTime()),
      threadId: turn.threadId,
      timestamp: turn.askedAt.toISOString(),
      query: turn.question,
      response: turn.answer,
      responseType: "answer" as const,
      sources: turn.sources.map(({ title, url }) => ({ title, url })),
      resolutionStatus:
        turn.outcome === "answered" || turn.outcome === "stopped" ? ("answered" as const) : ("unanswered" as const),
      queryCategory: null,
      pageUrl: null,
    }));
    const hasMore = turns.length > limit;
    return c.json(
      { conversations, nextCursor: hasMore ? conversations.at(-1)!.id : null, hasMore, range: shownRange(range) },
      200,
    );
  });
  app.openapi(routes.callerStats, async (c) => {
    const { projectId, range } = await ask(c, (query) => ({ range: query.range() }));
    const callers = await threads.callers(projectId, range);
    const total = callers.web + callers.api + callers.other;
    return c.json({ ...callers, total, range: shownRange(range) }, 200);
  });
  app.openapi(routes.thread, async (c) => {
    const { projectId } = await ask(c, () => ({}));
    const { threadId } = c.req.valid("param");
    const thread = await threads.transcript(projectId, threadId.toUpperCase());
    if (!thread) throw new ApiError(404, texts.noThread);
    const messages = thread.turns.flatMap(({ messageId, askedAt, question, answer }) => {
      const createdAt = askedAt.toISOString();
      return [
        { id: `${messageId}_question`, role: "user" as const, content: question, createdAt },
        { id: messageId, role: "assistant" as const, content: answer, createdAt },
      ];
    });
    return c.json({ threadId: thread.threadId, createdAt: messages[0]!.createdAt, messages }, 200);
  });

  /** Whether thumbs pass the filter: they are all `contextual` and `pending`. */
  const showsThumbs = (query: AnalyticsQuery): boolean => {
    const source = query.oneOf("source", ["code_snippet", "contextual", "agent", "thumbs_only"]);
    const statuses = query.list("status", ["pending", "in_progress", "resolved", "dismissed"]);
    return (source ?? "contextual") === "contextual" && (statuses?.includes("pending") ?? true);
  };
  app.openapi(routes.feedback, async (c) => {
    const { projectId, range, limit, before, areShown } = await ask(c, (query) => ({
      range: query.range(),
      limit: query.integer("limit", 1, 100, 50),
      before: query.cursor("cursor", positionIn),
      areShown: showsThumbs(query),
    }));
    const rows = areShown ? await views.feedback(projectId, range, { limit: limit + 1, before }) : [];
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const feedback = shown.map(({ feedbackId: id, path, helpful, createdAt }) => ({
      ...{ id, path, comment: null, createdAt: createdAt.toISOString() },
      ...{ source: "contextual" as const, status: "pending" as const, helpful, contact: null },
    }));
    const nextCursor = hasMore ? cursorOf(shown.at(-1)!.position) : null;
    return c.json({ feedback, nextCursor, hasMore, range: shownRange(range) }, 200);
  });
  app.openapi(routes.feedbackByPage, async (c) => {
    const { projectId, range, limit, areShown } = await ask(c, (query) => ({
      range: query.range(),
      limit: query.integer("limit", 1, 100, 10),
      areShown: showsThumbs(query),
    }));
    const rows = areShown ? await views.pageFeedback(projectId, range, limit + 1) : [];
    const feedback = rows.slice(0, limit).map(({ path, thumbsUp, thumbsDown }) => ({
      ...{ path, thumbsUp, thumbsDown, code: 0, total: thumbsUp + thumbsDown },
    }));
    return c.json({ feedback, hasMore: rows.length > limit, range: shownRange(range) }, 200);
  });

  app.openapi(routes.searches, async (c) => {
    const { projectId, range, limit, offset } = await ask(c, (query) => ({
      range: query.range(),
      limit: query.integer("limit", 1, 100, 50),
      offset: query.cursor("cursor", positionIn) ?? 0,
    }));
    const list = await views.searches(projectId, range, { limit, offset });
    const searches = list.searches.map(({ query, searches: hits, clicks, topPath, lastSearched }) => ({
      searchQuery: query,
      hits,
      ctr: hits === 0 ? 0 : clicks / hits,
      topClickedPage: topPath ?? null,
      lastSearchedAt: lastSearched.toISOString(),
    }));
    const nextCursor = list.hasMore ? cursorOf(offset + limit) : null;
    return c.json({ searches, totalSearches: list.total, nextCursor, range: shownRange(range) }, 200);
  });
}

const positionIn = (cursor: string): number | undefined => (isCursor(cursor) ? positionOf(cursor) : undefined);

const flat = ({ human, ai, total, others }: KindCounts) => ({ human, ai, total, ...others });
const row = ({ path, ...counts }: PathCounts) => ({ path, ...flat(counts) });

/** The CSV response of a route whose types know only its JSON. */
function table(name: string, rows: readonly PathCounts[]): never {
  const cells = rows.map((each) => Object.values(row(each)));
  const head = ["path", "human", "ai", "total", ...Object.keys(rows[0]?.others ?? {})];
  return csvResponse(name, csvOf(head, cells)) as never;
}

const csvResponse = (name: string, text: string): Response =>
  new Response(text, {
    headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}.csv"` },
  });
