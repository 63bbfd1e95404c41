import { STATUS_CODES } from "node:http";
import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import texts from "./operations.json" with { type: "json" };
import { errorSchema, problemSchema } from "./schemas.js";

export type ResponseHeaders = Record<string, { description: string; schema: { type: "string" | "integer" } }>;
export const responseHeaders = texts.headers as unknown as Record<keyof typeof texts.headers, ResponseHeaders>;
const { retryAfter, rateLimit, authenticate, allow } = responseHeaders;
const problemHeaders: Readonly<Record<number, ResponseHeaders>> = {
  401: authenticate,
  405: allow,
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

export const jsonBody = <S extends z.ZodType>(schema: S, example?: unknown) => ({
  required: true,
  content: { "application/json": example === undefined ? { schema } : { schema, example } },
});

export const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().openapi(texts.requestHeaders.idempotencyKey),
});

type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 501 | 503;
/** Failures of routes that need a key. */
export const keyFailures = [401, 403, 429, 503] as const satisfies readonly FailureStatus[];
/** Failures that any route can have; 405 is of another method on its path. */
const shared = { 405: "MethodNotAllowed", 500: "InternalError" } as const;
export const sharedResponses = Object.fromEntries(
  Object.entries(shared).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
);
type Problems = Readonly<Record<FailureStatus, { readonly description: string; readonly error: string }>>;
type Responses = RouteConfig["responses"];

interface Area<T> {
  readonly tag: string;
  /** Undefined if the routes need no key. */
  readonly scheme: "adminKey" | "assistantKey" | "operatorToken" | undefined;
  /** Summaries and descriptions by the names of the routes, and operation ids that differ from these names. */
  readonly operations: T;
  /** Failures that every route of the area has. */
  readonly failures: readonly FailureStatus[];
  /** Texts of failures that differ from the usual ones. */
  readonly problems?: Partial<Problems>;
  /** Further responses of all routes. */
  readonly responses?: Responses;
  /** Descriptions of parameters in paths, by their names, or all that the specification says of them. */
  readonly parameters?: Readonly<Record<string, string | object>>;
}

type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type RequestPart = Exclude<Extract<keyof NonNullable<RouteConfig["request"]>, string>, "params">;
/** Parts of the request, the responses by their statuses, and the statuses of further failures. */
type RouteParts = { readonly [part in RequestPart]?: NonNullable<RouteConfig["request"]>[part] } & {
  readonly failures?: readonly FailureStatus[];
} & Responses;

/** Declares routes. Parameters in the path may fail with 404, a query with 400, a body also with 413 and 415. */
export function routesOf<const T extends Readonly<Record<string, object>>>(area: Area<T>) {
  const problems: Problems = { ...texts.problems, ...area.problems };
  return <N extends keyof T, const M extends RouteConfig["method"], const P extends string, R extends RouteParts>(
    name: N,
    method: M,
    path: P,
    parts: R,
  ) => {
    const { query, headers, body, cookies, failures = [], ...responses } = parts as RouteParts;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
    const params = names.map((parameter) => {
      const described = area.parameters?.[parameter];
      const texts = typeof described === "string" ? { description: described } : described;
      return [parameter, z.string().openapi({ param: { name: parameter, in: "path" }, ...texts })];
    });
    const ofPath: FailureStatus[] = names.length > 0 ? [404] : [];
    const ofInput: FailureStatus[] = body ? [400, 413, 415] : query ? [400] : [];
    const config = {
      method,
      path,
      tags: [area.tag],
      security: area.scheme === undefined ? [] : [{ [area.scheme]: [] }],
      operationId: name as string,
      ...area.operations[name],
      request: {
        params: names.length > 0 ? z.object(Object.fromEntries(params)) : undefined,
        query,
        headers,
        body,
        cookies,
      },
      responses: {
        ...failureResponses(problems, [...area.failures, ...ofPath, ...ofInput, ...failures]),
        ...sharedResponses,
        ...area.responses,
        ...responses,
      },
    };
    return createRoute(
      config as unknown as {
        readonly method: M;
        readonly path: P;
        readonly request: Pick<R, Extract<keyof R, RequestPart>> & {
          readonly params: z.ZodObject<Record<PathParameter<P>, z.ZodString>>;
        };
        readonly responses: Omit<R, RequestPart | "failures">;
      },
    );
  };
}

const failureResponses = (problems: Problems, statuses: readonly FailureStatus[]) =>
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
  );

/** The responses that all routes refer to, by their names in the document. */
export const sharedFailures = Object.entries(shared).map(([written, name]) => {
  const status = Number(written) as FailureStatus;
  const { description, headers, content } = failureResponses(texts.problems, [status])[status]!;
  const plain = {
    "application/json": { ...content["application/json"], schema: { $ref: "#/components/schemas/Error" } },
    "application/problem+json": {
      ...content["application/problem+json"],
      schema: { $ref: "#/components/schemas/Problem" },
    },
  };
  return [name, { description, headers, content: plain }] as const;
});
