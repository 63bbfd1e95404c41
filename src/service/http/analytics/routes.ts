import { z } from "@hono/zod-openapi";
import operationTexts from "../operations.json" with { type: "json" };
import { json, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { named, nextCursor, problemSchema } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, parameters, examples, problems } = texts;

const count = (description?: string) =>
  z
    .int()
    .min(0)
    .openapi(description === undefined ? {} : { description });
const time = z.string().openapi({ format: "date-time" });
const hasMore = z.boolean().openapi({ description: "More rows follow: ask again with `offset` increased by `limit`." });

const date = (description: string) => z.string().nullable().openapi({ format: "date", description });
const range = z
  .object({
    dateFrom: date("The first day that is counted; null if the range starts with the first day that has views."),
    dateTo: date("The day after the last one that is counted; null if today is counted, too."),
  })
  .openapi({ description: "Days of UTC that the response counts." });

const counts = { human: count("People."), ai: count("AI agents."), total: count() };
const otherKinds = {
  search: count("Search engines; with `kinds=all`.").optional(),
  training: count("Crawlers for training; with `kinds=all`.").optional(),
  otherAi: count("Other bots of AI firms; with `kinds=all`.").optional(),
  bot: count("Other bots; with `kinds=all`.").optional(),
};
const path = z.string().openapi({ description: "Path of the page.", example: "/guides/install" });

const viewsSchema = named("PageViews", {
  totals: z.object({ ...counts, ...otherKinds }).openapi({ description: "Of the whole range." }),
  views: z.array(z.object({ path, ...counts, ...otherKinds })),
  hasMore,
  range,
});

const visitorsSchema = named("Visitors", {
  totals: z.object(counts).openapi({ description: "Of the whole site and range." }),
  visitors: z.array(z.object({ path, ...counts })),
  hasMore,
  range,
});

const missingSchema = named("MissingPages", {
  missing: z.array(z.object({ path: z.string(), views: count(), lastSeenAt: time })),
});

const conversationsSchema = named("AssistantConversations", {
  conversations: z.array(
    z.object({
      id: z.string().openapi({ description: "A ULID." }),
      threadId: z.string(),
      timestamp: time,
      query: z.string(),
      response: z.string(),
      responseType: z.literal("answer").openapi({ description: "The assistant never answers with a question." }),
      sources: z.array(z.object({ title: z.string(), url: z.string() })),
      resolutionStatus: z.enum(["answered", "unanswered"]),
      queryCategory: z.string().nullable(),
      pageUrl: z.string().nullable(),
    }),
  ),
  nextCursor,
  hasMore: z.boolean(),
  range,
});

const threadSchema = named("AssistantThread", {
  threadId: z.string(),
  createdAt: time,
  messages: z.array(
    z.object({ id: z.string(), role: z.enum(["user", "assistant"]), content: z.string(), createdAt: time }),
  ),
});

const callerStatsSchema = named("AssistantCallerStats", {
  web: count(),
  api: count(),
  other: count(),
  total: count(),
  range,
});

const searchesSchema = named("Searches", {
  searches: z.array(
    z.object({
      searchQuery: z.string(),
      hits: count("Searches."),
      ctr: z.number().min(0).openapi({ description: "Results opened per search." }),
      topClickedPage: z.string().nullable(),
      lastSearchedAt: time,
    }),
  ),
  totalSearches: count("In the whole range."),
  nextCursor,
  range,
});

export const feedbackSchema = named("Feedback", {
  feedback: z.array(
    z.object({
      id: z.string(),
      path,
      comment: z.string().nullable().openapi({ description: "Always null, since readers only give a thumb." }),
      createdAt: time,
      source: z.literal("contextual").openapi({ description: "A thumb for a page." }),
      status: z.literal("pending").openapi({ description: "The service has no review of thumbs." }),
      helpful: z.boolean().openapi({ description: "Thumb up." }),
      contact: z.string().nullable().openapi({ description: "Always null, since nobody is asked." }),
    }),
  ),
  nextCursor,
  hasMore: z.boolean(),
  range,
});

