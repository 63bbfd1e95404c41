import type { Database, Row, Transaction } from "../database/database.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person-store.js";
import type { CredentialKind, CredentialStore, StoredCredential } from "./credential-store.js";

const usedEveryMs = 60_000;

/** Encrypted credentials in a SQL database. */
export function createCredentialStore(database: Database, now: () => number): CredentialStore {
  const audit = (transaction: Transaction, action: string, { organizationId, ...rest }: StoredCredential, by: Actor) =>
    insertAuditEntry(transaction, now(), {
      ...by,
      organizationId,
      action: `credential.${action}`,
      subject: rest.credentialId,
      detail: `${rest.kind} for ${rest.prefix}`,
    });
  return {
    add: ({ credentialId, organizationId, kind, name, prefix, forge, hint, keyId, sealed }, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `insert into credentials
             (credential_id, organization_id, kind, name, prefix, forge, hint, key_id, sealed, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           on conflict (organization_id, prefix) do nothing returning *`,
          [credentialId, organizationId, kind, name, prefix, forge, hint, keyId, sealed, now()],
        );
        if (row) await audit(transaction, "add", credentialOf(row), by);
        return row !== undefined;
      }),
    async list(organizationId) {
      const rows = await database.read("select * from credentials where organization_id = $1 order by prefix", [
        organizationId,
      ]);
      return rows.map(credentialOf);
    },
    replaceSecret: (organizationId, credentialId, { hint, keyId, sealed }, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `update credentials set hint = $3, key_id = $4, sealed = $5, rotated_at = $6
           where organization_id = $1 and credential_id = $2 returning *`,
          [organizationId, credentialId, hint, keyId, sealed, now()],
        );
        if (row) await audit(transaction, "rotate", credentialOf(row), by);
        return row !== undefined;
      }),
    remove: (organizationId, credentialId, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          "delete from credentials where organization_id = $1 and credential_id = $2 returning *",
          [organizationId, credentialId],
        );
        if (!row) return undefined;
        const removed = credentialOf(row);
        await audit(transaction, "remove", removed, by);
        return removed;
      }),
    async markUsed({ credentialId, lastUsedAt }) {
      if (lastUsedAt && now() - lastUsedAt.getTime() < usedEveryMs) return;
      await database.transaction((transaction) =>
        transaction.query("update credentials set last_used_at = $2 where credential_id = $1", [credentialId, now()]),
      );
    },

    async encryptedByOthers(keyId) {
      const rows = await database.read(
        "select * from credentials where key_id <> $1 order by credential_id limit 100",
        [keyId],
      );
      return rows.map(credentialOf);
    },
    async encryptAgain({ credentialId, sealed: before }, { keyId, sealed }) {
      await database.transaction((transaction) =>
        transaction.query("update credentials set key_id = $3, sealed = $4 where credential_id = $1 and sealed = $2", [
          credentialId,
          before,
          keyId,
          sealed,
        ]),
      );
    },

    async addPendingInstallation(hash, { organizationId, sessionId, host }, lifeMs) {
      await database.transaction(async (transaction) => {
        await transaction.query("delete from pending_installations where ends_at <= $1", [now()]);
        await transaction.query(
          `insert into pending_installations (hash, organization_id, session_id, host, ends_at)
           values ($1, $2, $3, $4, $5)`,
          [hash, organizationId, sessionId, host, now() + lifeMs],
        );
      });
    },
    async usePendingInstallation(hash, { organizationId, sessionId }) {
      const used = await database.transaction((transaction) =>
        transaction.query(
          `delete from pending_installations
           where hash = $1 and organization_id = $2 and session_id = $3 and ends_at > $4 returning host`,
          [hash, organizationId, sessionId, now()],
        ),
      );
      return used[0]?.["host"] as string | undefined;
    },

    async beforeBinding() {
      const rows = await database.read("select * from sites_before_binding");
      const organizationId = rows[0]?.["organization_id"] as string | undefined;
      if (organizationId === undefined) return undefined;
      return { organizationId, sources: rows.flatMap(({ source }) => (source === null ? [] : [source as string])) };
    },
  };
}

const credentialOf = (row: Row): StoredCredential => ({
  credentialId: row["credential_id"] as string,
  organizationId: row["organization_id"] as string,
  kind: row["kind"] as CredentialKind,
  name: row["name"] as string,
  prefix: row["prefix"] as string,
  ...(row["forge"] !== null && { forge: row["forge"] as string }),
  hint: row["hint"] as string,
  keyId: row["key_id"] as string,
  sealed: row["sealed"] as string,
  createdAt: new Date(row["created_at"] as number),
  ...(row["rotated_at"] !== null && { rotatedAt: new Date(row["rotated_at"] as number) }),
  ...(row["last_used_at"] !== null && { lastUsedAt: new Date(row["last_used_at"] as number) }),
});
