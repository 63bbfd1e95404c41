import type { ApiKey } from "../jobs/index.js";

/** Information of the listener about a request. */
export interface RequestInfo {
  readonly remoteAddress?: string;
  /** Aborts when the server closes, to end long polls. */
  readonly closing?: AbortSignal;
}

/** Context of a handler. */
export interface ApiEnvironment {
  Bindings: RequestInfo;
  Variables: {
    requestId: string;
    /** Undefined if the connection has no address. */
    clientAddress: string | undefined;
    /** The key of the request. Only after `authenticate` is it known to be valid. */
    key: ApiKey | undefined;
    /** Internal error for the log; not shown to the client. */
    fault: unknown;
  };
}
