import type { Transaction } from "../database/database.js";
import { recordReader } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person-store.js";
import type { CredentialStore, StoredCredential } from "./credential-store.js";

const usedEveryMs = 60_000;

export function createCredentialStore({ database, now }: Pick<StoreDeps, "database" | "now">): CredentialStore {
  const audit = (
    transaction: Transaction,
    action: string,
    { organizationId, credentialId: subject, kind, prefix }: StoredCredential,
    by: Actor,
  ) =>
    insertAuditEntry(transaction, now(), { ...by, organizationId, action, subject, detail: `${kind} for ${prefix}` });
  return {
    add: ({ credentialId, organizationId, kind, name, prefix, forge, hint, keyId, sealed }, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`insert into credentials
            (credential_id, organization_id, kind, name, prefix, forge, hint, key_id, sealed, created_at)
          values (${credentialId}, ${organizationId}, ${kind}, ${name}, ${prefix}, ${forge}, ${hint}, ${keyId}, ${sealed},
            ${now()})
          on conflict (organization_id, prefix) do nothing returning *`;
        if (row) await audit(transaction, "credential.add", credentialOf(row), by);
        return row !== undefined;
      }),
    async list(organizationId) {
      const rows =
        await database.read`select * from credentials where organization_id = ${organizationId} order by prefix`;
      return rows.map(credentialOf);
    },
    replaceSecret: (organizationId, credentialId, { hint, keyId, sealed }, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`update credentials
          set hint = ${hint}, key_id = ${keyId}, sealed = ${sealed}, rotated_at = ${now()}
          where organization_id = ${organizationId} and credential_id = ${credentialId} returning *`;
        if (row) await audit(transaction, "credential.rotate", credentialOf(row), by);
        return row !== undefined;
      }),
    remove: (organizationId, credentialId, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`delete from credentials
          where organization_id = ${organizationId} and credential_id = ${credentialId} returning *`;
        const removed = row && credentialOf(row);
        if (removed) await audit(transaction, "credential.remove", removed, by);
        return removed;
      }),
    async markUsed({ credentialId, lastUsedAt }) {
      if (lastUsedAt && now() - lastUsedAt.getTime() < usedEveryMs) return;
      await database.write`update credentials set last_used_at = ${now()} where credential_id = ${credentialId}`;
    },

    async encryptedByOthers(keyId) {
      const rows = await database.read`select * from credentials
        where key_id <> ${keyId} order by credential_id limit 100`;
      return rows.map(credentialOf);
    },
    async encryptAgain({ credentialId, sealed: before }, { keyId, sealed }) {
      await database.write`update credentials set key_id = ${keyId}, sealed = ${sealed}
        where credential_id = ${credentialId} and sealed = ${before}`;
    },

    async addPendingInstallation(hash, { organizationId, sessionId, host }, lifeMs) {
      await database.transaction(async ({ query }) => {
        await query`delete from pending_installations where ends_at <= ${now()}`;
        await query`insert into pending_installations (hash, organization_id, session_id, host, ends_at)
          values (${hash}, ${organizationId}, ${sessionId}, ${host}, ${now() + lifeMs})`;
      });
    },
    async usePendingInstallation(hash, { organizationId, sessionId }) {
      const [row] = await database.write`delete from pending_installations where hash = ${hash}
        and organization_id = ${organizationId} and session_id = ${sessionId} and ends_at > ${now()} returning host`;
      return row?.["host"] as string | undefined;
    },

    async beforeBinding() {
      const rows = await database.read`select * from sites_before_binding`;
      const organizationId = rows[0]?.["organization_id"] as string | undefined;
      if (organizationId === undefined) return undefined;
      return { organizationId, sources: rows.flatMap(({ source }) => (source === null ? [] : [source as string])) };
    },
  };
}

const credentialOf = recordReader<StoredCredential>([
  ...(["credentialId", "organizationId", "kind", "name", "prefix", "forge", "hint", "keyId", "sealed"] as const),
  ...(["createdAt", "rotatedAt", "lastUsedAt"] as const),
]);
