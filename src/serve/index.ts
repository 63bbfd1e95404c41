/**
 * In:  a bundle: its folder, its archive, a link to the archive, or a values file with the link.
 * Out: a web server that verifies what it fetches, switches to a new bundle in one step, and keeps the old one on errors.
 */

export { type BundleLimits, bundleLimitDefaults } from "./bundle-limits.js";
export type { ServerStatus } from "./reconciler.js";
export { BundleRefused } from "./refusal.js";
export {
  type AnswerRecord,
  type BundleServer,
  type ServeOptions,
  serveBundle,
  serveDefaults,
} from "./serve-bundle.js";
