import type { ApiKey } from "../jobs/index.js";

/** What the listener knows of a request beyond the request itself. */
export interface RequestInfo {
  /** Address of the other end of the connection. */
  readonly remoteAddress?: string;
  /** Aborts when the server closes: requests that wait are then answered at once. */
  readonly closing?: AbortSignal;
}

/** What a handler finds in its context. */
export interface ApiEnvironment {
  Bindings: RequestInfo;
  Variables: {
    requestId: string;
    /** Undefined: the connection has none. */
    clientAddress: string | undefined;
    /** The key as it was found; only behind `authenticate` is it known to be valid. */
    key: ApiKey | undefined;
    /** For the log: why the request failed, which the client is not told. */
    fault: unknown;
  };
}
