import { createRoute, z } from "@hono/zod-openapi";
import operationTexts from "../operations.json" with { type: "json" };
import { failuresOf, json, responseHeaders } from "../route-parts.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, parameters, examples } = texts;
const { replayed, retryAfter, location } = responseHeaders;
const root = "/v2/agent/{projectId}";
const common = { tags: ["Agent jobs"], security: [{ adminKey: [] }] };
const failures = <S extends Parameters<typeof failuresOf>[1][number]>(...statuses: readonly S[]) =>
  failuresOf({ ...operationTexts.problems, ...texts.problems }, statuses);

const inProject = z.object({
  projectId: z.string().openapi({ param: { name: "projectId", in: "path" }, description: parameters.projectId }),
});
const ofJob = inProject.extend({
  id: z.string().openapi({ param: { name: "id", in: "path" }, description: parameters.id }),
});
const idempotency = z.object({
  "Idempotency-Key": z.string().optional().openapi(operationTexts.requestHeaders.idempotencyKey),
});
const body = <S extends z.ZodType>(schema: S) => ({ required: true, content: { "application/json": { schema } } });
const job = (description: string, example: unknown = examples.completed, headers = {}) =>
  json(description, schemas.agentJobSchema, example, headers);

export const getAgentJob = createRoute({
  ...common,
  method: "get",
  path: `${root}/job/{id}`,
  ...operations.getAgentJob,
  request: { params: ofJob },
  responses: { 200: job("The job.", examples.completed, retryAfter), ...failures(401, 403, 404, 429, 503) },
});

export const createAgentJob = createRoute({
  ...common,
  method: "post",
  path: `${root}/job`,
  ...operations.createAgentJob,
  request: { params: inProject, headers: idempotency, body: body(schemas.agentRequestSchema) },
  responses: {
    201: job("The job is created.", examples.active, { ...location, ...retryAfter, ...replayed }),
    ...failures(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
  },
});

export const addAgentMessage = createRoute({
  ...common,
  method: "post",
  path: `${root}/job/{id}/message`,
  ...operations.addAgentMessage,
  request: { params: ofJob, headers: idempotency, body: body(schemas.agentMessageSchema) },
  responses: {
    200: job("The job, which is active again.", examples.active, { ...retryAfter, ...replayed }),
    ...failures(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
  },
});

export const listAgentJobs = createRoute({
  ...common,
  method: "get",
  path: `${root}/jobs`,
  ...operations.listAgentJobs,
  request: { params: inProject, query: schemas.agentListQuerySchema },
  responses: {
    200: json("One page of jobs.", schemas.agentJobListSchema, { jobs: [examples.completed], nextCursor: null }),
    ...failures(400, 401, 403, 404, 429, 503),
  },
});

const ended = { params: ofJob };
export const cancelAgentJob = createRoute({
  ...common,
  method: "post",
  path: `${root}/job/{id}/cancel`,
  ...operations.cancelAgentJob,
  request: ended,
  responses: { 200: job("The job as it is now."), ...failures(401, 403, 404, 429, 503) },
});

export const archiveAgentJob = createRoute({
  ...common,
  method: "post",
  path: `${root}/job/{id}/archive`,
  ...operations.archiveAgentJob,
  request: ended,
  responses: { 200: job("The job as it is now."), ...failures(401, 403, 404, 429, 503) },
});

export const streamAgentEvents = createRoute({
  ...common,
  method: "get",
  path: `${root}/job/{id}/events`,
  ...operations.streamAgentEvents,
  request: {
    params: ofJob,
    headers: z.object({ "Last-Event-ID": z.string().optional().openapi({ description: parameters.lastEventId }) }),
  },
  responses: {
    200: { description: "The events.", content: { "text/event-stream": { schema: z.string() } } },
    ...failures(401, 403, 404, 429, 503),
  },
});
