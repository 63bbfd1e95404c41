import type { Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { createAuditLog, insertPersonEntry, pruneAuditLog } from "./audit-log.js";
import { createInvites } from "./invites.js";
import { changeMembership, roleOf } from "./memberships.js";
import type { Actor, Member, PersonChanges, Role } from "./person.js";
import { personBy, personOf } from "./person-rows.js";
import { createSessions, pruneSessions, readMemberships } from "./sessions.js";

/** Invites are deleted this long after they have expired. */
const inviteMs = 30 * 24 * 60 * 60_000;
/**
 * An hour in steps of 30 seconds. A person whose last code was further ahead used it before the clock was set back, and
 * would otherwise be locked out until then.
 */
const clockSetBackSteps = 120;

export type PersonStore = ReturnType<typeof createPersonStore>;

/**
 * Who may use the console, their sessions, and what they did. Every call is one transaction. A change adds its line to
 * the audit log in this transaction; `by` is who makes the change.
 */
export function createPersonStore(deps: Pick<StoreDeps, "database" | "now" | "rules">) {
  const { database, now } = deps;
  return {
    /** How long lines are kept, in milliseconds. */
    auditRetentionMs: deps.rules.auditRetentionMs,
    ...createInvites(deps),
    ...createSessions(deps),
    ...createAuditLog(deps),
    /** Whether anybody may enter. */
    async hasPeople(): Promise<boolean> {
      return (await database.read`select 1 as one from memberships limit 1`).length > 0;
    },
    /** Finds people without a membership, too. Ignores the case of `email`. */
    personByEmail: (email: string) => personBy(database.read, "email", email.toLowerCase()),
    memberships: (personId: string) => readMemberships(database.read, personId),
    /** Sorted by name. */
    async members(organizationId: string): Promise<readonly Member[]> {
      const rows = await database.read`select people.*, role,
          (select max(seen_at) from sessions where sessions.person_id = people.person_id) as last_seen_at
        from memberships join people on people.person_id = memberships.person_id
        where organization_id = ${organizationId} order by name, email`;
      return rows.map((row) => ({
        person: personOf(row),
        role: row["role"] as Role,
        lastSeenAt: row["last_seen_at"] === null ? undefined : new Date(row["last_seen_at"] as number),
      }));
    },
    /** Changes the given fields; null removes one. */
    changePerson: (
      personId: string,
      { name, passwordHash, recoveryCodes, totpSecret }: PersonChanges,
      by?: Actor,
    ): Promise<void> =>
      database.transaction(async (transaction) => {
        const subject = (await personBy(transaction.query, "person_id", personId))?.email ?? personId;
        const audit = (action: string, detail = "") =>
          insertPersonEntry(transaction, now(), personId, { ...by, action, subject, detail });
        // Before the change, so that the line has the actor's old name.
        if (name !== undefined) await audit("person.rename", name);
        if (passwordHash !== undefined) await audit("password.change");
        if (totpSecret !== undefined) await audit(totpSecret === null ? "second-factor.off" : "second-factor.on");
        const newTotpSecret = totpSecret === null ? "" : totpSecret;
        await transaction.query`update people
          set name = coalesce(${name}, name), password_hash = coalesce(${passwordHash}, password_hash),
            recovery_codes = coalesce(${recoveryCodes && JSON.stringify(recoveryCodes)}, recovery_codes),
            totp_secret = case when ${newTotpSecret} = '' then null else coalesce(${newTotpSecret}, totp_secret) end
          where person_id = ${personId}`;
      }),
    /** Changes or removes the role and ends the person's sessions. An organization keeps its last owner. */
    setRole: (
      organizationId: string,
      personId: string,
      role: Role | undefined,
      by: Actor = {},
    ): Promise<"changed" | "unknown" | "last owner"> =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        // Unlike an invite, this adds nobody.
        if ((await roleOf(transaction, organizationId, personId)) === undefined) return "unknown";
        const result = await changeMembership(transaction, { organizationId, personId, role, by }, now());
        return result === "last owner" ? result : "changed";
      }),

    /** Accepts a code of the second factor once. False if that time step or a later one was used. */
    async useTotpStep(personId: string, step: number): Promise<boolean> {
      const used = await database.write`update people set totp_step = ${step}
        where person_id = ${personId} and (totp_step < ${step} or totp_step > ${step + clockSetBackSteps})
        returning person_id`;
      return used.length > 0;
    },
    /** Removes a recovery code. False if there is no such code. */
    useRecoveryCode: (personId: string, hash: string): Promise<boolean> =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        const person = await personBy(transaction.query, "person_id", personId);
        if (!person?.recoveryCodes.includes(hash)) return false;
        const codes = JSON.stringify(person.recoveryCodes.filter((code) => code !== hash));
        await transaction.query`update people set recovery_codes = ${codes} where person_id = ${personId}`;
        const line = { personId, action: "second-factor.recovery-code", subject: person.email, detail: "" };
        await insertPersonEntry(transaction, now(), personId, line);
        return true;
      }),
  };
}

/** Removes ended sessions, old invites, and lines of the audit log that are older than `auditMs`. */
export async function prunePeople(transaction: Transaction, time: number, auditMs: number): Promise<void> {
  await pruneSessions(transaction, time);
  await transaction.query`delete from invites where ends_at <= ${time - inviteMs}`;
  await pruneAuditLog(transaction, time - auditMs);
}
