import { z } from "@hono/zod-openapi";
import { isUlid } from "../../assistant/index.js";
import { json, jsonBody, keyFailures, type ResponseHeaders, responseHeaders, routesOf } from "../route-parts.js";
import { errorSchema, named, namedLoose } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields, examples, failures: problems, faults } = texts;

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
const searchResultSchema = z
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

const pageRequestSchema = namedLoose("PageRequest", {
  path: z.string().max(1024, { error: faults.path }).openapi({ description: fields.path }),
  groups: groupsSchema,
});
const pageSchema = named("PageContent", {
  path: z.string(),
  content: z.string().openapi({ description: fields.markdown }),
});
const noPageSchema = named("PageNotFound", { message: z.string(), error: z.string() });

const mcpMessageSchema = namedLoose("McpMessage", {
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

const { feedback: ratingTexts, feedbackV2: ratingTextsV2 } = texts.operations;
const operations = { ...texts.operations, feedbackV2: { ...ratingTexts, ...ratingTextsV2 } };
const area = {
  tag: "Assistant",
  operations,
  problems,
  parameters: { domain: fields.domain },
  failures: keyFailures,
} as const;
const route = routesOf({ ...area, scheme: "assistantKey" });
const messageBody = jsonBody(assistantRequestSchema, examples.request);
const { rateLimit } = responseHeaders;
const stream = (type: string, example: string, headers: ResponseHeaders = {}) => ({
  description: "The answer as a stream.",
  headers: {
    ...rateLimit,
    ...headers,
    "X-Thread-Id": { description: "Id of the thread.", schema: { type: "string" as const } },
    "X-Thread-Key": { description: "Key of a new thread.", schema: { type: "string" as const } },
  },
  content: { [type]: { schema: z.string(), example } },
});

const deprecatedHeaders = texts.deprecatedHeaders as unknown as ResponseHeaders;

export const messageV1 = route("messageV1", "post", "/discovery/v1/assistant/{domain}/message", {
  body: messageBody,
  200: stream("text/plain", examples.v1, deprecatedHeaders),
});

export const messageV2 = route("messageV2", "post", "/discovery/v2/assistant/{domain}/message", {
  body: messageBody,
  200: stream("text/event-stream", examples.v2),
});

export const search = route("search", "post", "/discovery/v1/search/{domain}", {
  body: jsonBody(searchRequestSchema),
  200: json("The sections, best first.", searchResultSchema, undefined, rateLimit),
});

export const page = route("page", "post", "/discovery/v1/page/{domain}", {
  body: jsonBody(pageRequestSchema),
  200: json("The page.", pageSchema, undefined, rateLimit),
  404: json("There is no such page, or no such site.", z.union([noPageSchema, errorSchema])),
});

export const mcp = route("mcp", "post", "/mcp/{domain}", {
  query: z.object({ key: z.string().optional().openapi({ description: fields.key }) }),
  body: jsonBody(mcpMessageSchema, examples.mcp),
  200: json("The answer.", z.union([mcpMessageSchema, z.array(mcpMessageSchema)]), examples.mcpAnswer),
  202: { description: "The message needs no answer." },
});

const ratingParts = {
  body: jsonBody(feedbackSchema),
  204: { description: "The rating was stored.", headers: rateLimit },
} as const;
export const feedback = route("feedback", "post", "/discovery/v1/assistant/{domain}/feedback", {
  ...ratingParts,
  204: { ...ratingParts[204], headers: { ...rateLimit, ...deprecatedHeaders } },
});
export const feedbackV2 = route("feedbackV2", "post", "/discovery/v2/assistant/{domain}/feedback", ratingParts);

export const deleteThread = routesOf({ ...area, scheme: "adminKey" })(
  "deleteThread",
  "delete",
  "/discovery/v1/assistant/{domain}/threads/{threadId}",
  { 204: { description: "The thread was deleted." } },
);
