import { STATUS_CODES } from "node:http";

/** What ends a request early: the status, and a message for whoever sent it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `{error}`, or the same within RFC 9457 for clients that ask for `application/problem+json`. */
export function errorResponse(error: ApiError, accept: string | undefined): Response {
  const problem = wantsProblem(accept);
  const body = problem
    ? {
        type: "about:blank",
        title: STATUS_CODES[error.status],
        status: error.status,
        detail: error.message,
        error: error.message,
      }
    : { error: error.message };
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: {
      ...error.headers,
      "Content-Type": problem ? "application/problem+json" : "application/json",
      Vary: "Accept",
    },
  });
}

const wantsProblem = (accept: string | undefined): boolean =>
  (accept ?? "").split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "application/problem+json" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** The same for every job that the caller may not see, so that nobody learns which ids exist. */
export const noSuchJob = (): ApiError =>
  new ApiError(404, "There is no such job. Check the jobId: POST /v1/static-export/jobs gives it.");

/**
 * The same object; what its calls throw becomes a 503 that keeps the cause, because the surroundings have failed
 * and the client may try again.
 */
export function asUnavailable<T extends object>(part: T, name: string): T {
  return new Proxy(part, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        try {
          return await member.apply(target, args);
        } catch (cause) {
          const message = `The service cannot reach its ${name} at the moment. Try again in a few seconds.`;
          throw new ApiError(503, message, { "Retry-After": "5" }, { cause });
        }
      };
    },
  });
}
