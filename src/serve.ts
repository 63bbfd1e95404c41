/** Serves a bundle over HTTP as a deployment does. */
export { type ServedDeployment, type ServeOptions, serveBundle } from "./serve/index.js";
