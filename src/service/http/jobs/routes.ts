import { type OpenAPIHono, z } from "@hono/zod-openapi";
import texts from "../operations.json" with { type: "json" };
import { idempotencyHeader, json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { erasureSchema, pageQuerySchema } from "../schemas.js";
import { jobRequestSchema } from "./job-request.js";
import * as schemas from "./schemas.js";
import ownTexts from "./texts.json" with { type: "json" };

const { operations, requestHeaders, examples } = texts;
const { replayed, retryAfter, rateLimit, location, entityTag } = responseHeaders;

const jobs = "/v1/static-export/jobs";
const job = `${jobs}/{jobId}` as const;
const route = routesOf({
  tag: "Static export",
  scheme: "adminKey",
  operations,
  parameters: { jobId: ownTexts.fields.jobId },
  failures: keyFailures,
});

const queued = json("The job is queued.", schemas.jobSchema, examples.queued, {
  ...location,
  ...retryAfter,
  ...replayed,
  ...rateLimit,
});

export const startJob = route("startJob", "post", jobs, {
  headers: idempotencyHeader,
  body: jsonBody(jobRequestSchema),
  202: queued,
  failures: [422],
});

export const listJobs = route("listJobs", "get", jobs, {
  query: schemas.listQuerySchema,
  200: json("One page of jobs.", schemas.jobListSchema, examples.jobList),
});

export const getJob = route("getJob", "get", job, {
  query: schemas.statusQuerySchema,
  200: json("The job.", schemas.jobSchema, examples.running, { ...entityTag, ...retryAfter }),
  304: { description: "The job is as If-None-Match names it.", headers: { ...entityTag, ...retryAfter } },
});

export const cancelJob = route("cancelJob", "delete", job, {
  200: json("The job as it is now.", schemas.jobSchema, examples.cancelled),
});

export const rerunJob = route("rerunJob", "post", `${job}/rerun`, {
  headers: idempotencyHeader,
  202: queued,
  failures: [400, 409, 422],
});

export const listDiagnostics = route("listDiagnostics", "get", `${job}/diagnostics`, {
  query: pageQuerySchema,
  200: json("One page of diagnostics.", schemas.diagnosticsSchema, examples.diagnostics),
  failures: [409],
});

export const listLog = route("listLog", "get", `${job}/logs`, {
  query: pageQuerySchema,
  200: json("One page of the log.", schemas.logSchema, examples.log),
});

export const makeBundle = route("makeBundle", "post", `${job}/bundle`, {
  headers: idempotencyHeader,
  200: json("A link to the bundle.", schemas.bundleSchema, examples.bundle),
  failures: [400, 409],
});

export const replayWebhooks = route("replayWebhooks", "post", `${job}/webhooks/replay`, {
  202: json("The messages are sent again.", schemas.replaySchema),
  failures: [409],
});

export const withdrawBundle = route("withdrawBundle", "delete", `${job}/bundle`, {
  200: json("The receipt.", erasureSchema),
  failures: [409],
});

const openRoute = routesOf({
  tag: "Operations",
  scheme: undefined,
  operations,
  parameters: { objectKey: "Key of the object, with slashes: the whole rest of the path." },
  failures: [],
});

export const health = openRoute("health", "get", "/healthz", {
  200: json("The health of the service.", schemas.healthSchema, examples.healthy),
});

export const getObject = openRoute("getObject", "get", "/v1/objects/{objectKey}", {
  query: z.object({ expires: z.string(), signature: z.string() }),
  200: {
    description: "The object.",
    content: { "application/gzip": { schema: z.string().openapi({ format: "binary" }) } },
  },
  206: { description: "The part of it that Range names." },
  304: { description: "The object is as If-None-Match names it." },
  416: { description: "The object has no such part." },
  failures: [403, 503],
});

export const readiness = openRoute("readiness", "get", "/readyz", {
  200: json("The service can take requests.", schemas.readySchema, examples.ready),
  503: json("The service cannot take requests.", schemas.unreadySchema, examples.unready),
});

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
    body: jsonBody(schemas.jobEndedSchema, examples.jobEnded),
  },
  responses: { 204: { description: "The message was received. Any 2xx status is accepted." } },
};
