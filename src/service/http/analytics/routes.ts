import { z } from "@hono/zod-openapi";
import operationTexts from "../operations.json" with { type: "json" };
import { json, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { problemSchema } from "../schemas.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, parameters, examples, problems } = texts;
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
    "application/json": { schema: schemas.faultSchema, example: texts.fault },
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
  200: orTable(answer("One page of the list.", schemas.viewsSchema, examples.views)),
});

export const visitors = route("visitors", "get", `${root}/visitors`, {
  query: days.extend(pages),
  200: orTable(answer("One page of the list.", schemas.visitorsSchema)),
});

export const missing = route("missing", "get", `${root}/missing`, {
  query: z.object({ limit: integer(parameters.limit, 1, 1000, 100), format: pages.format }),
  200: orTable(answer("The addresses.", schemas.missingSchema)),
});

export const assistant = route("assistant", "get", `${root}/assistant`, {
  query: days.extend({ limit: integer(parameters.limit, 1, 1000, 100), cursor: text(parameters.cursor) }),
  200: answer("One page of the list.", schemas.conversationsSchema),
});

export const callerStats = route("callerStats", "get", `${root}/assistant/caller-stats`, {
  query: days,
  200: answer("The numbers.", schemas.callerStatsSchema),
});

export const thread = route("thread", "get", `${root}/assistant/threads/{threadId}`, {
  200: answer("The thread.", schemas.threadSchema),
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
  200: answer("One page of the list.", schemas.feedbackSchema),
});

export const feedbackByPage = route("feedbackByPage", "get", `${root}/feedback/by-page`, {
  query: days.extend({ ...feedbackFilter, limit: integer(parameters.limit, 1, 100, 10) }),
  200: answer("The pages.", schemas.feedbackByPageSchema),
});

export const searches = route("searches", "get", `${root}/searches`, {
  query: days.extend({ limit: integer(parameters.limit, 1, 100, 50), cursor: text(parameters.cursor) }),
  200: answer("One page of the list.", schemas.searchesSchema),
});
