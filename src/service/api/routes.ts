import { STATUS_CODES } from "node:http";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { noSuchJob } from "./api-error.js";
import { jobRequestSchema } from "./job-request.js";
import {
  bundleSchema,
  errorSchema,
  healthSchema,
  jobEndedSchema,
  jobIdSchema,
  jobListSchema,
  jobSchema,
  listQuerySchema,
  problemSchema,
  readySchema,
  statusQuerySchema,
  unreadySchema,
} from "./schemas.js";

type Header = { description: string; schema: { type: "string" | "integer" } };
const header = (description: string, type: "string" | "integer" = "string"): Header => ({
  description,
  schema: { type },
});

const json = <S extends z.ZodType>(
  description: string,
  schema: S,
  example: z.input<S>,
  headers: Record<string, Header> = {},
) => ({
  description,
  headers,
  content: { "application/json": { schema, example } },
});

const queued = {
  jobId: "se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06",
  status: "queued" as const,
  progress: 0,
  pageCount: 0,
  createdAt: "2026-06-01T06:00:00.000Z",
  updatedAt: "2026-06-01T06:00:00.000Z",
  domain: "docs.example.com",
};
const running = {
  ...queued,
  status: "running" as const,
  progress: 40,
  pageCount: 120,
  updatedAt: "2026-06-01T06:00:02.410Z",
};
const ended = { updatedAt: "2026-06-01T06:00:05.120Z", finishedAt: "2026-06-01T06:00:05.120Z" };
const cancelled = { ...running, ...ended, status: "failed" as const, error: "The job was cancelled by request." };
const completed = { ...running, ...ended, status: "completed" as const, progress: 100, pageCount: 300 };
const bundle = {
  jobId: queued.jobId,
  bundleUrl: `https://objects.example.com/static-exports/${queued.jobId}/1/bundle.tar.gz?signature=…`,
  sizeBytes: 1_482_313,
  expiresAt: "2026-06-01T07:00:00.000Z",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};
const retryAfter = { "Retry-After": header("Seconds until it is worth asking again.", "integer") };
const rateLimit = {
  "RateLimit-Policy": header("Jobs that may be started, and within how many seconds."),
  RateLimit: header("How many are left, and the seconds until the next window."),
};

const authenticate = { "WWW-Authenticate": header("How to authenticate.") };
const limited = { ...retryAfter, ...rateLimit };
const problems = {
  400: ["The request is invalid.", '"domain" is missing.', {}],
  401: ["The key is missing, unknown, expired or revoked.", "This API key has been revoked.", authenticate],
  403: [
    "The key's scope or allowed addresses, or the organization's plan, do not allow it.",
    'This API key lacks the scope "write", which POST requests need.',
    {},
  ],
  404: ["There is no such job.", noSuchJob().message, {}],
  409: ["The job has not been completed.", "The job is running, so there is no bundle yet.", {}],
  413: ["The body is too large.", "The body is above 1048576 bytes, which is the most that is taken.", {}],
  415: ["The body is not JSON.", 'The body is JSON in UTF-8. Send the header "Content-Type: application/json".', {}],
  422: ["The Idempotency-Key was used for another request.", "This Idempotency-Key was used for another request.", {}],
  429: [
    "Too many jobs were started within the window.",
    "This organization may start 120 jobs within 60 seconds. Try again in 40 seconds.",
    limited,
  ],
  503: ["The service cannot reach its database or object store.", "The service cannot reach its database.", retryAfter],
} as const;

const failures = <S extends keyof typeof problems>(...statuses: readonly S[]) =>
  Object.fromEntries(
    statuses.map((status) => {
      const [description, error, headers] = problems[status];
      const problem = { type: "about:blank", title: STATUS_CODES[status], status, detail: error, error };
      const content = {
        "application/json": { schema: errorSchema, example: { error } },
        "application/problem+json": { schema: problemSchema, example: problem },
      };
      return [status, { description, headers, content }];
    }),
  ) as unknown as Record<S, { description: string; content: { "application/json": { schema: typeof errorSchema } } }>;

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().openapi({
    description: "1 to 255 visible ASCII characters. Requests with the same key have the effect of one, for 24 hours.",
    example: "2f1c4b5e-8f0a-4d53-9a67-0d9a3c1c9f10",
  }),
});

const jobs = "/v1/static-export/jobs";
const common = { tags: ["Static export"], security: [{ adminKey: [] }] };
const params = z.object({ jobId: jobIdSchema });
const location = { Location: header("Path of the job.") };
const entityTag = { ETag: header("Changes whenever the job does.") };

