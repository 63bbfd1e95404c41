/** Who pays. Its projects, keys and jobs are nobody else's. */
export interface Organization {
  /** `org_` and 32 hexadecimal digits. */
  readonly organizationId: string;
  readonly name: string;
  readonly plan: Plan;
}

/** Static export needs `enterprise`, which is what an organization starts with here. */
export type Plan = "free" | "pro" | "enterprise";

/** One documentation site. */
export interface Project {
  /** `prj_` and 32 hexadecimal digits. */
  readonly projectId: string;
  readonly organizationId: string;
  /** Host name alone, lower case, unique: `docs.acme.com`. */
  readonly domain: string;
  readonly source: SiteSource;
  readonly deployment: "cloud" | "client-hosted" | "air-gapped";
  /** Signs the webhooks of its jobs. */
  readonly webhookSecret: string;
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

/** What is kept of a key; the key itself is shown once and never kept. */
export interface ApiKey {
  /** `key_` and 32 hexadecimal digits. */
  readonly keyId: string;
  readonly organizationId: string;
  readonly kind: "admin" | "assistant";
  readonly name: string;
  /** `write` includes `read`. An assistant key has none. */
  readonly scopes: readonly Scope[];
  /** Addresses and CIDR ranges it may be used from; empty: all. */
  readonly allowedAddresses: readonly string[];
  /** The last four characters, to know it by. */
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

export type NewApiKey = Pick<ApiKey, "organizationId" | "kind" | "name" | "scopes" | "allowedAddresses" | "expiresAt">;
