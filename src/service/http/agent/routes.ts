import { z } from "@hono/zod-openapi";
import { agentLimits } from "../../agent/index.js";
import { isRef } from "../../git/checkout/index.js";
import { idempotencyHeader, json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { dateTime, named, namedStrict, nextCursor, pageQuerySchema, wholeNumber } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, parameters, examples, problems, fields } = texts;

const statuses = ["active", "completed", "archived", "failed"] as const;

export const agentJobSchema = named("AgentJob", {
  id: z.string().openapi(fields.id),
  status: z.enum(statuses).openapi(fields.status),
  source: z.object({
    repository: z.string().openapi(fields.repository),
    ref: z.string().nullable().openapi(fields.ref),
  }),
  model: z.string().openapi(fields.model),
  prLink: z.string().nullable().openapi(fields.prLink),
  createdAt: dateTime("When the job was created."),
  archivedAt: dateTime("When the job was archived.").nullable(),
});

const agentJobListSchema = named("AgentJobList", {
  jobs: z.array(agentJobSchema).openapi(fields.jobs),
  nextCursor,
});

const prompt = z
  .string()
  .min(1, { error: '"prompt" is empty. Say what the agent should do.' })
  .max(agentLimits.promptLength, { error: `"prompt" has more than ${agentLimits.promptLength} characters.` })
  .refine((text) => text.trim() !== "" || text === "", { error: '"prompt" is blank. Say what the agent should do.' })
  .openapi(fields.prompt);

const agentRequestSchema = namedStrict("AgentJobRequest", {
  prompt,
  asDraft: z.boolean().optional().openapi(fields.asDraft),
  mode: z.enum(["model", "repair"], { error: '"mode" must be model or repair.' }).optional().openapi(fields.mode),
});
/** A request of either version. */
export type AgentRequest = z.infer<typeof agentRequestSchema> & Pick<z.infer<typeof agentRequestV1Schema>, "branch">;

const agentMessageSchema = namedStrict("AgentMessageRequest", { prompt });

const agentListQuerySchema = pageQuerySchema.extend({
  status: z.enum(statuses, { error: `"status" must be one of ${statuses.join(", ")}.` }).optional(),
});

export const agentRequestV1Schema = namedStrict("AgentJobRequestV1", {
  messages: z
    .array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() }))
    .min(1, { error: '"messages" is empty. Send one with the role user that says what the agent should do.' })
    .max(100, { error: '"messages" has more than 100 entries.' })
    .openapi({ description: parameters.messages }),
  branch: z
    .string()
    .refine(isRef, { error: '"branch" must be a valid name of a git branch.' })
    .optional()
    .openapi({ description: parameters.branch }),
  asDraft: z.boolean().optional().openapi(fields.asDraft),
  model: z
    .enum(["sonnet", "opus"], { error: '"model" must be sonnet or opus.' })
    .optional()
    .openapi({ description: parameters.model }),
});

export const agentSessionSchema = named("AgentSession", {
  sessionId: z.string().openapi(fields.sessionId),
  subdomain: z.string().openapi(fields.subdomain),
  branch: z.string().nullable().openapi(fields.ref),
  haulted: z.boolean().openapi(fields.haulted),
  haultReason: z
    .enum(["completed", "github_missconfigured", "error", "processing", "interrupted"])
    .openapi(fields.haultReason),
  pullRequestLink: z.string().optional().openapi(fields.pullRequestLink),
  messageToUser: z.string().openapi(fields.messageToUser),
  todos: z.array(z.object({ content: z.string() })).openapi(fields.todos),
  title: z.string().openapi(fields.title),
  createdAt: dateTime("When the job was created."),
});
const agentSessionsSchema = named("AgentSessions", { allSessions: z.array(agentSessionSchema) });

const agentListV1QuerySchema = z.object({
  skip: wholeNumber("skip", 0, 999_999, "Jobs to skip; 0 if left out."),
  take: wholeNumber("take", 1, 100, "Jobs to return; 12 if left out."),
});

const { replayed, retryAfter, location, rateLimit } = responseHeaders;
const root = "/v2/agent/{projectId}";
const area = { tag: "Agent jobs", scheme: "adminKey", operations, problems, parameters } as const;
const route = routesOf({ ...area, failures: keyFailures });

const job = (description: string, example: unknown = examples.completed, headers = {}) =>
  json(description, agentJobSchema, example, headers);

export const getAgentJob = route("getAgentJob", "get", `${root}/job/{id}`, {
  200: job("The job.", examples.completed, retryAfter),
});

export const createAgentJob = route("createAgentJob", "post", `${root}/job`, {
  headers: idempotencyHeader,
  body: jsonBody(agentRequestSchema),
  201: job("The job is created.", examples.active, { ...location, ...retryAfter, ...replayed, ...rateLimit }),
  failures: [409, 422],
});

export const addAgentMessage = route("addAgentMessage", "post", `${root}/job/{id}/message`, {
  headers: idempotencyHeader,
  body: jsonBody(agentMessageSchema),
  200: job("The job, which is active again.", examples.active, { ...retryAfter, ...replayed, ...rateLimit }),
  failures: [409, 422],
});

export const listAgentJobs = route("listAgentJobs", "get", `${root}/jobs`, {
  query: agentListQuerySchema,
  200: json("One page of jobs.", agentJobListSchema, { jobs: [examples.completed], nextCursor: null }),
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
  body: jsonBody(agentRequestV1Schema),
  200: {
    description: "The events of the job.",
    headers: responseHeaders.session,
    content: { "text/event-stream": { schema: z.string() } },
  },
  failures: [409, 422],
});

export const getAgentJobV1 = route("getAgentJobV1", "get", `${rootV1}/job/{id}`, {
  200: json("The job.", agentSessionSchema, undefined, retryAfter),
});

export const listAgentJobsV1 = route("listAgentJobsV1", "get", `${rootV1}/jobs`, {
  query: agentListV1QuerySchema,
  200: json("The jobs.", agentSessionsSchema),
});

export const streamAgentEvents = route("streamAgentEvents", "get", `${root}/job/{id}/events`, {
  headers: z.object({ "Last-Event-ID": z.string().optional().openapi({ description: parameters.lastEventId }) }),
  200: { description: "The events.", content: { "text/event-stream": { schema: z.string() } } },
});
