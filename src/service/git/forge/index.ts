/**
 * In:  a repository's address, and what the operator knows of its host.
 * Out: pull requests, found or made; tokens of an app of GitHub.
 */

export { ForgeFault } from "./ask-forge.js";
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
export {
  type AppHost,
  type AppOptions,
  type Installation,
  installAddress,
  installationOf,
  ownsAccount,
  repositoryToken,
} from "./github-app.js";
export { type NewPullRequest, openForge, type PullRequests } from "./pull-requests.js";
