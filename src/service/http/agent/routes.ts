import { z } from "@hono/zod-openapi";
import { idempotencyHeader, json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, parameters, examples, problems } = texts;
const { replayed, retryAfter, location, rateLimit } = responseHeaders;
const root = "/v2/agent/{projectId}";
const area = { tag: "Agent jobs", scheme: "adminKey", operations, problems, parameters } as const;
const route = routesOf({ ...area, failures: keyFailures });

const job = (description: string, example: unknown = examples.completed, headers = {}) =>
  json(description, schemas.agentJobSchema, example, headers);

export const getAgentJob = route("getAgentJob", "get", `${root}/job/{id}`, {
  200: job("The job.", examples.completed, retryAfter),
});

export const createAgentJob = route("createAgentJob", "post", `${root}/job`, {
  headers: idempotencyHeader,
  body: jsonBody(schemas.agentRequestSchema),
  201: job("The job is created.", examples.active, { ...location, ...retryAfter, ...replayed, ...rateLimit }),
  failures: [409, 422],
});

export const addAgentMessage = route("addAgentMessage", "post", `${root}/job/{id}/message`, {
  headers: idempotencyHeader,
  body: jsonBody(schemas.agentMessageSchema),
  200: job("The job, which is active again.", examples.active, { ...retryAfter, ...replayed, ...rateLimit }),
  failures: [409, 422],
});

export const listAgentJobs = route("listAgentJobs", "get", `${root}/jobs`, {
  query: schemas.agentListQuerySchema,
  200: json("One page of jobs.", schemas.agentJobListSchema, { jobs: [examples.completed], nextCursor: null }),
});

export const cancelAgentJob = route("cancelAgentJob", "post", `${root}/job/{id}/cancel`, {
  200: job("The job as it is now."),
});

export const archiveAgentJob = route("archiveAgentJob", "post", `${root}/job/{id}/archive`, {
  200: job("The job as it is now."),
});

const rootV1 = "/v1/agent/{projectId}";

export const createAgentJobV1 = route("createAgentJobV1", "post", `${rootV1}/job`, {
  headers: idempotencyHeader,
  body: jsonBody(schemas.agentRequestV1Schema),
  200: {
    description: "The events of the job.",
    headers: responseHeaders.session,
    content: { "text/event-stream": { schema: z.string() } },
  },
  failures: [409, 422],
});

export const getAgentJobV1 = route("getAgentJobV1", "get", `${rootV1}/job/{id}`, {
  200: json("The job.", schemas.agentSessionSchema, undefined, retryAfter),
});

export const listAgentJobsV1 = route("listAgentJobsV1", "get", `${rootV1}/jobs`, {
  query: schemas.agentListV1QuerySchema,
  200: json("The jobs.", schemas.agentSessionsSchema),
});

export const streamAgentEvents = route("streamAgentEvents", "get", `${root}/job/{id}/events`, {
  headers: z.object({ "Last-Event-ID": z.string().optional().openapi({ description: parameters.lastEventId }) }),
  200: { description: "The events.", content: { "text/event-stream": { schema: z.string() } } },
});
