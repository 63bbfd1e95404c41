/**
 * In:  a repository's address, and what the operator knows of its host.
 * Out: pull requests, found or made; tokens of an app of GitHub.
 */
export {
  type AppHost,
  type AppOptions,
  type Installation,
  installAddress,
  installationOf,
  repositoryToken,
} from "./app-token.js";
export { ownsAccount } from "./app-user.js";
export { ForgeFault } from "./forge-fault.js";
export {
  type ForgeEntry,
  type ForgeHost,
  type ForgeKind,
  type ForgeSettings,
  type Forges,
  forgeHost,
  forgeKinds,
  type GitHubApp,
  type Repository,
  readForges,
  repositoryOf,
} from "./forges.js";
export { type NewPullRequest, openForge, type PullRequests } from "./open-forge.js";
