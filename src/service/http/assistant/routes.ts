import { z } from "@hono/zod-openapi";
import { json, jsonBody, keyFailures, type ResponseHeaders, responseHeaders, routesOf } from "../route-parts.js";
import { errorSchema } from "../schemas.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields, examples, failures: problems } = texts;
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
const messageBody = jsonBody(schemas.assistantRequestSchema, examples.request);
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
  body: jsonBody(schemas.searchRequestSchema),
  200: json("The sections, best first.", schemas.searchResultSchema, undefined, rateLimit),
});

export const page = route("page", "post", "/discovery/v1/page/{domain}", {
  body: jsonBody(schemas.pageRequestSchema),
  200: json("The page.", schemas.pageSchema, undefined, rateLimit),
  404: json("There is no such page, or no such site.", z.union([schemas.noPageSchema, errorSchema])),
});

export const mcp = route("mcp", "post", "/mcp/{domain}", {
  query: z.object({ key: z.string().optional().openapi({ description: fields.key }) }),
  body: jsonBody(schemas.mcpMessageSchema, examples.mcp),
  200: json("The answer.", z.union([schemas.mcpMessageSchema, z.array(schemas.mcpMessageSchema)]), examples.mcpAnswer),
  202: { description: "The message needs no answer." },
});

const ratingParts = {
  body: jsonBody(schemas.feedbackSchema),
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
