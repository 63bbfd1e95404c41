/**
 * In:  HTTP requests, and the store of jobs, accounts and bundles.
 * Out: responses of the static export API. It renders nothing: workers do.
 */

export { isAddressRange } from "../../lib/http/index.js";
export type { Answerer } from "./answerer.js";
export { ApiError, asUnavailable, errorResponse } from "./api-error.js";
export { type ApiOptions, apiDefaults } from "./api-options.js";
export type { Assistant } from "./assistant/assistant.js";
export { isOrigin } from "./assistant/origins.js";
export { consoleApi } from "./console-api.js";
export { type Api, type ApiDeps, createApi } from "./create-api.js";
export { jobView } from "./job-view.js";
export type { RequestInfo } from "./request-context.js";
export { requireToken } from "./require-token.js";
export { type Listening, type ListenOptions, listen } from "./serve-api.js";
export { startingApi } from "./starting-api.js";
