import type { Deployment } from "../../../lib/deployments.js";
import { quoted } from "../../../lib/diagnostic/index.js";
import type { Actor, Person } from "../people/person-store.js";

/** The customer. Projects, keys and jobs belong to exactly one organization. */
export interface Organization {
  /** `org_` and 32 hexadecimal digits. */
  readonly organizationId: string;
  readonly name: string;
  readonly plan: Plan;
}

/** Static export requires `enterprise`, the default of a new organization. */
export type Plan = "free" | "pro" | "enterprise";

/** One documentation site. */
export interface Project {
  /** `prj_` and 32 hexadecimal digits. */
  readonly projectId: string;
  readonly organizationId: string;
  /** Host name in lower case, unique: `docs.acme.com`. */
  readonly domain: string;
  /** Unique; names the project in the addresses of the assistant: by default the first label of the domain, `docs`. */
  readonly identifier: string;
  readonly source: SiteSource;
  readonly deployment: Deployment;
  readonly counting: Counting;
  /** Signs the webhooks of the project's jobs. */
  readonly webhookSecret: string;
  /** The secret before the last rotation, which also signs until then. */
  readonly oldWebhookSecret?: { readonly secret: string; readonly until: Date };
  /** Only its last webhooks are left to be sent; `projectById` alone finds it. */
  readonly removedAt?: Date;
}

/** Who counts the views of a site, so that none is counted twice. The other ways drop theirs. */
export interface Counting {
  /** Views of people: the server that answers, the script in the pages, or imported logs. */
  readonly humansFrom: "server" | "beacon" | "logs";
  /** Views of agents and bots, which seldom run the script. */
  readonly agentsFrom: "server" | "logs";
}

export type SiteSource =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "git";
      /** https://, ssh:// or file://, without credentials. */
      readonly url: string;
      /** Branch, tag or commit; undefined: the repository's default branch. */
      readonly ref?: string;
      /** Folder of the site in the repository, with `/`. */
      readonly subfolder?: string;
    };

export type Scope = "read" | "write";

/** The record of a key. The key itself is shown once and never stored. */
export interface ApiKey {
  /** `key_` and 32 hexadecimal digits. */
  readonly keyId: string;
  readonly organizationId: string;
  readonly kind: "admin" | "assistant";
  readonly name: string;
  /** `write` includes `read`. An assistant key has no scopes. */
  readonly scopes: readonly Scope[];
  /** Addresses and CIDR ranges that may use the key; empty: all. */
  readonly allowedAddresses: readonly string[];
  /** Of an assistant key: origins whose pages may use it, such as `https://docs.acme.com`; empty: the project's host. */
  readonly allowedOrigins: readonly string[];
  /** Of an assistant key: the groups of readers that use it, sorted; empty: readers in no group. */
  readonly groups: readonly string[];
  /** The last four characters, to identify the key. */
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** Up to a minute older than the last request. */
  readonly lastUsedAt?: Date;
}

export type NewApiKey = Pick<ApiKey, "organizationId" | "kind" | "name" | "scopes" | "allowedAddresses" | "expiresAt"> &
  Partial<Pick<ApiKey, "allowedOrigins" | "groups">>;

/**
 * Organizations, their sites and their keys. Every call is one transaction. A change adds its line to the audit log in
 * this transaction; `by` is who makes the change.
 */
export interface AccountStore {
  /** The organization with that name. It is created with `plan` if it does not exist. */
  organization(name: string, plan?: Plan, by?: Actor): Promise<Organization>;
  /** Undefined if there is one with that name already. */
  createOrganization(name: string, plan?: Plan, by?: Actor): Promise<Organization | undefined>;
  /** All, sorted by name. */
  organizations(): Promise<readonly Organization[]>;
  organizationById(organizationId: string): Promise<Organization | undefined>;
  setPlan(organizationId: string, plan: Plan, by?: Actor): Promise<void>;