export const startJob = createRoute({
  ...common,
  method: "post",
  path: jobs,
  operationId: "startStaticExportJob",
  summary: "Start a static export job",
  description: "Queues the export of one site. Needs the scope `write` and the enterprise plan.",
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { "application/json": { schema: jobRequestSchema } } },
  },
  responses: {
    202: json("The job is queued.", jobSchema, queued, { ...location, ...retryAfter, ...rateLimit }),
    ...failures(400, 401, 403, 413, 415, 422, 429, 503),
  },
});

export const listJobs = createRoute({
  ...common,
  method: "get",
  path: jobs,
  operationId: "listStaticExportJobs",
  summary: "List static export jobs",
  description: "The organization's jobs, newest first. Jobs created while a client pages do not shift later pages.",
  request: { query: listQuerySchema },
  responses: {
    200: json("One page of jobs.", jobListSchema, { jobs: [running, completed], nextCursor: null }),
    ...failures(400, 401, 403, 503),
  },
});

export const getJob = createRoute({
  ...common,
  method: "get",
  path: `${jobs}/{jobId}`,
  operationId: "getStaticExportJob",
  summary: "Get static export job status",
  description:
    "Poll until `status` is `completed` or `failed`, as often as Retry-After says, or let the request wait for a change with `wait`.",
  request: { params, query: statusQuerySchema },
  responses: {
    200: json("The job.", jobSchema, running, { ...entityTag, ...retryAfter }),
    304: { description: "The job is as If-None-Match names it.", headers: { ...entityTag, ...retryAfter } },
    ...failures(400, 401, 403, 404, 503),
  },
});

export const cancelJob = createRoute({
  ...common,
  method: "delete",
  path: `${jobs}/{jobId}`,
  operationId: "cancelStaticExportJob",
  summary: "Cancel a static export job",
  description:
    "Ends a queued or running job as `failed`. A finished job does not change, so cancelling twice is harmless.",
  request: { params },
  responses: { 200: json("The job as it is now.", jobSchema, cancelled), ...failures(401, 403, 404, 503) },
});

export const makeBundle = createRoute({
  ...common,
  method: "post",
  path: `${jobs}/{jobId}/bundle`,
  operationId: "generateStaticExportBundle",
  summary: "Generate an export bundle link",
  description:
    "Returns a link to the archive of a completed job. The link expires, the archive stays: ask again for a new link to the same bytes. A request body is ignored.",
  request: { params, headers: idempotencyHeader },
  responses: { 200: json("A link to the bundle.", bundleSchema, bundle), ...failures(400, 401, 403, 404, 409, 503) },
});

const operations = { tags: ["Operations"], security: [] };

export const health = createRoute({
  ...operations,
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  summary: "Check the health of the service",
  description:
    "200 as long as the process answers; `degraded` when no worker is alive, or the database does not answer.",
  responses: { 200: json("The health of the service.", healthSchema, { status: "ok", problems: [] }) },
});

export const readiness = createRoute({
  ...operations,
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  summary: "Check whether the service can take requests",
  description: "503 while the database or the object store cannot be reached.",
  responses: {
    200: json("The service can take requests.", readySchema, { status: "ready", problems: [] }),
    503: json("The service cannot take requests.", unreadySchema, {
      status: "unready",
      problems: ["The database does not answer."],
      error: "The database does not answer.",
    }),
  },
});

/** The webhook of a finished job. */
export const jobEnded: Parameters<OpenAPIHono["openAPIRegistry"]["registerWebhook"]>[0] = {
  method: "post",
  path: "static_export.ended",
  operationId: "staticExportEnded",
  tags: ["Static export"],
  summary: "A static export job has ended",
  description:
    "Sent to the `webhookUrl` of a job once it is completed or failed, and again with increasing delays until the receiver answers with a 2xx status. Signed as the Standard Webhooks specification says, with the secret that `offprint site secret` shows: verify the signature, and ignore a `webhook-id` that you have already received.",
  request: {
    headers: z.object({
      "webhook-id": z.string().openapi({ description: "The same in every attempt.", example: "evt_3f9a2c1b8e7d4a06" }),
      "webhook-timestamp": z.string().openapi({ description: "Seconds since 1970.", example: "1780293600" }),
      "webhook-signature": z.string().openapi({
        description: "`v1,` and base64 of the HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`.",
        example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
      }),
    }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: jobEndedSchema,
          example: { type: "static_export.completed", timestamp: ended.finishedAt, data: completed },
        },
      },
    },
  },
  responses: { 204: { description: "The message was received. Any 2xx status is accepted." } },
};
