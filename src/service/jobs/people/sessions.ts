import type { Query, Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertPersonEntry } from "./audit-log.js";
import type { Actor, Membership, NewSession, Session } from "./person.js";
import { membershipOf, newSecret, personBy, secretHash, sessionColumns, sessionOf } from "./person-rows.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A session ends this long after its last use, and at the latest this long after it began. */
const idleMs = 12 * hourMs;
const lifeMs = 7 * 24 * hourMs;
/** For the second factor. */
const passwordStageMs = 10 * minuteMs;

export async function readMemberships(query: Query, personId: string): Promise<readonly Membership[]> {
  const rows = await query`select memberships.organization_id, organizations.name as organization_name, role
    from memberships join organizations on organizations.organization_id = memberships.organization_id
    where person_id = ${personId} order by organizations.name`;
  return rows.map(membershipOf);
}

/** The sessions of people. Their secrets are stored as hashes. */
export function createSessions({ database, now }: Pick<StoreDeps, "database" | "now">) {
  // A session that was used in the future began before the clock was set back.
  const isOpen = (row: Row): boolean =>
    (row["ends_at"] as number) > now() && Math.abs(now() - (row["seen_at"] as number)) < idleMs;
  const auditSession = async (
    transaction: Transaction,
    personId: string,
    action: string,
    detail: string,
    by: Actor = { personId },
  ): Promise<void> => {
    const subject = (await personBy(transaction.query, "person_id", personId))?.email ?? personId;
    await insertPersonEntry(transaction, now(), personId, { ...by, action, subject, detail });
  };
  return {
    /** Returns the secret of the session. */
    async createSession({ personId, stage, browser, organizationId, recheckMs, address }: NewSession): Promise<string> {
      const secret = newSecret();
      const time = now();
      const endsAt = time + (stage === "open" ? lifeMs : passwordStageMs);
      await database.transaction(async (transaction) => {
        await transaction.query`insert into sessions
            (hash, person_id, organization_id, stage, browser, created_at, seen_at, ends_at, recheck_at)
          values (${secretHash(secret)}, ${personId}, ${organizationId}, ${stage}, ${browser}, ${time}, ${time},
            ${endsAt}, ${recheckMs && time + recheckMs})`;
        if (stage !== "open") return;
        const detail = address === undefined ? browser : `${browser}, from ${address}`;
        await auditSession(transaction, personId, "login", detail);
      });
      return secret;
    },
    /** The open session with that secret, if the person is still a member. Records that it was used. */
    async findSession(secret: string): Promise<Session | undefined> {
      const [row] = await database.read`select ${sessionColumns} from sessions
        join people on people.person_id = sessions.person_id where hash = ${secretHash(secret)}`;
      if (!row || !isOpen(row)) return undefined;
      const session = sessionOf(row, now());
      const memberships = await readMemberships(database.read, session.person.personId);
      if (memberships.length === 0) return undefined;
      if (Math.abs(now() - (row["seen_at"] as number)) >= minuteMs)
        await database.write`update sessions set seen_at = ${now()} where hash = ${row["hash"]}`;
      return { ...session, memberships };
    },
    /** Open ones, used last first. */
    async sessions(personId: string): Promise<readonly Omit<Session, "memberships">[]> {
      const rows = await database.read`select ${sessionColumns} from sessions
        join people on people.person_id = sessions.person_id
        where sessions.person_id = ${personId} and stage = 'open' order by seen_at desc, hash`;
      return rows.filter(isOpen).map((row) => sessionOf(row, now()));
    },
    async chooseOrganization(sessionId: string, organizationId: string): Promise<void> {
      await database.write`update sessions set organization_id = ${organizationId} where hash like ${sessionId} || '%'`;
    },
    /** Logs the person out of one session. False if there is no such session. */
    async endSession(personId: string, sessionId: string): Promise<boolean> {
      if (!/^[0-9a-f]{16}$/.test(sessionId)) return false;
      return database.transaction(async (transaction) => {
        const [ended] = await transaction.query`delete from sessions
          where person_id = ${personId} and hash like ${sessionId} || '%' returning stage, browser`;
        if (ended?.["stage"] === "open")
          await auditSession(transaction, personId, "logout", ended["browser"] as string);
        return ended !== undefined;
      });
    },
    /** Ends all sessions of the person but one. Resolves with their number. */
    endSessions: (personId: string, exceptSessionId?: string, by?: Actor): Promise<number> =>
      database.transaction(async (transaction) => {
        const { length } = await endSessions(transaction, personId, exceptSessionId);
        await auditSession(transaction, personId, "person.log-out", `${length} sessions`, by);
        return length;
      }),
  };
}

/** No session's hash begins with the default of `exceptSessionId`. */
export const endSessions = ({ query }: Transaction, personId: string, exceptSessionId = "-") =>
  query`delete from sessions where person_id = ${personId} and hash not like ${exceptSessionId} || '%' returning hash`;

export const pruneSessions = ({ query }: Transaction, time: number) =>
  query`delete from sessions where ends_at <= ${time} or seen_at <= ${time - idleMs}`;
