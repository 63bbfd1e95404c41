/**
 * In:  a repository's address, and what the operator knows of its host.
 * Out: pull requests, found or made.
 */
export { ForgeFault } from "./forge-fault.js";
export { type ForgeKind, type ForgeSettings, type Forges, forgeOf, type Repository, readForges } from "./forges.js";
export { type NewPullRequest, openForge, type PullRequests } from "./open-forge.js";
