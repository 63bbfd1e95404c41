/** Serves a bundle over HTTP and keeps it up to date. */
import "./lib/require-node.js";

export { type BundleServer, type ServeOptions, serveBundle } from "./serve/index.js";
