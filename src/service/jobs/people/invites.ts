import { type Row, type Sql, sql, type Transaction } from "../database/database.js";
import { newId } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { actorText, insertAuditEntry, insertPersonEntry } from "./audit-log.js";
import { changeMembership, type MembershipResult, roleOf } from "./memberships.js";
import type {
  Actor,
  CreatedInvite,
  Invite,
  NewInvite,
  NewPerson,
  Person,
  Role,
  SubjectEntered,
  SubjectEntry,
} from "./person.js";
import { inviteOf, newSecret, personBy, personOf, secretHash } from "./person-rows.js";
import { endSessions } from "./sessions.js";

/** Links that let someone enter. */
export function createInvites({ database, now }: Pick<StoreDeps, "database" | "now">) {
  const insertInvite = async (
    transaction: Transaction,
    { kind, email, organizationId, role, endsAt }: Partial<Invite> & Pick<Invite, "kind" | "email" | "endsAt">,
    by: Actor | undefined,
  ) => {
    const secret = newSecret();
    const madeBy = await actorText(transaction, by ?? {});
    const [row] = await transaction.query`insert into invites
        (hash, invite_id, kind, email, organization_id, role, created_at, ends_at, made_by)
      values (${secretHash(secret)}, ${newId("inv")}, ${kind}, ${email.toLowerCase()}, ${organizationId}, ${role},
        ${now()}, ${endsAt.getTime()}, ${madeBy}) returning *`;
    return { invite: inviteOf(row!), secret };
  };
  const isUsable = (): Sql => sql`used_at is null and ends_at > ${now()}`;
  return {
    invite: (invite: NewInvite, by?: Actor): Promise<CreatedInvite> =>
      database.transaction(async (transaction) => {
        const created = await insertInvite(transaction, { kind: "invite", ...invite }, by);
        const { organizationId, role: detail } = invite;
        const subject = created.invite.email || created.invite.inviteId;
        await insertAuditEntry(transaction, now(), { organizationId, ...by, action: "person.invite", subject, detail });
        return created;
      }),
    /** Creates a link for a new password. Undefined if nobody has that address. */
    inviteToReset: (email: string, endsAt: Date, by?: Actor): Promise<CreatedInvite | undefined> =>
      database.transaction(async (transaction) => {
        const person = await personBy(transaction.query, "email", email.toLowerCase());
        if (!person) return undefined;
        const created = await insertInvite(transaction, { kind: "reset", email, endsAt }, by);
        const line = { ...by, action: "password.reset-link", subject: person.email, detail: "" };
        await insertPersonEntry(transaction, now(), person.personId, line);
        return created;
      }),
    /** Unused ones that have not expired, newest first. */
    async invites(organizationId: string): Promise<readonly Invite[]> {
      const rows = await database.read`select * from invites
        where organization_id = ${organizationId} and ${isUsable()} order by created_at desc, invite_id`;
      return rows.map(inviteOf);
    },
    /** False if there is no such unused invite. */
    withdrawInvite: (organizationId: string, inviteId: string, by?: Actor): Promise<boolean> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`delete from invites
          where organization_id = ${organizationId} and invite_id = ${inviteId} and ${isUsable()} returning *`;
        if (!row) return false;
        const { email, role: detail = "" } = inviteOf(row);
        const line = { organizationId, ...by, action: "person.withdraw", subject: email || inviteId, detail };
        await insertAuditEntry(transaction, now(), line);
        return true;
      }),
    /** The invite with that secret, if it can still be used. */
    async findInvite(secret: string): Promise<Invite | undefined> {
      const [row] = await database.read`select * from invites where hash = ${secretHash(secret)} and ${isUsable()}`;
      return row && inviteOf(row);
    },
    /**
     * Uses an invite. Someone who is a member elsewhere accepts with their own session, as `personId`; somebody new, or
     * one who resets the password, with a name and a password. A reset ends the person's sessions and second factor.
     * The last owner of an organization stays its owner, whatever the invite says. Undefined if the invite has been
     * used, has expired, or is for somebody else.
     */
    acceptInvite: (secret: string, by: NewPerson | { readonly personId: string }): Promise<Person | undefined> =>
      database.transaction(async (transaction) => {
        await transaction.lock("people");
        const hash = secretHash(secret);
        const [row] =
          await transaction.query`update invites set used_at = ${now()} where hash = ${hash} and ${isUsable()} returning *`;
        if (!row) return undefined;
        const { invite, maker } = { invite: inviteOf(row), maker: makerOf(row) };
        const person = await personEntering(transaction, invite, by, now());
        if (!person) {
          await transaction.query`update invites set used_at = null where hash = ${hash}`;
          return undefined;
        }
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
    /**
     * The person with that subject, or else with that address, who then gets the subject. With `membership`, creates a
     * person who does not exist. Uses the invites of the address to organizations that the person does not belong to.
     * Undefined if there is no such person.
     */
    enterBySubject: (entry: SubjectEntry): Promise<SubjectEntered | undefined> =>
      database.transaction((transaction) => enterBySubject(transaction, entry, now())),
  };
}

