/**
 * In:  secrets of organizations for git hosts, and what the operator has configured.
 * Out: the one credential that a repository of an organization is opened with.
 */
export type { AgentAccess, Credential } from "./credential-access.js";
export { type Credentials, type NewCredential, openCredentials } from "./credentials.js";
export { type KeySource, openKeyring } from "./keyring.js";
export { CredentialFault } from "./read-secret.js";
