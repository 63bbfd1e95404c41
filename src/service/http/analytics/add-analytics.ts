import type { OpenAPIHono } from "@hono/zod-openapi";
import { csvOf } from "../../../lib/csv.js";
import { cursorOf, isCursor, type KindCounts, type PathCounts, positionOf } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { limitAnalytics } from "../rate-limit.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import { AnalyticsQuery } from "./query.js";
import * as routes from "./routes.js";
import texts from "./texts.json" with { type: "json" };

const defaultPage = 50;

/** Rows of a whole table; a site has no more paths. */
const allRows = 20_000;

/** Adds the routes for programs that read the numbers of a site. */
export function addAnalytics(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps): void {
  const { accounts, views, threads } = deps.store;
  app.use("/v1/analytics/*", authenticate(deps), limitAnalytics(deps));

  /** What a request asks for: `read` reads its parameters, which are checked before the project is looked up. */
  const ask = async <Asked>(c: ApiContext, projectId: string, read: (query: AnalyticsQuery) => Asked) => {
    const query = new AnalyticsQuery(c.req.queries());
    const asked = read(query);
    query.check();
    const projects = await accounts.projects(c.get("key")!.organizationId);
    if (!projects.some((project) => project.projectId === projectId)) throw new ApiError(404, texts.noProject);
    return asked;
  };
  const pageOf = (query: AnalyticsQuery) => {
    const isTable = query.is("format", "csv", "json");
    const limit = query.integer("limit", 1, 250, isTable ? allRows : defaultPage);
    return { isTable, range: query.range(), page: { limit, offset: query.offset() } };
  };

  app.openapi(routes.views, async (c) => {
    const { projectId } = c.req.valid("param");
    const { isTable, range, page, allKinds } = await ask(c, projectId, (query) => ({
      ...pageOf(query),
      allKinds: query.is("kinds", "all", "readers"),
    }));
    const list = await views.views(projectId, range, { ...page, allKinds });
    if (isTable) return table("views", list.views);
    return c.json({ totals: flat(list.totals), views: list.views.map(row), hasMore: list.hasMore }, 200);
  });
  app.openapi(routes.visitors, async (c) => {
    const { projectId } = c.req.valid("param");
    const { isTable, range, page } = await ask(c, projectId, pageOf);
    const list = await views.visitors(projectId, range, page);
    if (isTable) return table("visitors", list.visitors);
    return c.json({ totals: flat(list.totals), visitors: list.visitors.map(row), hasMore: list.hasMore }, 200);
  });
  app.openapi(routes.missing, async (c) => {
    const { projectId } = c.req.valid("param");
    const { isTable, limit } = await ask(c, projectId, (query) => ({
      isTable: query.is("format", "csv", "json"),
      limit: query.integer("limit", 1, 1000, 100),
    }));
    const missing = (await views.missing(projectId, limit)).map(({ lastSeen, ...rest }) => ({
      ...rest,
      lastSeenAt: lastSeen.toISOString(),
    }));
    if (!isTable) return c.json({ missing }, 200);
    const rows = missing.map((each) => [each.path, each.views, each.lastSeenAt]);
    return csvResponse("missing", csvOf(["path", "views", "lastSeenAt"], rows)) as never;
  });

  app.openapi(routes.assistant, async (c) => {
    const { projectId } = c.req.valid("param");
    const { range, limit, before } = await ask(c, projectId, (query) => ({
      range: query.range(),
      limit: query.integer("limit", 1, 1000, 100),
      before: query.cursor("cursor", turnOfUlid),
    }));
    const page = { limit: limit + 1, ...(before === undefined ? {} : { before }) };
    const found = await threads.conversations(projectId, range, page);
    const conversations = found.slice(0, limit).map((each) => ({
      id: ulidOfTurn(each.turnId, each.askedAt.getTime()),
      threadId: each.threadId,
      timestamp: each.askedAt.toISOString(),
      query: each.question,
      response: each.answer,
      sources: each.sources.map(({ title, url }) => ({ title, url })),
      resolutionStatus:
        each.outcome === "answered" || each.outcome === "stopped" ? ("answered" as const) : ("unanswered" as const),
      queryCategory: null,
      pageUrl: null,
    }));
    const hasMore = found.length > limit;
    return c.json({ conversations, nextCursor: hasMore ? conversations.at(-1)!.id : null, hasMore }, 200);
  });
  app.openapi(routes.callerStats, async (c) => {
    const { projectId } = c.req.valid("param");
    const callers = await threads.callers(projectId, await ask(c, projectId, (query) => query.range()));
    return c.json({ ...callers, total: callers.web + callers.api + callers.other }, 200);
  });
  app.openapi(routes.thread, async (c) => {
    const { projectId, threadId } = c.req.valid("param");
    await ask(c, projectId, () => undefined);
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

  app.openapi(routes.searches, async (c) => {
    const { projectId } = c.req.valid("param");
    const { range, limit, offset } = await ask(c, projectId, (query) => ({
      range: query.range(),
      limit: query.integer("limit", 1, 100, 50),
      offset: query.cursor("cursor", (text) => (isCursor(text) ? positionOf(text) : undefined)) ?? 0,
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
    return c.json({ searches, totalSearches: list.total, nextCursor }, 200);
  });
}

const flat = ({ human, ai, total, others }: KindCounts) => ({ human, ai, total, ...others });
const row = ({ path, ...counts }: PathCounts) => ({ path, ...flat(counts) });

/** The response of a route that gives JSON, too. */
function table(name: string, rows: readonly PathCounts[]): never {
  const flatRows = rows.map(row);
  const head = ["path", "human", "ai", "total", ...Object.keys(rows[0]?.others ?? {})];
  return csvResponse(
    name,
    csvOf(
      head,
      flatRows.map((each) => Object.values(each)),
    ),
  ) as never;
}

const csvResponse = (name: string, text: string): Response =>
  new Response(text, {
    headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}.csv"` },
  });

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLength = 10;
const numberLength = 16;

/** A ULID of a turn: its time, and its number where others are random. */
export const ulidOfTurn = (turnId: number, askedAt: number): string =>
  written(askedAt, timeLength) + written(turnId, numberLength);

/** Undefined for a text that is no such ULID. */
export function turnOfUlid(ulid: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(ulid)) return undefined;
  const turnId = [...ulid.slice(timeLength).toUpperCase()].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0);
  return Number.isSafeInteger(turnId) ? turnId : undefined;
}

function written(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32]! + text;
  return text;
}
