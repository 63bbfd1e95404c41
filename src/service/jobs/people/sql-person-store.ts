import type { Database, Transaction } from "../database/database.js";
import { createAuditLog, insertPersonEntry, pruneAuditLog } from "./audit-log.js";
import { createInvites, personBy } from "./invites.js";
import { changeMembership, roleOf } from "./memberships.js";
import { personOf } from "./person-rows.js";
import type { Actor, PersonChanges, PersonStore, Role } from "./person-store.js";
import { createSessions, pruneSessions, readMemberships } from "./sessions.js";

const inviteMs = 30 * 24 * 60 * 60_000;
/**
 * Steps of 30 seconds: an hour. Somebody who has used a code that is further ahead did so before the clock was set back,
 * and would otherwise be locked out until then.
 */
const clockSetBackSteps = 120;

/** People in a SQL database. */
export function createPersonStore(database: Database, now: () => number, auditRetentionMs: number): PersonStore {
  return {
    auditRetentionMs,
    ...createInvites(database, now),
    ...createSessions(database, now),
    ...createAuditLog(database, now),
    async hasPeople() {
      return (await database.read("select person_id from memberships limit 1")).length > 0;
    },
    personByEmail: (email) => personBy(database.read, "email", email.toLowerCase()),
    memberships: (personId) => readMemberships(database.read, personId),
    async members(organizationId) {
      const rows = await database.read(
        `select people.*, role,
           (select max(seen_at) from sessions where sessions.person_id = people.person_id) as last_seen_at
         from memberships join people on people.person_id = memberships.person_id
         where organization_id = $1 order by name, email`,
        [organizationId],
      );
      return rows.map((row) => ({
        person: personOf(row),
        role: row["role"] as Role,
        lastSeenAt: row["last_seen_at"] === null ? undefined : new Date(row["last_seen_at"] as number),
      }));
    },
    changePerson: (personId, changes, by) =>
      database.transaction(async (transaction) => {
        const { name, passwordHash, recoveryCodes, totpSecret } = changes;
        // The line has the name from before the change.
        await insertChangeEntries(transaction, now(), personId, changes, by);
        await transaction.query(
          `update people set name = coalesce($2, name), password_hash = coalesce($3, password_hash),
             recovery_codes = coalesce($4, recovery_codes),
             totp_secret = case when $5 = '' then null else coalesce($5, totp_secret) end
           where person_id = $1`,
          [
            personId,
            name,
            passwordHash,
            recoveryCodes && JSON.stringify(recoveryCodes),
            totpSecret === null ? "" : totpSecret,
          ],
        );
      }),
    setRole: (organizationId, personId, role, by) =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        // Unlike an invite, this adds nobody.
        if ((await roleOf(transaction, organizationId, personId)) === undefined) return "unknown";
        const result = await changeMembership(transaction, { organizationId, personId, role, by: by ?? {} }, now());
        return result === "last owner" ? result : "changed";
      }),

    useTotpStep: (personId, step) =>
      database.transaction(async (transaction) => {
        const used = await transaction.query(
          `update people set totp_step = $2
           where person_id = $1 and (totp_step < $2 or totp_step > $3) returning person_id`,
          [personId, step, step + clockSetBackSteps],
        );
        return used.length > 0;
      }),
    useRecoveryCode: (personId, hash) =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        const [row] = await transaction.query("select * from people where person_id = $1", [personId]);
        const codes = row ? personOf(row).recoveryCodes : [];
        if (!codes.includes(hash)) return false;
        const left = JSON.stringify(codes.filter((code) => code !== hash));
        await transaction.query("update people set recovery_codes = $2 where person_id = $1", [personId, left]);
        const line = { personId, action: "second-factor.recovery-code", subject: row!["email"] as string, detail: "" };
        await insertPersonEntry(transaction, now(), personId, line);
        return true;
      }),
  };
}

const emailOf = async (transaction: Transaction, personId: string): Promise<string> => {
  const [row] = await transaction.query("select email from people where person_id = $1", [personId]);
  return (row?.["email"] as string | undefined) ?? personId;
};

async function insertChangeEntries(
  transaction: Transaction,
  at: number,
  personId: string,
  { name, passwordHash, totpSecret }: PersonChanges,
  by: Actor | undefined,
): Promise<void> {
  const subject = await emailOf(transaction, personId);
  const add = (action: string, detail = "") =>
    insertPersonEntry(transaction, at, personId, { ...by, action, subject, detail });
  if (name !== undefined) await add("person.rename", name);
  if (passwordHash !== undefined) await add("password.change");
  if (totpSecret !== undefined) await add(totpSecret === null ? "second-factor.off" : "second-factor.on");
}

/**
 * Removes ended sessions, old invites and lines of the audit log that are older than `auditMs`.
 */
export async function prunePeople(transaction: Transaction, time: number, auditMs: number): Promise<void> {
  await pruneSessions(transaction, time);
  await transaction.query("delete from invites where ends_at <= $1", [time - inviteMs]);
  await pruneAuditLog(transaction, time - auditMs);
}
