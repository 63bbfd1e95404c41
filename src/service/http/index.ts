/**
 * In:  HTTP requests, and the store of jobs, accounts and bundles.
 * Out: responses of the static export API. It renders nothing: workers do.
 */

export { isAddressRange } from "../../lib/http/index.js";
export type { Answerer, RequestInfo } from "./answerer.js";
export { ApiError, availableStore, errorResponse } from "./api-error.js";
export { type ApiOptions, apiDefaults } from "./api-options.js";
export type { Assistant } from "./assistant/assistant-deps.js";
export { isOrigin } from "./assistant/site-lookup.js";
export { requireToken } from "./authenticate.js";
export { consoleApi } from "./console-api.js";
export { type Api, type ApiDeps, createApi } from "./create-api.js";
export { type Listening, type ListenOptions, listen, startingApi } from "./serve-api.js";
export { createEventStreams } from "./stream-text.js";
export { jobView } from "./views.js";
