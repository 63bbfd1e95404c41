import { STATUS_CODES } from "node:http";
import { CredentialFault } from "../git/credentials/index.js";
import { ForgeFault } from "../git/forge/index.js";
import { DomainTakenError } from "../jobs/index.js";
import { ObjectMissingError } from "../store/index.js";
import texts from "./operations.json" with { type: "json" };

/** Ends a request early, with a status and a message for the client. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
    /** The faults of the request, one by one. */
    readonly details?: readonly { readonly message: string }[],
  ) {
    super(message, options);
  }
}

/** Refuses a request for now. */
export const tryLater = (
  status: 429 | 503,
  message: string,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): ApiError => new ApiError(status, message, { ...headers, "Retry-After": String(seconds) });

/** `{error}`, or an RFC 9457 problem for clients that accept `application/problem+json`. */
export function errorResponse(error: ApiError, accept: string | undefined): Response {
  const problem = acceptsProblem(accept);
  const details = error.details ? { details: error.details } : {};
  const body = problem
    ? {
        type: "about:blank",
        title: STATUS_CODES[error.status],
        status: error.status,
        detail: error.message,
        error: error.message,
        ...details,
      }
    : { error: error.message, ...details };
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: {
      ...error.headers,
      "Content-Type": problem ? "application/problem+json" : "application/json",
      Vary: "Accept",
    },
  });
}

/** The error as the client sees it: an unexpected one is a 500 without its text. */
export const shownError = (error: unknown, requestId: string): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError(
        500,
        `Internal server error. Your request did not cause it. Report it with the request ID ${requestId}.`,
      );

const acceptsProblem = (accept: string | undefined): boolean =>
  (accept ?? "").split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "application/problem+json" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** The same error for unknown and for forbidden jobs, so that clients cannot probe for ids. */
export const noSuchJob = (): ApiError => new ApiError(404, texts.problems[404].error);

/** These errors have their cause in the request, not in the database or the object store. */
const faultsOfRequests = [CredentialFault, DomainTakenError, ForgeFault, ObjectMissingError];

/** The parts of a store, each wrapped by `asUnavailable`. */
export const availableStore = <S extends { readonly objects?: object }>(store: S): S =>
  Object.fromEntries(
    Object.entries(store).map(([name, part]) => [
      name,
      typeof part === "object" ? asUnavailable(part as object, name === "objects" ? "object store" : "database") : part,
    ]),
  ) as S;

/** Turns errors of an object's methods into a 503 with the error as its cause: the client may retry. */
export function asUnavailable<T extends object>(part: T, name: string): T {
  return new Proxy(part, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        try {
          return await member.apply(target, args);
        } catch (cause) {
          if (faultsOfRequests.some((fault) => cause instanceof fault)) throw cause;
          const message = `The service currently cannot reach its ${name}. Try again in a few seconds.`;
          throw new ApiError(503, message, { "Retry-After": "5" }, { cause });
        }
      };
    },
  });
}
