import type { Invite, Person } from "../person.js";
import type { NewPerson, PersonStore, SubjectEntry } from "../person-store.js";
import type { Database, Param, Row, Transaction } from "./database.js";
import { newId } from "./job-rows.js";
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
        // Of two at once, the second one waits for this row and then finds it used.
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
        if (invite.organizationId !== undefined) await setMembership(transaction, person.personId, invite, now());
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
  await transaction.lock("people");
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
): Promise<Person | undefined> {
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
  await transaction.query("update people set oidc_subject = $2 where person_id = $1", [person.personId, subject]);
  for (const row of invites) {
    await transaction.query("update invites set used_at = $2 where hash = $1", [row["hash"], time]);
    await setMembership(transaction, person.personId, inviteOf(row), time);
  }
  if (membership) await setMembership(transaction, person.personId, membership, time);
  return { ...person, oidcSubject: subject };
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

async function setMembership(
  transaction: Transaction,
  personId: string,
  { organizationId, role }: { readonly organizationId?: string; readonly role?: string },
  time: number,
): Promise<void> {
  const before = await transaction.query("select role from memberships where organization_id = $1 and person_id = $2", [
    organizationId,
    personId,
  ]);
  if (before[0]?.["role"] === role) return;
  await transaction.query(
    `insert into memberships (organization_id, person_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (organization_id, person_id) do update set role = excluded.role`,
    [organizationId, personId, role, time],
  );
  if (before.length > 0) await endSessions(transaction, personId);
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
