import type { Database, Param, Row, Transaction } from "../database/database.js";
import { newId } from "../queue/job-rows.js";
import { actorText, insertAuditEntry, insertPersonEntry } from "./audit-log.js";
import { changeMembership, type MembershipResult, roleOf } from "./memberships.js";
import { hashOf, inviteOf, newSecret, personOf } from "./person-rows.js";
import type {
  Actor,
  Invite,
  NewPerson,
  Person,
  PersonStore,
  Role,
  SubjectEntered,
  SubjectEntry,
} from "./person-store.js";
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
  const add = async (
    transaction: Transaction,
    invite: Partial<Invite> & Pick<Invite, "kind" | "email" | "endsAt">,
    by: Actor | undefined,
  ) => {
    const secret = newSecret();
    const { kind, email, organizationId, role, endsAt } = invite;
    const [row] = await transaction.query(
      `insert into invites (hash, invite_id, kind, email, organization_id, role, created_at, ends_at,
         made_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *`,
      [
        ...[hashOf(secret), newId("inv"), kind, email.toLowerCase(), organizationId, role, now(), endsAt.getTime()],
        await actorText(transaction, by ?? {}),
      ],
    );
    return { invite: inviteOf(row!), secret };
  };
  const usable = "used_at is null and ends_at > $2";
  return {
    invite: (invite, by) =>
      database.transaction(async (transaction) => {
        const created = await add(transaction, { kind: "invite", ...invite }, by);
        const { organizationId, role: detail } = invite;
        const subject = created.invite.email || created.invite.inviteId;
        await insertAuditEntry(transaction, now(), { organizationId, ...by, action: "person.invite", subject, detail });
        return created;
      }),
    inviteToReset: (email, endsAt, by) =>
      database.transaction(async (transaction) => {
        const person = await personBy(transaction.query, "email", email.toLowerCase());
        if (!person) return undefined;
        const created = await add(transaction, { kind: "reset", email, endsAt }, by);
        const line = { ...by, action: "password.reset-link", subject: person.email, detail: "" };
        await insertPersonEntry(transaction, now(), person.personId, line);
        return created;
      }),
    async invites(organizationId) {
      const rows = await database.read(
        `select * from invites where organization_id = $1 and ${usable} order by created_at desc, invite_id`,
        [organizationId, now()],
      );
      return rows.map(inviteOf);
    },
    withdrawInvite: (organizationId, inviteId, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `delete from invites where organization_id = $1 and invite_id = $3 and ${usable} returning *`,
          [organizationId, now(), inviteId],
        );
        if (!row) return false;
        const { email, role: detail = "" } = inviteOf(row);
        const line = { organizationId, ...by, action: "person.withdraw", subject: email || inviteId, detail };
        await insertAuditEntry(transaction, now(), line);
        return true;
      }),
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
        const maker = makerOf(row);
        const { organizationId, role, kind } = invite;
        const { personId } = person;
        if (organizationId !== undefined)
          await changeMembership(transaction, { organizationId, personId, role, reason: `invited by ${maker}` }, now());
        if (kind === "reset") {
          // The link alone does not prove who has used it.
          const line = { actor: `link by ${maker}`, action: "password.reset", subject: person.email, detail: "" };
          await insertPersonEntry(transaction, now(), personId, line);
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

  const change = (organizationId: string, role: Role, reason: string): Promise<MembershipResult> =>
    changeMembership(transaction, { organizationId, personId, role, reason }, time);
  for (const row of invites) {
    const { organizationId, role } = inviteOf(row);
    // Nobody has asked a member whether to take the role of an invite: its link does.
    if ((await roleOf(transaction, organizationId!, personId)) !== undefined) continue;
    await transaction.query("update invites set used_at = $2 where hash = $1", [row["hash"], time]);
    await change(organizationId!, role!, `invited by ${makerOf(row)}`);
  }
  let isRoleKept = false;
  if (membership) {
    const { organizationId, role, isMapped } = membership;
    if (isMapped || (await roleOf(transaction, organizationId, personId)) === undefined)
      isRoleKept = (await change(organizationId, role, "by single sign-on")) === "last owner";
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

/** Who made the link. Programs before the column `made_by` do not store it. */
const makerOf = (row: Row): string =>
  row["made_by"] === null ? "an earlier program" : (row["made_by"] as string) || "the service";

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
