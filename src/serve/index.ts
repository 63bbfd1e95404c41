/**
 * In:  a bundle: its folder, its archive, a link to that, or a deployment's values that hold the link.
 * Out: a web server for it, which verifies what it fetches, switches in one step, and never serves less than it did.
 */
export type { DeploymentStatus } from "./deployment.js";
export { type BundleLimits, bundleLimitDefaults } from "./read-manifest.js";
export { BundleRefused } from "./refusal.js";
export {
  type AnswerRecord,
  type ServedDeployment,
  type ServeOptions,
  serveBundle,
  serveDefaults,
} from "./serve-bundle.js";
