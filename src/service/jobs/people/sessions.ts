import type { Database, Row, Transaction } from "../database/database.js";
import { insertPersonEntry } from "./audit-log.js";
import { hashOf, membershipOf, newSecret, sessionColumns, sessionOf } from "./person-rows.js";
import type { Actor, PersonStore } from "./person-store.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A session ends this long after its last use, and at the latest this long after it began. */
const idleMs = 12 * hourMs;
const lifeMs = 7 * 24 * hourMs;
/** For the second factor. */
const passwordStageMs = 10 * minuteMs;

const membershipsOf = `select memberships.organization_id, organizations.name as organization_name, role
   from memberships join organizations on organizations.organization_id = memberships.organization_id
   where person_id = $1 order by organizations.name`;

export const readMemberships = async (read: Database["read"] | Transaction["query"], personId: string) =>
  (await read(membershipsOf, [personId])).map(membershipOf);

type SessionCalls = "createSession" | "findSession" | "sessions" | "chooseOrganization" | "endSession" | "endSessions";

/** The sessions of people. Their secrets are stored as hashes. */
export function createSessions(database: Database, now: () => number): Pick<PersonStore, SessionCalls> {
  // A session that was used at a time to come began before the clock was set back.
  const isOpen = (row: Row): boolean =>
    (row["ends_at"] as number) > now() && Math.abs(now() - (row["seen_at"] as number)) < idleMs;
  const auditSession = async (
    transaction: Transaction,
    personId: string,
    action: string,
    detail: string,
    by: Actor = { personId },
  ): Promise<void> => {
    const [row] = await transaction.query("select email from people where person_id = $1", [personId]);
    const subject = (row?.["email"] as string | undefined) ?? personId;
    await insertPersonEntry(transaction, now(), personId, { ...by, action, subject, detail });
  };
  return {
    async createSession({ personId, stage, browser, organizationId, recheckMs, address }) {
      const secret = newSecret();
      const time = now();
      const endsAt = time + (stage === "open" ? lifeMs : passwordStageMs);
      await database.transaction(async (transaction) => {
        await transaction.query(
          `insert into sessions (hash, person_id, organization_id, stage, browser, created_at, seen_at, ends_at,
             recheck_at)
           values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
          [hashOf(secret), personId, organizationId, stage, browser, time, endsAt, recheckMs && time + recheckMs],
        );
        if (stage !== "open") return;
        const detail = address === undefined ? browser : `${browser}, from ${address}`;
        await auditSession(transaction, personId, "login", detail);
      });
      return secret;
    },
    async findSession(secret) {
      const [row] = await database.read(
        `select ${sessionColumns} from sessions join people on people.person_id = sessions.person_id where hash = $1`,
        [hashOf(secret)],
      );
      if (!row || !isOpen(row)) return undefined;
      const session = sessionOf(row, now());
      const memberships = await readMemberships(database.read, session.person.personId);
      if (memberships.length === 0) return undefined;
      if (Math.abs(now() - (row["seen_at"] as number)) >= minuteMs)
        await database.transaction((transaction) =>
          transaction.query("update sessions set seen_at = $2 where hash = $1", [row["hash"], now()]),
        );
      return { ...session, memberships };
    },
    async sessions(personId) {
      const rows = await database.read(
        `select ${sessionColumns} from sessions join people on people.person_id = sessions.person_id
         where sessions.person_id = $1 and stage = 'open' order by seen_at desc, hash`,
        [personId],
      );
      return rows.filter(isOpen).map((row) => sessionOf(row, now()));
    },
    async chooseOrganization(sessionId, organizationId) {
      await database.transaction((transaction) =>
        transaction.query("update sessions set organization_id = $2 where hash like $1 || '%'", [
          sessionId,
          organizationId,
        ]),
      );
    },
    async endSession(personId, sessionId) {
      if (!/^[0-9a-f]{16}$/.test(sessionId)) return false;
      return database.transaction(async (transaction) => {
        const [ended] = await transaction.query(
          "delete from sessions where person_id = $1 and hash like $2 || '%' returning stage, browser",
          [personId, sessionId],
        );
        if (ended?.["stage"] === "open")
          await auditSession(transaction, personId, "logout", ended["browser"] as string);
        return ended !== undefined;
      });
    },
    endSessions: (personId, except = "-", by) =>
      database.transaction(async (transaction) => {
        const { length } = await endSessions(transaction, personId, except);
        await auditSession(transaction, personId, "person.log-out", `${length} sessions`, by);
        return length;
      }),
  };
}

export const endSessions = (transaction: Transaction, personId: string, exceptSessionId = "-") =>
  transaction.query("delete from sessions where person_id = $1 and hash not like $2 || '%' returning hash", [
    personId,
    exceptSessionId,
  ]);

/** Removes sessions that have ended. */
export const pruneSessions = (transaction: Transaction, time: number) =>
  transaction.query("delete from sessions where ends_at <= $1 or seen_at <= $2", [time, time - idleMs]);
