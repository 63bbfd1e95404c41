/** Serves a bundle over HTTP and keeps it up to date. */
export { type BundleServer, type ServeOptions, serveBundle } from "./serve/index.js";
