import type { Transaction } from "../database/database.js";
import { insertAuditEntry } from "./audit-log.js";
import type { Actor, Role } from "./person.js";
import { personBy } from "./person-rows.js";
import { endSessions } from "./sessions.js";

const dayMs = 24 * 60 * 60_000;

export interface MembershipChange {
  readonly organizationId: string;
  readonly personId: string;
  /** Undefined if the person leaves the organization. */
  readonly role: Role | undefined;
  /** Who makes the change. Default: the person. */
  readonly by?: Actor | undefined;
  /** The reason, for a change that nobody watches. With it, the audit log also records that the last owner stays. */
  readonly reason?: string;
}

/** `last owner`: nothing has changed, since the organization would have no owner. */
export type MembershipResult = "added" | "changed" | "unchanged" | "unknown" | "last owner";

/**
 * Adds a person to an organization, changes the role, or removes the person, with a line in the audit log. Ends the
 * sessions of a changed or removed person, and withdraws the invites of a former owner. Refuses to remove the last
 * owner; nothing else writes the table `memberships`.
 *
 * @param time in milliseconds since 1970.
 */
export async function changeMembership(
  transaction: Transaction,
  { organizationId, personId, role, by = { personId }, reason }: MembershipChange,
  time: number,
): Promise<MembershipResult> {
  // Otherwise two owners who are demoted at the same time could leave none.
  await transaction.lock("people");
  const { email } = (await personBy(transaction.query, "person_id", personId))!;
  const audit = (action: string, detail: string): Promise<void> =>
    insertAuditEntry(transaction, time, { organizationId, ...by, action, subject: email, detail });
  const before = await roleOf(transaction, organizationId, personId);
  if (before === role) return role === undefined ? "unknown" : "unchanged";
  if (before === "owner" && (await countOwners(transaction, organizationId)) === 1) {
    if (reason !== undefined) {
      const detail = `stays owner, not ${role}: nobody else is an owner (${reason})`;
      // Once a day: the provider may say the same each hour.
      const [recent] = await transaction.query`select 1 as one from audit_log
        where organization_id = ${organizationId} and person_id = ${personId} and action = 'person.role-kept'
          and detail = ${detail} and at > ${time - dayMs} limit 1`;
      if (!recent) await audit("person.role-kept", detail);
    }
    return "last owner";
  }
  if (role === undefined)
    await transaction.query`delete from memberships
      where organization_id = ${organizationId} and person_id = ${personId}`;
  else
    await transaction.query`insert into memberships (organization_id, person_id, role, created_at)
      values (${organizationId}, ${personId}, ${role}, ${time})
      on conflict (organization_id, person_id) do update set role = excluded.role`;
  if (before !== undefined) await endSessions(transaction, personId);
  const action = role === undefined ? "person.remove" : before === undefined ? "person.join" : "person.role";
  await audit(action, [role, reason].filter((text) => text !== undefined).join(", "));
  if (before === "owner") await withdrawInvitesBy(transaction, { organizationId, email, by }, time);
  return before === undefined ? "added" : "changed";
}

/** Withdraws the invites that a former owner made: a link may be for another address of theirs. */
export async function withdrawInvitesBy(
  transaction: Transaction,
  { organizationId, email, by }: { readonly organizationId: string; readonly email: string; readonly by: Actor },
  time: number,
): Promise<void> {
  const invites = await transaction.query`select invite_id, email, role, made_by from invites
    where organization_id = ${organizationId} and used_at is null and ends_at > ${time}`;
  for (const invite of invites) {
    // The name in front may have changed since. An address contains no blank.
    if (!(invite["made_by"] as string).endsWith(` (${email})`)) continue;
    await transaction.query`delete from invites where invite_id = ${invite["invite_id"]}`;
    await insertAuditEntry(transaction, time, {
      ...{ organizationId, ...by, action: "person.withdraw" },
      subject: (invite["email"] as string) || (invite["invite_id"] as string),
      detail: `${invite["role"] as string}, since ${email} is no longer an owner`,
    });
  }
}

export async function roleOf(
  { query }: Transaction,
  organizationId: string,
  personId: string,
): Promise<Role | undefined> {
  const [row] =
    await query`select role from memberships where organization_id = ${organizationId} and person_id = ${personId}`;
  return row?.["role"] as Role | undefined;
}

async function countOwners({ query }: Transaction, organizationId: string): Promise<number> {
  const [row] = await query`select count(*) as owners from memberships
    where organization_id = ${organizationId} and role = 'owner'`;
  return row!["owners"] as number;
}
