import { z } from "@hono/zod-openapi";
import { agentLimits } from "../../agent/index.js";
import { isRef } from "../../git/checkout/index.js";
import { dateTime, nextCursor, pageQuerySchema, wholeNumber } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const statuses = ["active", "completed", "archived", "failed"] as const;

export const agentJobSchema = z
  .object({
    id: z.string().openapi({ example: "aj_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06" }),
    status: z.enum(statuses).openapi({ description: "A cancelled job is `failed`; its events say so." }),
    source: z.object({
      repository: z
        .string()
        .openapi({ description: "Address of the repository.", example: "https://git.example.com/acme/docs" }),
      ref: z.string().nullable().openapi({ description: "The agent's branch; null until it is pushed." }),
    }),
    model: z.string().openapi({ description: "`offprint/repair` if no model is used.", example: "offprint/repair" }),
    prLink: z.string().nullable().openapi({ format: "uri", description: "Address of the pull request." }),
    createdAt: dateTime("When the job was created."),
    archivedAt: dateTime("When the job was archived.").nullable(),
  })
  .openapi("AgentJob");

export const agentJobListSchema = z
  .object({
    jobs: z.array(agentJobSchema).openapi({ description: "Newest first." }),
    nextCursor,
  })
  .openapi("AgentJobList");

const prompt = z
  .string()
  .min(1, { error: '"prompt" is empty. Say what the agent should do.' })
  .max(agentLimits.promptLength, { error: `"prompt" has more than ${agentLimits.promptLength} characters.` })
  .refine((text) => text.trim() !== "" || text === "", { error: '"prompt" is blank. Say what the agent should do.' })
  .openapi({ description: "What the agent is to do.", example: "Repair the faults that offprint check reports." });

export const agentRequestSchema = z
  .strictObject({
    prompt,
    asDraft: z.boolean().optional().openapi({ description: "Whether the pull request is a draft. Left out: false." }),
    mode: z.enum(["model", "repair"], { error: '"mode" must be model or repair.' }).optional().openapi({
      description:
        "`model` carries out the prompt; `repair` repairs faults without a model, and carries out no prompt. Left out: `model`; 409 if the service has none.",
    }),
  })
  .openapi("AgentJobRequest");
/** A request of either version. */
export type AgentRequest = z.infer<typeof agentRequestSchema> & Pick<z.infer<typeof agentRequestV1Schema>, "branch">;

export const agentMessageSchema = z.strictObject({ prompt }).openapi("AgentMessageRequest");

export const agentListQuerySchema = pageQuerySchema.extend({
  status: z.enum(statuses, { error: `"status" must be one of ${statuses.join(", ")}.` }).optional(),
});

export const agentRequestV1Schema = z
  .strictObject({
    messages: z
      .array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() }))
      .min(1, { error: '"messages" is empty. Send one with the role user that says what the agent should do.' })
      .max(100, { error: '"messages" has more than 100 entries.' })
      .openapi({ description: texts.parameters.messages }),
    branch: z
      .string()
      .refine(isRef, { error: '"branch" must be a valid name of a git branch.' })
      .optional()
      .openapi({ description: texts.parameters.branch }),
    asDraft: z.boolean().optional().openapi({ description: "Whether the pull request is a draft. Left out: false." }),
    model: z.enum(["sonnet", "opus"], { error: '"model" must be sonnet or opus.' }).optional().openapi({
      description: texts.parameters.model,
    }),
  })
  .openapi("AgentJobRequestV1");

export const agentSessionSchema = z
  .object({
    sessionId: z.string().openapi({ description: "Id of the job.", example: "aj_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06" }),
    subdomain: z.string().openapi({ description: "The project's identifier." }),
    branch: z.string().nullable().openapi({ description: "The agent's branch; null until it is pushed." }),
    haulted: z.boolean().openapi({ description: "Whether the job has ended." }),
    haultReason: z
      .enum(["completed", "github_missconfigured", "error", "processing", "interrupted"])
      .openapi({ description: "`processing` while it is active; `interrupted` if it was cancelled or archived." }),
    pullRequestLink: z.string().optional().openapi({ description: "Address of the pull request." }),
    messageToUser: z.string().openapi({ description: "What the model says at the end, or why the job failed." }),
    todos: z
      .array(z.object({ content: z.string() }))
      .openapi({ description: "Always empty: the agent keeps no list." }),
    title: z.string().openapi({ description: "The first line of the prompt." }),
    createdAt: dateTime("When the job was created."),
  })
  .openapi("AgentSession");
export const agentSessionsSchema = z.object({ allSessions: z.array(agentSessionSchema) }).openapi("AgentSessions");

export const agentListV1QuerySchema = z.object({
  skip: wholeNumber("skip", 0, 999_999, "Jobs to skip; 0 if left out."),
  take: wholeNumber("take", 1, 100, "Jobs to return; 12 if left out."),
});
