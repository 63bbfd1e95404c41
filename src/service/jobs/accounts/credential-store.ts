import type { Transaction } from "../database/database.js";
import { recordReader } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person.js";

export type CredentialKind = "token" | "ssh-key" | "github-app";

/** Access of one organization to the repositories below a prefix. Its secret is encrypted. */
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

const usedEveryMs = 60_000;

export type CredentialStore = ReturnType<typeof createCredentialStore>;

/** Encrypted credentials. Every call is one transaction; a change and its line in the audit log are one. */
export function createCredentialStore({ database, now }: Pick<StoreDeps, "database" | "now">) {
  const audit = (
    transaction: Transaction,
    action: string,
    { organizationId, credentialId: subject, kind, prefix }: StoredCredential,
    by: Actor,
  ) =>
    insertAuditEntry(transaction, now(), { ...by, organizationId, action, subject, detail: `${kind} for ${prefix}` });
  return {
    /** False if the organization already has a credential with that prefix. */
    add: (added: Omit<StoredCredential, "createdAt" | "rotatedAt" | "lastUsedAt">, by: Actor): Promise<boolean> =>
      database.transaction(async (transaction) => {
        const { credentialId, organizationId, kind, name, prefix, forge, hint, keyId, sealed } = added;
        const [row] = await transaction.query`insert into credentials
            (credential_id, organization_id, kind, name, prefix, forge, hint, key_id, sealed, created_at)
          values (${credentialId}, ${organizationId}, ${kind}, ${name}, ${prefix}, ${forge}, ${hint}, ${keyId}, ${sealed},
            ${now()})
          on conflict (organization_id, prefix) do nothing returning *`;
        if (row) await audit(transaction, "credential.add", credentialOf(row), by);
        return row !== undefined;
      }),
    /** Sorted by prefix. */
    async list(organizationId: string): Promise<readonly StoredCredential[]> {
      const rows =
        await database.read`select * from credentials where organization_id = ${organizationId} order by prefix`;
      return rows.map(credentialOf);
    },
    /** False if there is no such credential. */
    replaceSecret: (
      organizationId: string,
      credentialId: string,
      { hint, keyId, sealed }: Secret,
      by: Actor,
    ): Promise<boolean> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`update credentials
          set hint = ${hint}, key_id = ${keyId}, sealed = ${sealed}, rotated_at = ${now()}
          where organization_id = ${organizationId} and credential_id = ${credentialId} returning *`;
        if (row) await audit(transaction, "credential.rotate", credentialOf(row), by);
        return row !== undefined;
      }),
    /** Undefined if there was no such credential. */
    remove: (organizationId: string, credentialId: string, by: Actor): Promise<StoredCredential | undefined> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`delete from credentials
          where organization_id = ${organizationId} and credential_id = ${credentialId} returning *`;
        const removed = row && credentialOf(row);
        if (removed) await audit(transaction, "credential.remove", removed, by);
        return removed;
      }),
    /** Stores that it is used now, unless its last use is less than a minute old. */
    async markUsed({ credentialId, lastUsedAt }: StoredCredential): Promise<void> {
      if (lastUsedAt && now() - lastUsedAt.getTime() < usedEveryMs) return;
      await database.write`update credentials set last_used_at = ${now()} where credential_id = ${credentialId}`;
    },

    /** At most 100 credentials, of any organization, that are encrypted with another key. */
    async encryptedByOthers(keyId: string): Promise<readonly StoredCredential[]> {
      const rows = await database.read`select * from credentials
        where key_id <> ${keyId} order by credential_id limit 100`;
      return rows.map(credentialOf);
    },
    /** Replaces the encrypted secret, unless it has changed since `before` was read. */
    async encryptAgain(
      { credentialId, sealed: before }: StoredCredential,
      { keyId, sealed }: Omit<Secret, "hint">,
    ): Promise<void> {
      await database.write`update credentials set key_id = ${keyId}, sealed = ${sealed}
        where credential_id = ${credentialId} and sealed = ${before}`;
    },

    /** @param hash of its secret. */
    async addPendingInstallation(
      hash: string,
      { organizationId, sessionId, host }: PendingInstallation,
      lifeMs: number,
    ): Promise<void> {
      await database.transaction(async ({ query }) => {
        await query`delete from pending_installations where ends_at <= ${now()}`;
        await query`insert into pending_installations (hash, organization_id, session_id, host, ends_at)
          values (${hash}, ${organizationId}, ${sessionId}, ${host}, ${now() + lifeMs})`;
      });
    },
    /** Deletes a pending installation of that organization and session and returns its host, unless it has expired. */
    async usePendingInstallation(
      hash: string,
      { organizationId, sessionId }: Omit<PendingInstallation, "host">,
    ): Promise<string | undefined> {
      const [row] = await database.write`delete from pending_installations where hash = ${hash}
        and organization_id = ${organizationId} and session_id = ${sessionId} and ends_at > ${now()} returning host`;
      return row?.["host"] as string | undefined;
    },
  };
}

const credentialOf = recordReader<StoredCredential>([
  ...(["credentialId", "organizationId", "kind", "name", "prefix", "forge", "hint", "keyId", "sealed"] as const),
  ...(["createdAt", "rotatedAt", "lastUsedAt"] as const),
]);