  /** @throws {DomainTakenError} if another project has the domain. */
  addProject(
    project: Pick<Project, "organizationId" | "domain" | "source" | "deployment">,
    by?: Actor,
  ): Promise<Project>;
  projects(organizationId: string): Promise<readonly Project[]>;
  /** From any organization: check the owner before use. */
  projectByDomain(domain: string): Promise<Project | undefined>;
  /** By its identifier or domain, of this organization. */
  projectByName(organizationId: string, name: string): Promise<Project | undefined>;
  /** Also one that was removed. */
  projectById(projectId: string): Promise<Project | undefined>;
  /** For later jobs. Undefined: the organization has no such project. */
  changeProject(
    organizationId: string,
    projectId: string,
    changes: Pick<Project, "source" | "deployment">,
    by?: Actor,
  ): Promise<Project | undefined>;
  /** Changes who counts the project's views. Undefined: there is no such project. */
  setCounting(
    organizationId: string,
    domain: string,
    counting: Partial<Counting>,
    by?: Actor,
  ): Promise<Project | undefined>;
  /** Gives the project a new secret. The old one also signs for `overlapMs`. Undefined: there is no such project. */
  rotateWebhookSecret(
    organizationId: string,
    domain: string,
    overlapMs: number,
    by?: Actor,
  ): Promise<Project | undefined>;

  /** `secret` begins with `svc_`, or `svc_dsc_` for an assistant key. It cannot be read again. */
  createKey(key: NewApiKey, by?: Actor): Promise<CreatedKey>;
  keys(organizationId: string): Promise<readonly ApiKey[]>;
  revokeKey(organizationId: string, keyId: string, by?: Actor): Promise<boolean>;
  /**
   * Creates a key like that one, valid as long as that one was from the start, which expires after `overlapMs`.
   * Undefined: there is no such key, or it is not valid.
   */
  rotateKey(organizationId: string, keyId: string, overlapMs: number, by?: Actor): Promise<CreatedKey | undefined>;
  /** The key with that secret, even if it has expired or been revoked. Compares hashes in constant time. */
  findKey(secret: string): Promise<ApiKey | undefined>;
  /** Stores that the key is used now, unless its last use is less than a minute old. */
  markKeyUsed(key: ApiKey): Promise<void>;

  /** Counts one use of `key`, unless it was used `limit` times within the last `windowMs`. */
  countUse(key: string, limit: number, windowMs: number): Promise<Use>;
  /** Takes back a use. */
  releaseUse(useId: number): Promise<void>;

  /** Failures under a name, without those that are forgotten: an hour after the last one. */
  failures(name: string): Promise<Failures>;
  /**
   * Counts a failure under each name before it is known whether the attempt fails, so that many attempts at once are no
   * way around a limit. Counts nothing if `waitMs` of the failures so far, in the order of `names`, is above 0.
   */
  countFailure(
    names: readonly string[],
    waitMs: (failures: readonly Failures[]) => number,
  ): Promise<{ readonly waitMs: number; readonly before: readonly Failures[] }>;
  /** Takes back a failure that was counted; `lastAt` is the time of the one before. */
  takeBackFailure(name: string, lastAt: number): Promise<void>;
  forgetFailures(names: readonly string[]): Promise<void>;
  /** Forgets the failures of a person, who can then log in at once. */
  unlock(person: Pick<Person, "personId" | "email">, names: readonly string[], by: Actor): Promise<void>;

  /** Uses in the buckets of `name` that begin at `since` or later, by the beginning of the bucket. */
  usesSince(name: string, since: number): Promise<ReadonlyMap<number, number>>;
  addUses(uses: readonly BucketUses[]): Promise<void>;
  /** A random text that all processes share until `endsAt`, in milliseconds since 1970. */
  salt(name: string, endsAt: number): Promise<string>;
}

/** Attempts that failed. */
export interface Failures {
  readonly count: number;
  /** When the last one was counted, in milliseconds since 1970; 0 without one. */
  readonly lastAt: number;
}

/** Uses that are counted together, for limits with many uses. */
export interface BucketUses {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  /** When the bucket no longer counts and is deleted. */
  readonly endsAt: number;
  readonly uses: number;
}

export interface Use {
  /** Undefined: the limit is reached, and nothing was counted. */
  readonly useId?: number;
  /** Further uses within the limit. */
  readonly left: number;
  /** When the oldest counted use leaves the window. */
  readonly resetsAt: Date;
}

export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export class DomainTakenError extends Error {
  override readonly name = "DomainTakenError";
}

const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
const hostName = new RegExp(`^${label}(\\.${label})*$`);

/**
 * Explains why a lower-case text is not a valid domain and what to write instead. Undefined if it is valid.
 *
 * @param subject name of the field in the sentence.
 */
export function domainFault(subject: string, domain: string): string | undefined {
  if (domain.length <= 253 && hostName.test(domain)) return undefined;
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#@]+)/.exec(domain)?.[1];
  const fix = host && hostName.test(host) ? ` Write "${host}".` : ' Write it like "docs.example.com".';
  return `${subject} is a host name alone, without scheme, port and path, not ${quoted(domain)}.${fix}`;
}
