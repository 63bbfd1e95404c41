/** Serves a bundle over HTTP and keeps it up to date. */
import "./lib/require-node.js";

export type { ServerLimits } from "./lib/http/index.js";
export type { Log } from "./lib/log.js";
export type { ServerStatus } from "./serve/reconciler.js";
export { type BundleLimits, BundleRefused } from "./serve/refusal.js";
export { type AnswerRecord, type BundleServer, type ServeOptions, serveBundle } from "./serve/serve-bundle.js";
export type { McpOptions } from "./serve/serve-mcp.js";
