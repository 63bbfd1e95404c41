import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../../lib/log.js";
import type { AccountStore, ApiKey, Project } from "../jobs/index.js";
import type { ApiError } from "./api-error.js";
import type { ResolvedApiOptions } from "./api-options.js";
import type { ApiStore, RequestInfo } from "./public-types.js";

export interface RouteDeps {
  /** Fails with a 503 while the database or the object store cannot be reached. */
  readonly store: ApiStore;
  readonly options: ResolvedApiOptions;
  readonly onRefusal: OnRefusal;
  readonly now: () => number;
  readonly log: Log;
}

/** Returns the error to respond with instead of a 401 or 403. */
export type OnRefusal = (refusal: ApiError, address: string | undefined) => ApiError;

/** Context of a handler. */
export interface ApiEnvironment {
  Bindings: RequestInfo;
  Variables: {
    requestId: string;
    /** Undefined if the connection has no address. */
    clientAddress: string | undefined;
    /** The key of the request. It may be invalid until `authenticate` has checked it. */
    key: ApiKey | undefined;
    /** The refusal of a request above the rate limit. A repeated Idempotency-Key is still answered. */
    overLimit: ApiError | undefined;
    /** The body, once `readJson` has read it. */
    json: unknown;
    /** An internal error, for the log. The client does not see it. */
    fault: unknown;
  };
}

export type ApiContext = Context<ApiEnvironment>;

/** The headers of each response that does not set them itself. */
const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/** Adds missing security headers. No CORS: keys are secrets of servers. `c.header` would copy the response. */
export const setSecurityHeaders: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(securityHeaders))
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};

/**
 * The project of a request, of the organization of its key.
 *
 * @throws {ApiError} `fault`, whether the project is unknown, removed, or belongs to another organization, so that clients
 *   cannot probe for ids.
 */
export async function ownProject(
  accounts: Pick<AccountStore, "projectById">,
  c: ApiContext,
  projectId: string,
  fault: () => ApiError,
): Promise<Project> {
  const project = /^prj_[0-9a-f]{32}$/.test(projectId) ? await accounts.projectById(projectId) : undefined;
  if (project?.organizationId !== c.get("key")!.organizationId || project.removedAt) throw fault();
  return project;
}
