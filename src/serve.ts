/** Serves a bundle over HTTP and keeps it up to date. */
import "./lib/require-node.js";

export type { Log } from "./lib/log.js";
export {
  type AnswerRecord,
  type BundleLimits,
  BundleRefused,
  type BundleServer,
  type ServeOptions,
  type ServerLimits,
  type ServerStatus,
  serveBundle,
} from "./serve/index.js";
