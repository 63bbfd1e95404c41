/**
 * In:  a repository's address, and what the operator knows of its host.
 * Out: pull requests, found or made.
 */
export { settingsFor } from "./app-token.js";
export { ForgeFault } from "./forge-fault.js";
export {
  type ForgeEntry,
  type ForgeKind,
  type ForgeSettings,
  type Forges,
  forgeOf,
  type Repository,
  readForges,
  secretsOfForge,
} from "./forges.js";
export { type NewPullRequest, openForge, type PullRequests } from "./open-forge.js";
