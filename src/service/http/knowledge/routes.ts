import { z } from "@hono/zod-openapi";
import { json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { named, namedStrict } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, fields, faults } = texts;
const route = routesOf({ tag: "Knowledge", scheme: "adminKey", operations, failures: keyFailures });
const root = "/api/universal-search/v1";
const maxItems = 20;

const query = z
  .string({ error: faults.query })
  .trim()
  .min(1, { error: faults.query })
  .max(1000, { error: faults.query });
const domains = z
  .array(z.string({ error: faults.domains }).min(1, { error: faults.domains }), { error: faults.domains })
  .min(1, { error: faults.domains })
  .max(100, { error: faults.domains })
  .optional();
const filter = {
  includeDomains: domains.openapi({ description: fields.includeDomains }),
  excludeDomains: domains.openapi({ description: fields.excludeDomains }),
};
const integer = (error: string, maximum: number) => z.int({ error }).min(1, { error }).max(maximum, { error });
const maxCharacters = integer(faults.maxCharacters, 2 ** 31);

export const searchRequestSchema = namedStrict("KnowledgeSearchRequest", {
  query: query.openapi({ description: fields.query }),
  numResults: integer(faults.numResults, maxItems).openapi({ description: fields.numResults }),
  text: z
    .union([z.boolean(), z.strictObject({ maxCharacters })], { error: faults.text })
    .default(false)
    .openapi({ description: fields.text }),
  ...filter,
});

const resultSchema = named("KnowledgeResult", {
  id: z.string().openapi({ description: fields.id, example: "docs:/guides/install#requirements" }),
  url: z.string().openapi({ format: "uri" }),
  title: z.string(),
  text: z.string(),
  truncated: z.boolean(),
  totalCharacters: z.int().min(0),
  score: z.number().openapi({ description: fields.score }),
  source: z.literal("mintlify").openapi({ description: fields.source }),
  siteName: z.string().openapi({ description: fields.siteName }),
  breadcrumbs: z.array(z.string()).openapi({ description: fields.breadcrumbs }),
  publishedDate: z.string().nullable().openapi({ description: fields.publishedDate }),
});
export type KnowledgeResult = z.infer<typeof resultSchema>;
const requestId = z.string();

export const contentsRequestSchema = z
  .strictObject({
    ids: z.array(z.string().min(1).max(2000)).min(1, { error: faults.items }).optional(),
    urls: z
      .array(z.string().max(2000))
      .min(1, { error: faults.items })
      .optional()
      .openapi({ description: fields.urls }),
    maxCharacters: maxCharacters.optional().openapi({ description: fields.maxCharacters }),
    query: query.optional().openapi({ description: fields.contentsQuery }),
  })
  .superRefine(({ ids = [], urls = [] }, context) => {
    const count = ids.length + urls.length;
    if (count === 0 || count > maxItems) context.addIssue({ code: "custom", message: faults.items });
  })
  .openapi("KnowledgeContentsRequest");

const failed = z.object({
  tag: z.string().openapi({ description: fields.tag }),
  httpStatusCode: z.int().nullable(),
});
const statusSchema = z.object({ id: z.string(), status: z.enum(["success", "error"]), error: failed.optional() });

export const contextRequestSchema = namedStrict("KnowledgeContextRequest", {
  query: query.openapi({ description: fields.query }),
  product: query.optional().openapi({ description: fields.product }),
  format: z.enum(["txt", "json"], { error: faults.format }).openapi({ description: fields.format }),
  tokenBudget: integer(faults.tokenBudget, 6000).default(3000).openapi({ description: fields.tokenBudget }),
  ...filter,
});

const answer = <S extends z.ZodType>(schema: S) => json("The answer.", schema, undefined, responseHeaders.rateLimit);

export const search = route("search", "post", `${root}/search`, {
  body: jsonBody(searchRequestSchema),
  200: answer(named("KnowledgeResults", { requestId, results: z.array(resultSchema) })),
});

export const contents = route("contents", "post", `${root}/contents`, {
  body: jsonBody(contentsRequestSchema),
  200: answer(
    named("KnowledgeContents", { requestId, results: z.array(resultSchema), statuses: z.array(statusSchema) }),
  ),
});

export const context = route("context", "post", `${root}/context`, {
  body: jsonBody(contextRequestSchema),
  200: answer(
    named("KnowledgeContext", {
      requestId,
      query: z.string(),
      response: z.string(),
      resultsCount: z.int().min(0),
      outputTokens: z.int().min(0),
    }),
  ),
});
