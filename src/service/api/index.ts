/**
 * In:  HTTP requests, and the store that jobs, accounts and bundles are kept in.
 * Out: answers, as PLATFORM-API's static export describes them. It renders nothing: workers do.
 */

export { type ApiOptions, apiDefaults } from "./api-options.js";
export { type Api, type ApiParts, createApi } from "./create-api.js";
export { jobView } from "./job-view.js";
export type { RequestInfo } from "./request-context.js";
export { type Listening, type ListenOptions, listen } from "./serve-api.js";
