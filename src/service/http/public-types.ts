import type { Answerer as QuestionAnswerer, SiteIndexes } from "../assistant/index.js";
import type { Store } from "../open-store.js";
import type { ApiError } from "./api-error.js";

// Types that users of the package see: nothing here may reach a type of hono or prom-client, which they may not have.

export type ApiStore = Omit<Store, "shards" | "close">;

/** What answers questions. Without it the routes of the assistant do not exist. */
export interface Assistant {
  readonly indexes: SiteIndexes;
  readonly answerer: QuestionAnswerer;
}

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
