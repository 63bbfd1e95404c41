import { z } from "@hono/zod-openapi";
import { isUlid } from "../../assistant/index.js";
import { named, namedLoose } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields, faults } = texts;
export const maxMessages = 100;
const maxMessage = 8_000;
const maxContext = 20;

const optionalText = (description: string, max: number, error: string) =>
  z.string().max(max, { error }).nullish().openapi({ description });

const groupsSchema = z
  .array(z.string().max(200, { error: faults.groups }), { error: faults.groups })
  .max(100, { error: faults.groups })
  .nullish()
  .openapi({ description: fields.groups, example: ["staff"] });
const filterSchema = z
  .looseObject({
    version: z.string().nullish().openapi({ description: fields.version }),
    language: z.string().nullish().openapi({ description: fields.language }),
    tag: z
      .unknown()
      .refine((tag) => tag === undefined || tag === null, { error: faults.tag })
      .optional()
      .openapi({ type: "null", description: fields.tag }),
    groups: groupsSchema,
  })
  .nullish()
  .openapi({ description: fields.filter });

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const roles = ["user", "assistant", "system", "data"] as const;
const messageSchema = namedLoose("AssistantMessage", {
  role: z.enum(roles, { error: faults.role }).openapi({ description: fields.role }),
  content: z.string().nullish(),
  parts: z.array(partSchema).nullish(),
});

const contextSchema = z.looseObject({
  type: z.enum(["code", "textSelection"], { error: faults.contextType }).nullish(),
  value: z.string().max(maxMessage, { error: faults.contextLength }),
  path: z.string().max(1024, { error: faults.contextPath }).nullish(),
  elementId: z.string().nullish(),
});

const threadIdSchema = z.string().refine(isUlid, { error: faults.threadId }).toUpperCase();

/** Unknown keys are ignored: the chat libraries send their own. */
export const assistantRequestSchema = namedLoose("AssistantMessageRequest", {
  fp: z
    .string()
    .min(1, { error: faults.fp })
    .max(500, { error: faults.fp })
    .openapi({ description: fields.fp, example: "anonymous" }),
  messages: z.array(messageSchema).min(1, { error: faults.noMessages }).openapi({ description: fields.messages }),
  threadId: threadIdSchema.nullish().openapi({ description: fields.threadId }),
  retrievalPageSize: z
    .number()
    .min(1, { error: faults.retrievalPageSize })
    .optional()
    .openapi({ description: fields.retrievalPageSize, example: 5 }),
  filter: filterSchema,
  context: z
    .array(contextSchema)
    .max(maxContext, { error: faults.context })
    .nullish()
    .openapi({ description: fields.context }),
  currentPath: optionalText(fields.currentPath, 200, faults.currentPath),
});
export type AssistantRequest = z.infer<typeof assistantRequestSchema>;
export const longestMessage = maxMessage;

export const searchRequestSchema = namedLoose("SearchRequest", {
  query: z.string().trim().min(1, { error: faults.query }).max(1000, { error: faults.queryLength }),
  pageSize: z
    .int({ error: faults.pageSize })
    .min(1, { error: faults.pageSize })
    .max(50, { error: faults.pageSize })
    .optional()
    .openapi({ description: fields.pageSize }),
  scoreThreshold: z
    .number()
    .min(0, { error: faults.scoreThreshold })
    .max(1, { error: faults.scoreThreshold })
    .optional()
    .openapi({ description: fields.scoreThreshold }),
  filter: filterSchema,
});
export const searchResultSchema = z
  .array(
    z.object({
      content: z.string().openapi({ description: fields.content }),
      path: z.string().openapi({ description: fields.resultPath, example: "guides/install#requirements" }),
      metadata: z.object({
        title: z.string(),
        heading: z.string().optional(),
        url: z.string(),
        score: z.number().openapi({ description: fields.score }),
      }),
    }),
  )
  .openapi("SearchResults");

export const pageRequestSchema = namedLoose("PageRequest", {
  path: z.string().max(1024, { error: faults.path }).openapi({ description: fields.path }),
  groups: groupsSchema,
});
export const pageSchema = named("PageContent", {
  path: z.string(),
  content: z.string().openapi({ description: fields.markdown }),
});
export const noPageSchema = named("PageNotFound", { message: z.string(), error: z.string() });

export const mcpMessageSchema = namedLoose("McpMessage", {
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
});

export const feedbackSchema = namedLoose("AssistantFeedback", {
  threadId: threadIdSchema,
  messageId: z.string().max(100).openapi({ description: fields.messageId }),
  helpful: z.boolean(),
  comment: optionalText(fields.comment, 2000, faults.comment),
});
export type Feedback = z.infer<typeof feedbackSchema>;
