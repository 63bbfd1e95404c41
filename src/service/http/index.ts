/**
 * In:  HTTP requests, and the store of jobs, accounts and bundles.
 * Out: responses. Nothing is exported here: workers do that.
 */

export { isAddressRange } from "../../lib/http/index.js";
export { ApiError, availableStore, errorResponse } from "./api-error.js";
export type { ApiOptions } from "./api-options.js";
export { isOrigin } from "./assistant/site-lookup.js";
export { isValid, requireToken } from "./authenticate.js";
export { type Api, type ApiDeps, consoleApi, createApi } from "./create-api.js";

export { sourceFault } from "./jobs/job-request.js";
export type { Answerer, Assistant, RequestInfo } from "./public-types.js";
export { loggedFault } from "./request-log.js";
export { type Listening, type ListenOptions, listen, startingApi } from "./serve-api.js";
export { createEventStreams } from "./stream-text.js";
export { jobView } from "./views.js";
