import { createRoute, z } from "@hono/zod-openapi";
import operationTexts from "../operations.json" with { type: "json" };
import { failuresOf, json } from "../route-parts.js";
import { errorSchema } from "../schemas.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, fields, examples } = texts;
const failures = <S extends 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>(...statuses: readonly S[]) =>
  failuresOf({ ...operationTexts.problems, ...texts.failures }, statuses);
const common = { tags: ["Assistant"], security: [{ assistantKey: [] }] };
const domain = z.string().openapi({ param: { name: "domain", in: "path" }, description: fields.domain });
const params = z.object({ domain });
const body = <S extends z.ZodType>(schema: S, example?: unknown) => ({
  body: { required: true, content: { "application/json": example === undefined ? { schema } : { schema, example } } },
});
const refused = failures(400, 401, 403, 404, 413, 415, 429, 503);
const stream = (type: string, example: string) => ({
  description: "The answer as a stream.",
  headers: {
    "X-Thread-Id": { description: "Id of the thread.", schema: { type: "string" as const } },
    "X-Thread-Key": { description: "Key of a new thread.", schema: { type: "string" as const } },
  },
  content: { [type]: { schema: z.string(), example } },
});

export const messageV1 = createRoute({
  ...common,
  method: "post",
  path: "/discovery/v1/assistant/{domain}/message",
  deprecated: true,
  ...operations.messageV1,
  request: { params, ...body(schemas.assistantRequestSchema, examples.request) },
  responses: { 200: stream("text/plain", examples.v1), ...refused },
});

export const messageV2 = createRoute({
  ...common,
  method: "post",
  path: "/discovery/v2/assistant/{domain}/message",
  ...operations.messageV2,
  request: { params, ...body(schemas.assistantRequestSchema, examples.request) },
  responses: { 200: stream("text/event-stream", examples.v2), ...refused },
});

export const search = createRoute({
  ...common,
  method: "post",
  path: "/discovery/v1/search/{domain}",
  ...operations.search,
  request: { params, ...body(schemas.searchRequestSchema) },
  responses: { 200: json("The sections, best first.", schemas.searchResultSchema), ...refused },
});

export const page = createRoute({
  ...common,
  method: "post",
  path: "/discovery/v1/page/{domain}",
  ...operations.page,
  request: { params, ...body(schemas.pageRequestSchema) },
  responses: {
    200: json("The page.", schemas.pageSchema),
    ...refused,
    404: json("There is no such page, or no such site.", z.union([schemas.noPageSchema, errorSchema])),
  },
});

export const feedback = createRoute({
  ...common,
  method: "post",
  path: "/discovery/v1/assistant/{domain}/feedback",
  ...operations.feedback,
  request: { params, ...body(schemas.feedbackSchema) },
  responses: { 204: { description: "The rating was stored." }, ...refused },
});

export const feedbackV2 = createRoute({
  ...feedback,
  getRoutingPath: undefined,
  path: "/discovery/v2/assistant/{domain}/feedback",
  ...operations.feedbackV2,
});

export const deleteThread = createRoute({
  tags: common.tags,
  security: [{ adminKey: [] }],
  method: "delete",
  path: "/discovery/v1/assistant/{domain}/threads/{threadId}",
  ...operations.deleteThread,
  request: { params: params.extend({ threadId: z.string().openapi({ param: { name: "threadId", in: "path" } }) }) },
  responses: { 204: { description: "The thread was deleted." }, ...failures(401, 403, 404, 429, 503) },
});
