import { cursorOf, positionOf } from "../cursor.js";
import type { AuditEntry, Role } from "../person.js";
import type { PersonStore } from "../person-store.js";
import { insertAuditEntry } from "./audit-log.js";
import type { Database, Row, Transaction } from "./database.js";
import { createInvites, personBy } from "./invites.js";
import { changeMembership, roleOf } from "./memberships.js";
import { personOf } from "./person-rows.js";
import { createSessions, pruneSessions, readMemberships } from "./sessions.js";

const auditMs = 400 * 24 * 60 * 60_000;
const inviteMs = 30 * 24 * 60 * 60_000;
/**
 * Steps of 30 seconds: an hour. Somebody who has used a code that is further ahead did so before the clock was set back,
 * and would otherwise be locked out until then.
 */
const clockSetBackSteps = 120;

/** People in a SQL database. */
export function createPersonStore(database: Database, now: () => number): PersonStore {
  return {
    ...createInvites(database, now),
    ...createSessions(database, now),
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
    async changePerson(personId, { name, passwordHash, recoveryCodes, totpSecret }) {
      await database.transaction((transaction) =>
        transaction.query(
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
        ),
      );
    },
    setRole: (organizationId, personId, role) =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        // Unlike an invite, this adds nobody.
        if ((await roleOf(transaction, organizationId, personId)) === undefined) return "unknown";
        const result = await changeMembership(transaction, { organizationId, personId, role }, now());
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
        return true;
      }),

    async addAuditEntry(entry) {
      await database.transaction((transaction) => insertAuditEntry(transaction, now(), entry));
    },
    async auditLog(organizationId, { limit, cursor }) {
      const rows = await database.read(
        `select audit_log.*, people.name, people.email, api_keys.name as key_name
         from audit_log left join people on people.person_id = audit_log.person_id
         left join api_keys on api_keys.key_id = audit_log.key_id
         where audit_log.organization_id = $1 and position < $2 order by position desc limit $3`,
        [organizationId, cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(cursor), limit + 1],
      );
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return { entries: shown.map(entryOf), next: last && cursorOf(last["position"] as number) };
    },
  };
}

/** Removes ended sessions, old invites and old lines of the audit log. */
export async function prunePeople(transaction: Transaction, time: number): Promise<void> {
  await pruneSessions(transaction, time);
  await transaction.query("delete from invites where ends_at <= $1", [time - inviteMs]);
  await transaction.query("delete from audit_log where at <= $1", [time - auditMs]);
}

const entryOf = (row: Row): AuditEntry => ({
  at: new Date(row["at"] as number),
  actor: actorOf(row),
  action: row["action"] as string,
  subject: row["subject"] as string,
  detail: row["detail"] as string,
});

function actorOf({ name, email, key_id: keyId, key_name: keyName, actor }: Row): string {
  if (email !== null) return `${name as string} (${email as string})`;
  if (actor !== null) return actor as string;
  return keyName === null ? ((keyId ?? "") as string) : `key ${keyName as string}`;
}
