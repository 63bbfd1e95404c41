import type { RequestInfo } from "./request-context.js";

/** What answers requests, such as the console. */
export interface Answerer {
  fetch(request: Request, info?: RequestInfo): Promise<Response>;
}
