import { createRoute, z } from "@hono/zod-openapi";
import operationTexts from "../operations.json" with { type: "json" };
import { failuresOf, json, responseHeaders } from "../route-parts.js";
import { problemSchema } from "../schemas.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, parameters, examples } = texts;
const common = { method: "get" as const, tags: ["Analytics"], security: [{ adminKey: [] }] };
const root = "/v1/analytics/{projectId}";
export const inProject = z.object({
  projectId: z.string().openapi({ param: { name: "projectId", in: "path" }, description: parameters.projectId }),
});

// The handlers read the query: a parameter that is given twice is a fault, and each fault has its own message.
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

const refused = {
  400: {
    description: operationTexts.problems[400].description,
    content: {
      "application/json": { schema: schemas.faultSchema, example: texts.fault },
      "application/problem+json": { schema: problemSchema },
    },
  },
  ...failuresOf({ ...operationTexts.problems, ...texts.problems }, [401, 403, 404, 429, 503]),
};
const answer = <S extends z.ZodType>(description: string, schema: S, example?: unknown) =>
  json(description, schema, example, responseHeaders.rateLimit);
const orTable = <R extends { readonly content: object }>(response: R) => ({
  ...response,
  content: { ...response.content, "text/csv": { schema: z.string() } },
});

export const views = createRoute({
  ...common,
  path: `${root}/views`,
  ...operations.views,
  request: { params: inProject, query: days.extend({ ...pages, kinds: choice(parameters.kinds, ["readers", "all"]) }) },
  responses: { 200: orTable(answer("One page of the list.", schemas.viewsSchema, examples.views)), ...refused },
});

export const visitors = createRoute({
  ...common,
  path: `${root}/visitors`,
  ...operations.visitors,
  request: { params: inProject, query: days.extend(pages) },
  responses: { 200: orTable(answer("One page of the list.", schemas.visitorsSchema)), ...refused },
});

export const missing = createRoute({
  ...common,
  path: `${root}/missing`,
  ...operations.missing,
  request: {
    params: inProject,
    query: z.object({ limit: integer(parameters.limit, 1, 1000, 100), format: pages.format }),
  },
  responses: { 200: orTable(answer("The addresses.", schemas.missingSchema)), ...refused },
});

export const assistant = createRoute({
  ...common,
  path: `${root}/assistant`,
  ...operations.assistant,
  request: {
    params: inProject,
    query: days.extend({ limit: integer(parameters.limit, 1, 1000, 100), cursor: text(parameters.cursor) }),
  },
  responses: { 200: answer("One page of the list.", schemas.conversationsSchema), ...refused },
});

export const callerStats = createRoute({
  ...common,
  path: `${root}/assistant/caller-stats`,
  ...operations.callerStats,
  request: { params: inProject, query: days },
  responses: { 200: answer("The numbers.", schemas.callerStatsSchema), ...refused },
});

export const thread = createRoute({
  ...common,
  path: `${root}/assistant/threads/{threadId}`,
  ...operations.thread,
  request: {
    params: inProject.extend({
      threadId: z.string().openapi({ param: { name: "threadId", in: "path" }, description: parameters.threadId }),
    }),
  },
  responses: { 200: answer("The thread.", schemas.threadSchema), ...refused },
});

export const searches = createRoute({
  ...common,
  path: `${root}/searches`,
  ...operations.searches,
  request: {
    params: inProject,
    query: days.extend({ limit: integer(parameters.limit, 1, 100, 50), cursor: text(parameters.cursor) }),
  },
  responses: { 200: answer("One page of the list.", schemas.searchesSchema), ...refused },
});
