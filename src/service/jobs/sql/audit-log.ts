import type { NewAuditEntry } from "../person.js";
import type { Transaction } from "./database.js";

/**
 * Adds a line to the audit log in the transaction of the change that it describes, so that neither exists without the
 * other.
 *
 * @param at in milliseconds since 1970.
 */
export async function insertAuditEntry(transaction: Transaction, at: number, entry: NewAuditEntry): Promise<void> {
  const { organizationId, personId, keyId, actor, action, subject, detail } = entry;
  await transaction.query(
    `insert into audit_log (at, person_id, key_id, actor, organization_id, action, subject, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [at, personId, keyId, actor && storable(actor), organizationId, action, storable(subject), storable(detail)],
  );
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
