import type { Row, Transaction } from "../database/database.js";
import { insertAuditEntry } from "./audit-log.js";
import type { Actor, Role } from "./person-store.js";
import { endSessions } from "./sessions.js";

const dayMs = 24 * 60 * 60_000;

export interface MembershipChange {
  readonly organizationId: string;
  readonly personId: string;
  /** Undefined: the person leaves the organization. */
  readonly role: Role | undefined;
  /** Who makes the change. Default: the person. */
  readonly by?: Actor | undefined;
  /** Why, if nobody asks for it now and sees the result. Then the audit log also records that the last owner stays. */
  readonly reason?: string;
}

/** `last owner`: nothing has changed, since the organization would have no owner. */
export type MembershipResult = "added" | "changed" | "unchanged" | "unknown" | "last owner";

/**
 * Adds a person to an organization, changes the role, or removes the person, with a line in the audit log. A
 * changed or removed person's sessions end, and the invites of somebody who is no owner any more.
 * Nothing else writes the table `memberships`, so this is where an organization keeps its last owner.
 *
 * @param time in milliseconds since 1970.
 */
export async function changeMembership(
  transaction: Transaction,
  { organizationId, personId, role, by = { personId }, reason }: MembershipChange,
  time: number,
): Promise<MembershipResult> {
  // Of two owners who are demoted at the same time, the second one is the last.
  await transaction.lock("people");
  const note = async (action: string, detail: string): Promise<void> => {
    const [person] = await transaction.query("select email from people where person_id = $1", [personId]);
    const subject = person!["email"] as string;
    await insertAuditEntry(transaction, time, { organizationId, ...by, action, subject, detail });
  };
  const before = await roleOf(transaction, organizationId, personId);
  if (before === role) return role === undefined ? "unknown" : "unchanged";
  if (before === "owner" && (await countOwners(transaction, organizationId)) === 1) {
    if (reason !== undefined) {
      const detail = `stays owner, not ${role}: nobody else is an owner (${reason})`;
      // Once a day: the provider may say the same each hour.
      const [recent] = await transaction.query(
        `select 1 as one from audit_log where organization_id = $1 and person_id = $2 and action = $3 and detail = $4
           and at > $5 limit 1`,
        [organizationId, personId, "person.role-kept", detail, time - dayMs],
      );
      if (!recent) await note("person.role-kept", detail);
    }
    return "last owner";
  }
  if (role === undefined)
    await transaction.query("delete from memberships where organization_id = $1 and person_id = $2", [
      organizationId,
      personId,
    ]);
  else
    await transaction.query(
      `insert into memberships (organization_id, person_id, role, created_at) values ($1, $2, $3, $4)
       on conflict (organization_id, person_id) do update set role = excluded.role`,
      [organizationId, personId, role, time],
    );
  if (before !== undefined) await endSessions(transaction, personId);
  const action = role === undefined ? "person.remove" : before === undefined ? "person.join" : "person.role";
  await note(action, [role, reason].filter((text) => text !== undefined).join(", "));
  if (before === "owner") await withdrawInvitesBy(transaction, { organizationId, personId, by }, time);
  return before === undefined ? "added" : "changed";
}

/** Links that somebody has made as an owner, perhaps for another address of their own, end with the role. */
export async function withdrawInvitesBy(
  transaction: Transaction,
  { organizationId, personId, by }: Pick<MembershipChange, "organizationId" | "personId" | "by">,
  time: number,
): Promise<void> {
  const [person] = await transaction.query("select email from people where person_id = $1", [personId]);
  const invites = await transaction.query(
    "select invite_id, email, role, made_by from invites where organization_id = $1 and used_at is null and ends_at > $2",
    [organizationId, time],
  );
  // The name may have changed since; an address has no blank before it.
  const suffix = ` (${person!["email"] as string})`;
  for (const invite of invites) {
    if (!(invite["made_by"] as string | null)?.endsWith(suffix)) continue;
    await transaction.query("delete from invites where invite_id = $1", [invite["invite_id"]!]);
    await insertAuditEntry(transaction, time, {
      ...{ organizationId, ...by, action: "person.withdraw" },
      subject: (invite["email"] as string) || (invite["invite_id"] as string),
      detail: `${invite["role"] as string}, since ${person!["email"] as string} is no owner any more`,
    });
  }
}

export async function roleOf(
  transaction: Transaction,
  organizationId: string,
  personId: string,
): Promise<Role | undefined> {
  const rows = await transaction.query("select role from memberships where organization_id = $1 and person_id = $2", [
    organizationId,
    personId,
  ]);
  return rows[0]?.["role"] as Role | undefined;
}

async function countOwners(transaction: Transaction, organizationId: string): Promise<number> {
  const [row]: readonly Row[] = await transaction.query(
    "select count(*) as owners from memberships where organization_id = $1 and role = 'owner'",
    [organizationId],
  );
  return row!["owners"] as number;
}
