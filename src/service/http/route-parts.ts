import { STATUS_CODES } from "node:http";
import type { z } from "@hono/zod-openapi";
import texts from "./operations.json" with { type: "json" };
import { errorSchema, problemSchema } from "./schemas.js";

export type ResponseHeaders = Record<string, { description: string; schema: { type: "string" | "integer" } }>;
export const responseHeaders = texts.headers as unknown as Record<keyof typeof texts.headers, ResponseHeaders>;
const { retryAfter, rateLimit, authenticate } = responseHeaders;
const problemHeaders: Readonly<Record<number, ResponseHeaders>> = {
  401: authenticate,
  429: { ...retryAfter, ...rateLimit },
  503: retryAfter,
};

/** A response with a JSON body. */
export const json = <S extends z.ZodType>(
  description: string,
  schema: S,
  example?: unknown,
  headers: ResponseHeaders = {},
) => ({
  description,
  headers,
  content: { "application/json": example === undefined ? { schema } : { schema, example } },
});

type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503;
type Problems = Readonly<Record<FailureStatus, { readonly description: string; readonly error: string }>>;

/** The responses with these statuses. */
export const failures = <S extends FailureStatus>(...statuses: readonly S[]) => failuresOf(texts.problems, statuses);

/** The responses with these statuses and texts. */
export const failuresOf = <S extends FailureStatus>(problems: Problems, statuses: readonly S[]) =>
  Object.fromEntries(
    statuses.map((status) => {
      const { description, error } = problems[status];
      const problem = { type: "about:blank", title: STATUS_CODES[status], status, detail: error, error };
      const content = {
        "application/json": { schema: errorSchema, example: { error } },
        "application/problem+json": { schema: problemSchema, example: problem },
      };
      return [status, { description, headers: problemHeaders[status] ?? {}, content }];
    }),
  ) as unknown as Record<S, { description: string; content: { "application/json": { schema: typeof errorSchema } } }>;