/** The person who may enter by an invite: a new one, a member who has logged in, or one with a new password. */
async function personEntering(
  transaction: Transaction,
  { kind, email: invitedEmail }: Invite,
  by: NewPerson | { readonly personId: string },
  time: number,
): Promise<Person | undefined> {
  const email = invitedEmail || ("email" in by && by.email ? by.email.toLowerCase() : "");
  if (email === "") return undefined;
  const person = await personBy(transaction.query, "email", email);
  if ("personId" in by) return person?.personId === by.personId && kind === "invite" ? person : undefined;
  const { name, passwordHash } = by;
  if (!person) return kind === "reset" ? undefined : addPerson(transaction, { email, name, passwordHash }, time);
  const { personId } = person;
  if (kind === "invite") {
    const memberships = await transaction.query`select 1 as one from memberships where person_id = ${personId} limit 1`;
    if (memberships.length > 0) return undefined;
  }
  const [changed] = await transaction.query`update people
    set name = ${kind === "reset" ? person.name : name}, password_hash = ${passwordHash}, totp_secret = null,
      recovery_codes = '[]'
    where person_id = ${personId} returning *`;
  await endSessions(transaction, personId);
  return personOf(changed!);
}

async function enterBySubject(
  transaction: Transaction,
  { subject, email: address, name, membership }: SubjectEntry,
  time: number,
): Promise<SubjectEntered | undefined> {
  const { query } = transaction;
  await transaction.lock("people");
  const email = address.toLowerCase();
  const invites = await query`select * from invites
    where email = ${email} and kind = 'invite' and used_at is null and ends_at > ${time}`;
  let person = (await personBy(query, "oidc_subject", subject)) ?? (await personBy(query, "email", email));
  // Another account of the provider has the address now.
  if (person?.oidcSubject !== undefined && person.oidcSubject !== subject) return undefined;
  if (!person && !membership && invites.length === 0) return undefined;
  person ??= await addPerson(transaction, { email, name }, time);
  const { personId } = person;
  await query`update people set oidc_subject = ${subject} where person_id = ${personId}`;

  const setRole = (organizationId: string, role: Role, reason: string): Promise<MembershipResult> =>
    changeMembership(transaction, { organizationId, personId, role, reason }, time);
  for (const row of invites) {
    const { organizationId, role } = inviteOf(row);
    // A member takes the role of an invite only by its link.
    if ((await roleOf(transaction, organizationId!, personId)) !== undefined) continue;
    await query`update invites set used_at = ${time} where hash = ${row["hash"]}`;
    await setRole(organizationId!, role!, `invited by ${makerOf(row)}`);
  }
  let isRoleKept = false;
  if (membership) {
    const { organizationId, role, isMapped } = membership;
    if (isMapped || (await roleOf(transaction, organizationId, personId)) === undefined)
      isRoleKept = (await setRole(organizationId, role, "by single sign-on")) === "last owner";
  }
  return { person: { ...person, oidcSubject: subject }, isRoleKept };
}

async function addPerson(
  { query }: Transaction,
  { email, name, passwordHash }: Pick<Person, "email" | "name" | "passwordHash">,
  time: number,
): Promise<Person> {
  const [row] = await query`insert into people (person_id, email, name, password_hash, created_at)
    values (${newId("per")}, ${email}, ${name}, ${passwordHash}, ${time}) returning *`;
  return personOf(row!);
}

const makerOf = ({ made_by: madeBy }: Row): string => (madeBy as string) || "the service";
