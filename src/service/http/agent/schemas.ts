import { z } from "@hono/zod-openapi";
import { agentLimits } from "../../agent/index.js";
import { isRef } from "../../git/checkout/index.js";
import { dateTime, named, namedStrict, nextCursor, pageQuerySchema, wholeNumber } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields, parameters } = texts;
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

export const agentJobListSchema = named("AgentJobList", {
  jobs: z.array(agentJobSchema).openapi(fields.jobs),
  nextCursor,
});

const prompt = z
  .string()
  .min(1, { error: '"prompt" is empty. Say what the agent should do.' })
  .max(agentLimits.promptLength, { error: `"prompt" has more than ${agentLimits.promptLength} characters.` })
  .refine((text) => text.trim() !== "" || text === "", { error: '"prompt" is blank. Say what the agent should do.' })
  .openapi(fields.prompt);

export const agentRequestSchema = namedStrict("AgentJobRequest", {
  prompt,
  asDraft: z.boolean().optional().openapi(fields.asDraft),
  mode: z.enum(["model", "repair"], { error: '"mode" must be model or repair.' }).optional().openapi(fields.mode),
});
/** A request of either version. */
export type AgentRequest = z.infer<typeof agentRequestSchema> & Pick<z.infer<typeof agentRequestV1Schema>, "branch">;

export const agentMessageSchema = namedStrict("AgentMessageRequest", { prompt });

export const agentListQuerySchema = pageQuerySchema.extend({
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
export const agentSessionsSchema = named("AgentSessions", { allSessions: z.array(agentSessionSchema) });

export const agentListV1QuerySchema = z.object({
  skip: wholeNumber("skip", 0, 999_999, "Jobs to skip; 0 if left out."),
  take: wholeNumber("take", 1, 100, "Jobs to return; 12 if left out."),
});
