import { z } from "@hono/zod-openapi";
import { agentLimits } from "../../agent/index.js";
import { dateTime, nextCursor, pageQuerySchema } from "../schemas.js";

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
  .min(1, { error: '"prompt" is empty. Say what the agent is to do.' })
  .max(agentLimits.promptLength, { error: `"prompt" has more than ${agentLimits.promptLength} characters.` })
  .refine((text) => text.trim() !== "" || text === "", { error: '"prompt" is blank. Say what the agent is to do.' })
  .openapi({ description: "What the agent is to do.", example: "Repair the faults that offprint check reports." });

export const agentRequestSchema = z
  .strictObject({
    prompt,
    asDraft: z.boolean().optional().openapi({ description: "Whether the pull request is a draft. Left out: false." }),
    mode: z.enum(["model", "repair"], { error: '"mode" is model or repair.' }).optional().openapi({
      description:
        "`model` carries out the prompt; `repair` repairs faults without a model, and carries out no prompt. Left out: `model`; 409 if the service has none.",
    }),
  })
  .openapi("AgentJobRequest");

export const agentMessageSchema = z.strictObject({ prompt }).openapi("AgentMessageRequest");

export const agentListQuerySchema = pageQuerySchema.extend({
  status: z.enum(statuses, { error: `"status" is one of ${statuses.join(", ")}.` }).optional(),
});
