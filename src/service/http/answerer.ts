import type { ApiError } from "./api-error.js";

/** What the listener knows of a request. */
export interface RequestInfo {
  readonly remoteAddress?: string;
  /** The response to a request that must not reach a route. */
  readonly refusal?: ApiError;
  /** Aborts when the server closes, to end long polls. */
  readonly closing?: AbortSignal;
}

/** Something that answers requests, such as the console. */
export interface Answerer {
  fetch(request: Request, info?: RequestInfo): Promise<Response>;
}
