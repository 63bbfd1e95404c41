import type { Actor } from "../people/person-store.js";

export type CredentialKind = "token" | "ssh-key" | "github-app";

/** What opens the repositories of one organization below a prefix. Its secret is encrypted. */
export interface StoredCredential {
  /** `crd_` and 32 hexadecimal digits. */
  readonly credentialId: string;
  readonly organizationId: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** `https://github.com/acme/`: see `parsePrefix`. Unique in the organization. */
  readonly prefix: string;
  /** The software of the host, if its owner has named it: see `ForgeKind`. */
  readonly forge?: string;
  /** Identifies the secret to a person: the last four characters of a token, the fingerprint of a key. */
  readonly hint: string;
  /** See `Sealed`. */
  readonly keyId: string;
  readonly sealed: string;
  readonly createdAt: Date;
  /** When its secret was replaced. */
  readonly rotatedAt?: Date;
  /** Up to a minute older than the last use. */
  readonly lastUsedAt?: Date;
}

export type Secret = Pick<StoredCredential, "keyId" | "sealed" | "hint">;

/** A person who is about to install an app for an organization. Its secret is in the address that they come back to. */
export interface PendingInstallation {
  readonly organizationId: string;
  readonly sessionId: string;
  /** Of the app. */
  readonly host: string;
}

/** Encrypted credentials. Every call is one transaction; a change and its line in the audit log are one. */
export interface CredentialStore {
  /** False: the organization has a credential with that prefix. */
  add(credential: Omit<StoredCredential, "createdAt" | "rotatedAt" | "lastUsedAt">, by: Actor): Promise<boolean>;
  /** Sorted by prefix. */
  list(organizationId: string): Promise<readonly StoredCredential[]>;
  /** False: there is no such credential. */
  replaceSecret(organizationId: string, credentialId: string, secret: Secret, by: Actor): Promise<boolean>;
  /** Undefined: there was no such credential. */
  remove(organizationId: string, credentialId: string, by: Actor): Promise<StoredCredential | undefined>;
  /** Stores that it is used now, unless its last use is less than a minute old. */
  markUsed(credential: StoredCredential): Promise<void>;

  /** At most 100 of those of all organizations that another key has encrypted. */
  encryptedByOthers(keyId: string): Promise<readonly StoredCredential[]>;
  /** Replaces what is encrypted, unless it has changed meanwhile. */
  encryptAgain(credential: StoredCredential, secret: Omit<Secret, "hint">): Promise<void>;

  /** @param hash of its secret. */
  addPendingInstallation(hash: string, pending: PendingInstallation, lifeMs: number): Promise<void>;
  /** The host of a pending installation of that organization and session; once, before its end. */
  usePendingInstallation(hash: string, by: Omit<PendingInstallation, "host">): Promise<string | undefined>;

  /**
   * The only organization at the upgrade to the release that bound credentials to organizations, and the sources of its
   * sites at that time, as JSON. Undefined: there was none, or several.
   */
  beforeBinding(): Promise<{ readonly organizationId: string; readonly sources: readonly string[] } | undefined>;
}
