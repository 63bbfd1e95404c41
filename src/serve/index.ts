/**
 * In:  a bundle: its folder, its archive, a link to the archive, or a values file with the link.
 * Out: a web server that verifies what it fetches, switches to a new bundle in one step, and keeps the old one on errors.
 */

export type { ServerLimits } from "../lib/http/index.js";
export { type AnswerBundle, createAnswer, readRequestPath, withoutHost } from "./answer.js";
export { createContentCache } from "./content-cache.js";
export { type HeaderRules, type HostRules, readHeaderRules, readHostRules } from "./host-rules.js";
export { hasSiteScripts, loadsFromHosts, policyOf, strictPolicy } from "./page-policy.js";
export type { ServerStatus } from "./reconciler.js";
export { type BundleLimits, BundleRefused, bundleLimitDefaults } from "./refusal.js";
export {
  type AnswerRecord,
  type BundleServer,
  type ServeOptions,
  serveBundle,
  serveDefaults,
} from "./serve-bundle.js";
export { type Route, routesOf, type ServedFile, servedFile } from "./served-bundle.js";
