import type { Invite, Person, Role } from "../person.js";
import type { NewPerson, PersonStore, SubjectEntered, SubjectEntry } from "../person-store.js";
import { insertAuditEntry } from "./audit-log.js";
import type { Database, Param, Row, Transaction } from "./database.js";
import { newId } from "./job-rows.js";
import { changeMembership, type MembershipResult, roleOf } from "./memberships.js";
import { hashOf, inviteOf, newSecret, personOf } from "./person-rows.js";
import { endSessions } from "./sessions.js";

type InviteCalls =
  | "invite"
  | "inviteToReset"
  | "invites"
  | "withdrawInvite"
  | "findInvite"
  | "acceptInvite"
  | "enterBySubject";

/** Links that let someone enter, and what they lead to. */
export function createInvites(database: Database, now: () => number): Pick<PersonStore, InviteCalls> {
  const add = async (transaction: Transaction, invite: Partial<Invite> & Pick<Invite, "kind" | "email" | "endsAt">) => {
    const secret = newSecret();
    const { kind, email, organizationId, role, endsAt } = invite;
    const [row] = await transaction.query(
      `insert into invites (hash, invite_id, kind, email, organization_id, role, created_at, ends_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
      [hashOf(secret), newId("inv"), kind, email.toLowerCase(), organizationId, role, now(), endsAt.getTime()],
    );
    return { invite: inviteOf(row!), secret };
  };
  const usable = "used_at is null and ends_at > $2";
  return {
    invite: (invite) => database.transaction((transaction) => add(transaction, { kind: "invite", ...invite })),
    inviteToReset: (email, endsAt) =>
      database.transaction(async (transaction) => {
        const person = await personBy(transaction.query, "email", email.toLowerCase());
        return person && add(transaction, { kind: "reset", email, endsAt });
      }),
    async invites(organizationId) {
      const rows = await database.read(
        `select * from invites where organization_id = $1 and ${usable} order by created_at desc, invite_id`,
        [organizationId, now()],
      );
      return rows.map(inviteOf);
    },
    async withdrawInvite(organizationId, inviteId) {
      const removed = await database.transaction((transaction) =>
        transaction.query(
          `delete from invites where organization_id = $1 and invite_id = $3 and ${usable} returning invite_id`,
          [organizationId, now(), inviteId],
        ),
      );
      return removed.length > 0;
    },
    async findInvite(secret) {
      const [row] = await database.read(`select * from invites where hash = $1 and ${usable}`, [hashOf(secret), now()]);
      return row && inviteOf(row);
    },
    acceptInvite: (secret, by) =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        const [row] = await transaction.query(
          `update invites set used_at = $2 where hash = $1 and ${usable} returning *`,
          [hashOf(secret), now()],
        );
        const invite = row && inviteOf(row);
        const person = invite && (await entrant(transaction, invite, by, now()));
        if (!person) {
          if (row) await transaction.query("update invites set used_at = null where hash = $1", [row["hash"]]);
          return undefined;
        }
        const { organizationId, role } = invite;
        if (organizationId !== undefined) {
          const { personId } = person;
          await changeMembership(transaction, { organizationId, personId, role, by: "an invite" }, now());
        }
        return person;
      }),
    enterBySubject: (entry) => database.transaction((transaction) => enterBySubject(transaction, entry, now())),
  };
}

/** The person whom an invite lets enter, with what it changes. */
async function entrant(
  transaction: Transaction,
  { kind, email: named }: Invite,
  by: NewPerson | { readonly personId: string },
  time: number,
): Promise<Person | undefined> {
  const email = named || ("email" in by && by.email ? by.email.toLowerCase() : "");
  if (email === "") return undefined;
  const person = await personBy(transaction.query, "email", email);
  if ("personId" in by) return person?.personId === by.personId && kind === "invite" ? person : undefined;
  const { name, passwordHash } = by;
  if (!person) return kind === "reset" ? undefined : addPerson(transaction, { email, name, passwordHash }, time);
  if (kind === "invite" && (await hasMembership(transaction, person.personId))) return undefined;
  const [changed] = await transaction.query(
    `update people set name = $2, password_hash = $3, totp_secret = null, recovery_codes = '[]'
     where person_id = $1 returning *`,
    [person.personId, kind === "reset" ? person.name : name, passwordHash],
  );
  await endSessions(transaction, person.personId);
  return personOf(changed!);
}

async function enterBySubject(
  transaction: Transaction,
  { subject, email: written, name, membership }: SubjectEntry,
  time: number,
): Promise<SubjectEntered | undefined> {
  await transaction.lock("people");
  const email = written.toLowerCase();
  const invites = await transaction.query(
    "select * from invites where email = $1 and kind = 'invite' and used_at is null and ends_at > $2",
    [email, time],
  );
  let person =
    (await personBy(transaction.query, "oidc_subject", subject)) ?? (await personBy(transaction.query, "email", email));
  // Another account of the provider has the address now.
  if (person?.oidcSubject !== undefined && person.oidcSubject !== subject) return undefined;
  if (!person && !membership && invites.length === 0) return undefined;
  person ??= await addPerson(transaction, { email, name }, time);
  const { personId } = person;
  await transaction.query("update people set oidc_subject = $2 where person_id = $1", [personId, subject]);

  const by = "single sign-on";
  const change = async (organizationId: string, role: Role): Promise<MembershipResult> => {
    const result = await changeMembership(transaction, { organizationId, personId, role, by }, time);
    const action = result === "added" ? "person.join" : result === "changed" ? "person.role" : undefined;
    if (action !== undefined) {
      const entry = { organizationId, actor: by, action, subject: person.email, detail: role };
      await insertAuditEntry(transaction, time, entry);
    }
    return result;
  };
  for (const row of invites) {
    const { organizationId, role } = inviteOf(row);
    // Nobody has asked a member whether to take the role of an invite: its link does.
    if ((await roleOf(transaction, organizationId!, personId)) !== undefined) continue;
    await transaction.query("update invites set used_at = $2 where hash = $1", [row["hash"], time]);
    await change(organizationId!, role!);
  }
  let isRoleKept = false;
  if (membership) {
    const { organizationId, role, isMapped } = membership;
    if (isMapped || (await roleOf(transaction, organizationId, personId)) === undefined)
      isRoleKept = (await change(organizationId, role)) === "last owner";
  }
  return { person: { ...person, oidcSubject: subject }, isRoleKept };
}

async function addPerson(
  transaction: Transaction,
  { email, name, passwordHash }: Pick<Person, "email" | "name" | "passwordHash">,
  time: number,
): Promise<Person> {
  const [row] = await transaction.query(
    "insert into people (person_id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5) returning *",
    [newId("per"), email, name, passwordHash, time],
  );
  return personOf(row!);
}

const hasMembership = async (transaction: Transaction, personId: string): Promise<boolean> =>
  (await transaction.query("select 1 as one from memberships where person_id = $1 limit 1", [personId])).length > 0;

export async function personBy(
  read: Database["read"] | Transaction["query"],
  column: "email" | "oidc_subject",
  value: Param,
): Promise<Person | undefined> {
  const [row]: readonly Row[] = await read(`select * from people where ${column} = $1`, [value]);
  return row && personOf(row);
}
