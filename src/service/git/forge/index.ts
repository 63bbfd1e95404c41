/**
 * In:  a repository's address, and what the operator knows of its host.
 * Out: pull requests, found or opened; tokens of a GitHub app.
 */
export { ForgeFault } from "./ask-forge.js";
export * from "./forges.js";
export * from "./github-app.js";
export * from "./pull-requests.js";
