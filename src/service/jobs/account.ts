import type { Deployment } from "../../lib/deployments.js";

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