const feedbackByPageSchema = named("FeedbackByPage", {
  feedback: z.array(
    z.object({
      path,
      thumbsUp: count(),
      thumbsDown: count(),
      code: count("Always 0: code blocks have no thumbs."),
      total: count(),
    }),
  ),
  hasMore: z.boolean(),
  range,
});

const faultSchema = named("AnalyticsFault", {
  error: z.string(),
  details: z.array(z.object({ message: z.string() })).optional(),
});

const root = "/v1/analytics/{projectId}";

// The schemas accept everything: the handlers check the query, since a repeated parameter is a fault with its own message.
const integer = (description: string, minimum: number, maximum: number, preset: number) =>
  z.unknown().optional().openapi({ type: "integer", minimum, maximum, default: preset, description });
const text = (description: string) => z.unknown().optional().openapi({ type: "string", description });
const choice = (description: string, values: readonly string[]) =>
  z
    .unknown()
    .optional()
    .openapi({ type: "string", enum: [...values], description });
const days = z.object({ dateFrom: text(parameters.dateFrom), dateTo: text(parameters.dateTo) });
const pages = {
  limit: integer(parameters.limit, 1, 250, 50),
  offset: integer(parameters.offset, 0, 2 ** 31, 0),
  format: choice(parameters.format, ["json", "csv"]),
};

const badRequest = {
  description: operationTexts.problems[400].description,
  content: {
    "application/json": { schema: faultSchema, example: texts.fault },
    "application/problem+json": { schema: problemSchema },
  },
};
const route = routesOf({
  tag: "Analytics",
  scheme: "adminKey",
  operations,
  problems,
  parameters,
  failures: keyFailures,
  responses: { 400: badRequest },
});
const answer = <S extends z.ZodType>(description: string, schema: S, example?: unknown) =>
  json(description, schema, example, responseHeaders.rateLimit);
const orTable = <R extends { readonly content: object }>(response: R) => ({
  ...response,
  content: { ...response.content, "text/csv": { schema: z.string() } },
});

export const views = route("views", "get", `${root}/views`, {
  query: days.extend({ ...pages, kinds: choice(parameters.kinds, ["readers", "all"]) }),
  200: orTable(answer("One page of the list.", viewsSchema, examples.views)),
});

export const visitors = route("visitors", "get", `${root}/visitors`, {
  query: days.extend(pages),
  200: orTable(answer("One page of the list.", visitorsSchema)),
});

export const missing = route("missing", "get", `${root}/missing`, {
  query: z.object({ limit: integer(parameters.limit, 1, 1000, 100), format: pages.format }),
  200: orTable(answer("The addresses.", missingSchema)),
});

export const assistant = route("assistant", "get", `${root}/assistant`, {
  query: days.extend({ limit: integer(parameters.limit, 1, 1000, 100), cursor: text(parameters.cursor) }),
  200: answer("One page of the list.", conversationsSchema),
});

export const callerStats = route("callerStats", "get", `${root}/assistant/caller-stats`, {
  query: days,
  200: answer("The numbers.", callerStatsSchema),
});

export const thread = route("thread", "get", `${root}/assistant/threads/{threadId}`, {
  200: answer("The thread.", threadSchema),
});

const feedbackFilter = {
  source: choice(parameters.source, ["code_snippet", "contextual", "agent", "thumbs_only"]),
  status: text(parameters.status),
};

export const feedback = route("feedback", "get", `${root}/feedback`, {
  query: days.extend({
    ...feedbackFilter,
    limit: integer(parameters.limit, 1, 100, 50),
    cursor: text(parameters.cursor),
  }),
  200: answer("One page of the list.", feedbackSchema),
});

export const feedbackByPage = route("feedbackByPage", "get", `${root}/feedback/by-page`, {
  query: days.extend({ ...feedbackFilter, limit: integer(parameters.limit, 1, 100, 10) }),
  200: answer("The pages.", feedbackByPageSchema),
});

export const searches = route("searches", "get", `${root}/searches`, {
  query: days.extend({ limit: integer(parameters.limit, 1, 100, 50), cursor: text(parameters.cursor) }),
  200: answer("One page of the list.", searchesSchema),
});
