import { type OpenAPIHono, z } from "@hono/zod-openapi";
import texts from "../operations.json" with { type: "json" };
import { idempotencyHeader, json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { dateTime, erasureSchema, named, nextCursor, pageQuerySchema, wholeNumber } from "../schemas.js";
import { jobRequestSchema } from "./job-request.js";
import ownTexts from "./texts.json" with { type: "json" };

const { operations, requestHeaders, examples } = texts;
const { fields } = ownTexts;

const statusSchema = z.enum(["queued", "running", "completed", "failed"], {
  error: '"status" must be queued, running, completed or failed.',
});

export const jobSchema = named("StaticExportJob", {
  jobId: z.string().openapi(fields.ownJobId),
  status: statusSchema.openapi(fields.status),
  progress: z.int().min(0).max(100).openapi(fields.progress),
  pageCount: z.int().min(0).openapi(fields.pageCount),
  createdAt: dateTime("When the job was started."),
  updatedAt: dateTime("When the job last changed."),
  error: z.string().optional().openapi(fields.error),
  domain: z.string().openapi(fields.domain),
  version: z.string().optional().openapi(fields.version),
  paths: z.array(z.string()).optional().openapi(fields.paths),
  audience: z.array(z.string()).optional().openapi(fields.audience),
  finishedAt: dateTime("When the job was completed or failed.").optional(),
  errors: z.int().min(0).optional().openapi(fields.errors),
  warnings: z.int().min(0).optional().openapi(fields.warnings),
});

const jobEndedSchema = named("StaticExportEnded", {
  type: z.enum(["static_export.completed", "static_export.failed", "static_export.bundle_ready"]),
  timestamp: dateTime("When the job ended."),
  data: jobSchema.extend({
    sizeBytes: z.int().min(0).optional().openapi(fields.ofBundle),
    sha256: z.string().optional().openapi(fields.ofBundle),
  }),
});

const replaySchema = named("WebhookReplay", {
  jobId: z.string(),
  status: z.literal("queued").openapi(fields.replayed),
});

const jobListSchema = named("StaticExportJobList", {
  jobs: z.array(jobSchema).openapi(fields.jobs),
  nextCursor,
});

const sourceLocation = z.object({
  sourcePath: z.string().openapi(fields.sourcePath),
  line: z.int().min(0).optional(),
  column: z.int().min(0).optional(),
  length: z.int().min(0).optional(),
});

const diagnosticSchema = named("Diagnostic", {
  code: z.string().openapi(fields.code),
  severity: z.enum(["error", "warning"]),
  what: z.string().openapi(fields.what),
  location: sourceLocation.optional(),
  related: z.object({ location: sourceLocation, what: z.string() }).optional().openapi(fields.related),
  fix: z.string().openapi(fields.fix),
});

const diagnosticsSchema = named("DiagnosticList", {
  diagnostics: z.array(diagnosticSchema).openapi(fields.diagnostics),
  nextCursor,
});

const logLineSchema = named("LogLine", {
  time: dateTime("When it happened."),
  level: z.enum(["info", "warning", "error"]),
  message: z.string().openapi(fields.message),
});

const logSchema = named("JobLog", { lines: z.array(logLineSchema).openapi(fields.lines), nextCursor });

const bundleSchema = named("BundleResponse", {
  jobId: z.string().openapi(fields.ownJobId),
  bundleUrl: z.string().openapi(fields.bundleUrl),
  sizeBytes: z.int().min(0).openapi(fields.sizeBytes),
  expiresAt: dateTime("When the link expires. The bundle stays: ask again for a new link to the same bytes."),
  sha256: z.string().openapi(fields.sha256),
});

const waitText = "Seconds to wait for the job to change. With If-None-Match: to differ from that state.";
const statusQuerySchema = z.object({ wait: wholeNumber("wait", 0, 60, waitText) });

const listQuerySchema = pageQuerySchema.extend({
  status: statusSchema.optional(),
  domain: z.string().toLowerCase().optional().openapi(fields.ofSite),
});

const problems = z.array(z.string());
const healthSchema = named("Health", {
  status: z.enum(["ok", "degraded"]),
  problems: problems.openapi(fields.whyDegraded),
});
const readySchema = named("Ready", { status: z.literal("ready"), problems });
const unreadySchema = named("Unready", {
  status: z.literal("unready"),
  problems: problems.openapi(fields.unreached),
  error: z.string().openapi(fields.allUnreached),
});

const { replayed, retryAfter, rateLimit, location, entityTag } = responseHeaders;

const jobs = "/v1/static-export/jobs";
const job = `${jobs}/{jobId}` as const;
const route = routesOf({
  tag: "Static export",
  scheme: "adminKey",
  operations,
  parameters: { jobId: fields.jobId },
  failures: keyFailures,
});

const queued = json("The job is queued.", jobSchema, examples.queued, {
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
  query: listQuerySchema,
  200: json("One page of jobs.", jobListSchema, examples.jobList),
});

export const getJob = route("getJob", "get", job, {
  query: statusQuerySchema,
  200: json("The job.", jobSchema, examples.running, { ...entityTag, ...retryAfter }),
  304: { description: "The job is as If-None-Match names it.", headers: { ...entityTag, ...retryAfter } },
});

export const cancelJob = route("cancelJob", "delete", job, {
  200: json("The job as it is now.", jobSchema, examples.cancelled),
});

export const rerunJob = route("rerunJob", "post", `${job}/rerun`, {
  headers: idempotencyHeader,
  202: queued,
  failures: [400, 409, 422],
});

export const listDiagnostics = route("listDiagnostics", "get", `${job}/diagnostics`, {
  query: pageQuerySchema,
  200: json("One page of diagnostics.", diagnosticsSchema, examples.diagnostics),
  failures: [409],
});

export const listLog = route("listLog", "get", `${job}/logs`, {
  query: pageQuerySchema,
  200: json("One page of the log.", logSchema, examples.log),
});

export const makeBundle = route("makeBundle", "post", `${job}/bundle`, {
  headers: idempotencyHeader,
  200: json("A link to the bundle.", bundleSchema, examples.bundle),
  failures: [400, 409],
});

export const replayWebhooks = route("replayWebhooks", "post", `${job}/webhooks/replay`, {
  202: json("The messages are sent again.", replaySchema),
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
  200: json("The health of the service.", healthSchema, examples.healthy),
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
  200: json("The service can take requests.", readySchema, examples.ready),
  503: json("The service cannot take requests.", unreadySchema, examples.unready),
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
    body: jsonBody(jobEndedSchema, examples.jobEnded),
  },
  responses: { 204: { description: "The message was received. Any 2xx status is accepted." } },
};
