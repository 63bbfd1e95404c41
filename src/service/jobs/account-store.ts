import type { ApiKey, NewApiKey, Organization, Plan, Project } from "./account.js";

/** Organizations, their sites and their keys. Every call is one transaction. */
export interface AccountStore {
  /** The organization with that name. It is created with `plan` if it does not exist. */
  organization(name: string, plan?: Plan): Promise<Organization>;
  /** All, sorted by name. */
  organizations(): Promise<readonly Organization[]>;
  organizationById(organizationId: string): Promise<Organization | undefined>;
  setPlan(organizationId: string, plan: Plan): Promise<void>;

  /** @throws {DomainTakenError} if another project has the domain. */
  addProject(project: Pick<Project, "organizationId" | "domain" | "source" | "deployment">): Promise<Project>;
  projects(organizationId: string): Promise<readonly Project[]>;
  /** From any organization: check the owner before use. */
  projectByDomain(domain: string): Promise<Project | undefined>;
  projectById(projectId: string): Promise<Project | undefined>;
  /** False if the organization has no such project. Its queued and running jobs fail. */
  removeProject(organizationId: string, domain: string): Promise<boolean>;
  /** Gives the project a new secret. The old one also signs for `overlapMs`. Undefined: there is no such project. */
  rotateWebhookSecret(organizationId: string, domain: string, overlapMs: number): Promise<Project | undefined>;

  /** `secret` begins with `svc_`, or `svc_dsc_` for an assistant key. It cannot be read again. */
  createKey(key: NewApiKey): Promise<CreatedKey>;
  keys(organizationId: string): Promise<readonly ApiKey[]>;
  revokeKey(organizationId: string, keyId: string): Promise<boolean>;
  /**
   * Creates a key like that one, valid as long as that one was from the start, which expires after `overlapMs`.
   * Undefined: there is no such key, or it is not valid.
   */
  rotateKey(organizationId: string, keyId: string, overlapMs: number): Promise<CreatedKey | undefined>;
  /** The key with that secret, even if it has expired or been revoked. Compares hashes in constant time. */
  findKey(secret: string): Promise<ApiKey | undefined>;

  /** Counts one use of `key` in the current window and returns the total. */
  countUse(key: string, windowMs: number): Promise<{ readonly count: number; readonly resetsAt: Date }>;
}

export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export class DomainTakenError extends Error {
  override readonly name = "DomainTakenError";
}
