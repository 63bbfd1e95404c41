import { z } from "@hono/zod-openapi";
import { named, nextCursor } from "../schemas.js";

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

export const viewsSchema = named("PageViews", {
  totals: z.object({ ...counts, ...otherKinds }).openapi({ description: "Of the whole range." }),
  views: z.array(z.object({ path, ...counts, ...otherKinds })),
  hasMore,
  range,
});

export const visitorsSchema = named("Visitors", {
  totals: z.object(counts).openapi({ description: "Of the whole site and range." }),
  visitors: z.array(z.object({ path, ...counts })),
  hasMore,
  range,
});

export const missingSchema = named("MissingPages", {
  missing: z.array(z.object({ path: z.string(), views: count(), lastSeenAt: time })),
});

export const conversationsSchema = named("AssistantConversations", {
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

export const threadSchema = named("AssistantThread", {
  threadId: z.string(),
  createdAt: time,
  messages: z.array(
    z.object({ id: z.string(), role: z.enum(["user", "assistant"]), content: z.string(), createdAt: time }),
  ),
});

export const callerStatsSchema = named("AssistantCallerStats", {
  web: count(),
  api: count(),
  other: count(),
  total: count(),
  range,
});

export const searchesSchema = named("Searches", {
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

export const feedbackByPageSchema = named("FeedbackByPage", {
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

export const faultSchema = named("AnalyticsFault", {
  error: z.string(),
  details: z.array(z.object({ message: z.string() })).optional(),
});
