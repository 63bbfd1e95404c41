import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import texts from "../operations.json" with { type: "json" };
import { failures, json, responseHeaders } from "../route-parts.js";
import * as schemas from "../schemas.js";
import { jobRequestSchema } from "./job-request.js";

const { operations, requestHeaders, examples } = texts;
const { replayed, retryAfter, rateLimit, location, entityTag } = responseHeaders;

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().openapi(requestHeaders.idempotencyKey),
});

const jobs = "/v1/static-export/jobs";
const common = { tags: ["Static export"], security: [{ adminKey: [] }] };
const params = z.object({ jobId: schemas.jobIdSchema });

const queued = json("The job is queued.", schemas.jobSchema, examples.queued, {
  ...location,
  ...retryAfter,
  ...replayed,
  ...rateLimit,
});

export const startJob = createRoute({
  ...common,
  method: "post",
  path: jobs,
  ...operations.startJob,
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { "application/json": { schema: jobRequestSchema } } },
  },
  responses: {
    202: queued,
    ...failures(400, 401, 403, 413, 415, 422, 429, 503),
  },
});

export const listJobs = createRoute({
  ...common,
  method: "get",
  path: jobs,
  ...operations.listJobs,
  request: { query: schemas.listQuerySchema },
  responses: {
    200: json("One page of jobs.", schemas.jobListSchema, examples.jobList),
    ...failures(400, 401, 403, 429, 503),
  },
});

export const getJob = createRoute({
  ...common,
  method: "get",
  path: `${jobs}/{jobId}`,
  ...operations.getJob,
  request: { params, query: schemas.statusQuerySchema },
  responses: {
    200: json("The job.", schemas.jobSchema, examples.running, { ...entityTag, ...retryAfter }),
    304: { description: "The job is as If-None-Match names it.", headers: { ...entityTag, ...retryAfter } },
    ...failures(400, 401, 403, 404, 429, 503),
  },
});

export const cancelJob = createRoute({
  ...common,
  method: "delete",
  path: `${jobs}/{jobId}`,
  ...operations.cancelJob,
  request: { params },
  responses: {
    200: json("The job as it is now.", schemas.jobSchema, examples.cancelled),
    ...failures(401, 403, 404, 429, 503),
  },
});

export const rerunJob = createRoute({
  ...common,
  method: "post",
  path: `${jobs}/{jobId}/rerun`,
  ...operations.rerunJob,
  request: { params, headers: idempotencyHeader },
  responses: { 202: queued, ...failures(400, 401, 403, 404, 409, 422, 429, 503) },
});

export const listDiagnostics = createRoute({
  ...common,
  method: "get",
  path: `${jobs}/{jobId}/diagnostics`,
  ...operations.listDiagnostics,
  request: { params, query: schemas.pageQuerySchema },
  responses: {
    200: json("One page of diagnostics.", schemas.diagnosticsSchema, examples.diagnostics),
    ...failures(400, 401, 403, 404, 409, 429, 503),
  },
});

export const listLog = createRoute({
  ...common,
  method: "get",
  path: `${jobs}/{jobId}/logs`,
  ...operations.listLog,
  request: { params, query: schemas.pageQuerySchema },
  responses: {
    200: json("One page of the log.", schemas.logSchema, examples.log),
    ...failures(400, 401, 403, 404, 429, 503),
  },
});

export const makeBundle = createRoute({
  ...common,
  method: "post",
  path: `${jobs}/{jobId}/bundle`,
  ...operations.makeBundle,
  request: { params, headers: idempotencyHeader },
  responses: {
    200: json("A link to the bundle.", schemas.bundleSchema, examples.bundle),
    ...failures(400, 401, 403, 404, 409, 429, 503),
  },
});

export const withdrawBundle = createRoute({
  ...common,
  method: "delete",
  path: `${jobs}/{jobId}/bundle`,
  ...operations.withdrawBundle,
  request: { params },
  responses: {
    200: json("The receipt.", schemas.erasureSchema),
    ...failures(401, 403, 404, 409, 429, 503),
  },
});

const unauthenticated = { tags: ["Operations"], security: [] };

export const health = createRoute({
  ...unauthenticated,
  method: "get",
  path: "/healthz",
  ...operations.health,
  responses: { 200: json("The health of the service.", schemas.healthSchema, examples.healthy) },
});

export const readiness = createRoute({
  ...unauthenticated,
  method: "get",
  path: "/readyz",
  ...operations.readiness,
  responses: {
    200: json("The service can take requests.", schemas.readySchema, examples.ready),
    503: json("The service cannot take requests.", schemas.unreadySchema, examples.unready),
  },
});

/** The webhook of a finished job. */
export const jobEnded: Parameters<OpenAPIHono["openAPIRegistry"]["registerWebhook"]>[0] = {
  method: "post",
  path: "static_export.ended",
  ...operations.jobEnded,
  request: {
    headers: z.object({
      "webhook-id": z.string().openapi(requestHeaders.webhookId),
      "webhook-timestamp": z.string().openapi(requestHeaders.webhookTimestamp),
      "webhook-signature": z.string().openapi(requestHeaders.webhookSignature),
    }),
    body: {
      required: true,
      content: { "application/json": { schema: schemas.jobEndedSchema, example: examples.jobEnded } },
    },
  },
  responses: { 204: { description: "The message was received. Any 2xx status is accepted." } },
};
