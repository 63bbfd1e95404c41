import type { ApiKey, NewApiKey, Organization, Plan, Project } from "./account.js";

/** Organizations, their sites and their keys. Every call is one transaction. */
export interface AccountStore {
  /** The organization of that name, made with `plan` if it is new. */
  organization(name: string, plan?: Plan): Promise<Organization>;
  organizationById(organizationId: string): Promise<Organization | undefined>;
  setPlan(organizationId: string, plan: Plan): Promise<void>;

  /** @throws {DomainTakenError} if another project has the domain. */
  addProject(project: Omit<Project, "projectId" | "webhookSecret">): Promise<Project>;
  projects(organizationId: string): Promise<readonly Project[]>;
  /** Whatever organization it belongs to: compare before use. */
  projectByDomain(domain: string): Promise<Project | undefined>;
  projectById(projectId: string): Promise<Project | undefined>;
  /** False if the organization has no such project. Jobs of it that wait or run are ended as failed. */
  removeProject(organizationId: string, domain: string): Promise<boolean>;

  /** `secret` begins with `svc_`, or `svc_dsc_` for an assistant key, and can never be read again. */
  createKey(key: NewApiKey): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  keys(organizationId: string): Promise<readonly ApiKey[]>;
  revokeKey(organizationId: string, keyId: string): Promise<boolean>;
  /** The key that `secret` is, also where it has expired or been revoked; hashes are compared in constant time. */
  findKey(secret: string): Promise<ApiKey | undefined>;

  /** Counts one use of `key` within the window that `now` lies in, and gives how many there have been. */
  countUse(key: string, windowMs: number): Promise<{ readonly count: number; readonly resetsAt: Date }>;
}

export class DomainTakenError extends Error {
  override readonly name = "DomainTakenError";
}
