import type { Row, Transaction } from "../database/database.js";
import { insertAuditEntry, pseudonymFor } from "../people/audit-log.js";
import { withdrawInvitesBy } from "../people/memberships.js";
import type { Actor } from "../people/person-store.js";
import type { Counts } from "./erase-site.js";
import { deleteRows } from "./erase-site.js";
import type { ErasureRefusal } from "./erasure-store.js";

/** The organizations of a person, and whether it is the only owner there. */
export async function refusalFor(
  transaction: Transaction,
  personId: string,
  onlyIn: string | undefined,
): Promise<ErasureRefusal | undefined> {
  const memberships = await transaction.query(
    `select memberships.organization_id, name, role,
       (select count(*) from memberships as others where others.organization_id = memberships.organization_id
          and others.role = 'owner') as owners
     from memberships join organizations on organizations.organization_id = memberships.organization_id
     where person_id = $1`,
    [personId],
  );
  if (onlyIn !== undefined && !memberships.some((row) => row["organization_id"] === onlyIn)) return { kind: "unknown" };
  if (onlyIn !== undefined && memberships.length > 1) return { kind: "elsewhere" };
  const last = memberships.find((row) => row["role"] === "owner" && row["owners"] === 1);
  return last && { kind: "last owner", organizationName: last["name"] as string };
}

interface PersonErasure {
  readonly by: Actor;
  readonly keepNames: boolean;
  /**
   * The only organization whose log and jobs lose the name; undefined: each. Whoever creates an account with somebody's
   * address in an organization of their own cannot erase lines of others.
   */
  readonly onlyIn: string | undefined;
}

/**
 * Deletes a person with sessions, second factor and invites. Unless `keepNames`, names and addresses in the audit log and
 * in jobs are replaced by a pseudonym. A line of the log keeps its digest and loses the salt, so the chain still fits
 * while nobody can find out by guessing what stood there; the new line `person.erase` says how many lines are concerned.
 */
export async function erasePerson(
  transaction: Transaction,
  at: number,
  person: Row,
  { by, keepNames, onlyIn }: PersonErasure,
  counts: Counts,
): Promise<void> {
  const [personId, email] = [person["person_id"] as string, person["email"] as string];
  const memberships = await transaction.query("select organization_id from memberships where person_id = $1", [
    personId,
  ]);
  const organizations = memberships.map((row) => row["organization_id"] as string);
  for (const organizationId of organizations)
    await withdrawInvitesBy(transaction, { organizationId, personId, by }, at);
  const lines = keepNames
    ? new Map<string, number>()
    : await eraseTexts(transaction, personId, namesOf(person), { organizations, onlyIn });
  counts["audit_log"] = (counts["audit_log"] ?? 0) + [...lines.values()].reduce((sum, count) => sum + count, 0);
  await deleteRows(transaction, counts, "sessions", "person_id = $1", [personId]);
  await deleteRows(transaction, counts, "invites", "email = $1", [email]);
  await deleteRows(transaction, counts, "memberships", "person_id = $1", [personId]);
  await deleteRows(transaction, counts, "people", "person_id = $1", [personId]);
  for (const organizationId of [...new Set([...organizations, ...lines.keys()])].toSorted()) {
    const line = keepNames
      ? { action: "person.remove", subject: email, detail: "the account is deleted" }
      : { action: "person.erase", subject: pseudonymFor(personId), detail: `${lines.get(organizationId) ?? 0} lines` };
    await insertAuditEntry(transaction, at, { organizationId, ...by, ...line });
  }
}

const namesOf = (person: Row): readonly [name: string, email: string] => [
  person["name"] as string,
  person["email"] as string,
];

/** Resolves with the number of changed lines of the audit log by organization. */
async function eraseTexts(
  transaction: Transaction,
  personId: string,
  [name, email]: readonly [string, string],
  { organizations, onlyIn }: { readonly organizations: readonly string[] } & Pick<PersonErasure, "onlyIn">,
): Promise<Map<string, number>> {
  const pseudonym = pseudonymFor(personId);
  const rows = await transaction.query(
    `select position, organization_id, person_id, line, actor, action, subject, detail from audit_log
     where (person_id = $1 or subject like $2 or detail like $2 or actor like $2)
       and (cast($3 as text) is null or organization_id = $3)`,
    [personId, `%${email}%`, onlyIn],
  );
  // Lines of a former name have it before the address.
  const former = rows.flatMap((row) => (row["person_id"] === personId ? row["actor"] || [] : [])) as string[];
  const texts = [...new Set([...former, `${name} (${email})`, email])].toSorted((a, b) => b.length - a.length);
  const without = (text: string): string =>
    texts.reduce((rest, each) => rest.replace(wholeText(each), () => pseudonym), text);
  const changed = new Map<string, number>();
  for (const row of rows) {
    const isOwn = row["person_id"] === personId;
    const [actor, subject, detail] = [row["actor"], row["subject"], row["detail"]] as [string | null, string, string];
    const next = {
      actor: isOwn ? pseudonym : actor && without(actor),
      subject: without(subject),
      detail: row["action"] === "person.rename" && wholeText(email).test(subject) ? "" : without(detail),
    };
    if (next.actor === actor && next.subject === subject && next.detail === detail) continue;
    await transaction.query(
      "update audit_log set actor = $2, subject = $3, detail = $4, salt = null where position = $1",
      [row["position"]!, next.actor, next.subject, next.detail],
    );
    const organizationId = row["organization_id"] as string;
    if (row["line"] !== null) changed.set(organizationId, (changed.get(organizationId) ?? 0) + 1);
  }
  const suffix = ` (${email})`;
  const names = new Set(texts.flatMap((text) => (text.endsWith(suffix) ? [text.slice(0, -suffix.length)] : [])));
  for (const text of texts) {
    for (const [table, column] of [
      ["invites", "made_by"],
      ["erasures", "requested_by"],
    ])
      await transaction.query(
        `update ${table} set ${column} = $2
         where ${column} = $1 and (cast($3 as text) is null or organization_id = $3)`,
        [text, pseudonym, onlyIn],
      );
  }
  for (const organizationId of organizations)
    for (const each of names) await eraseFromJobs(transaction, organizationId, personId, each, pseudonym);
  return changed;
}

/** Finds a name or an address, but not as a part of a longer one: ada@acme.com contains a@acme.com. */
const wholeText = (text: string): RegExp =>
  new RegExp(
    `(?<![^\\s()<>,;:"'])${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])`,
    "gu",
  );

/** Jobs have names alone. Somebody else of the same name keeps theirs. */
async function eraseFromJobs(
  transaction: Transaction,
  organizationId: string,
  personId: string,
  name: string,
  pseudonym: string,
): Promise<void> {
  const namesakes = await transaction.query(
    `select 1 as one from memberships join people on people.person_id = memberships.person_id
     where organization_id = $1 and name = $2 and people.person_id <> $3`,
    [organizationId, name, personId],
  );
  if (namesakes.length > 0) return;
  for (const table of ["jobs", "agent_jobs"])
    await transaction.query(`update ${table} set requested_by = $3 where organization_id = $1 and requested_by = $2`, [
      ...[organizationId, name, pseudonym],
    ]);
  const [before, after] = [`The job was cancelled by ${name}.`, `The job was cancelled by ${pseudonym}.`];
  await transaction.query("update jobs set error = $3 where organization_id = $1 and error = $2", [
    ...[organizationId, before, after],
  ]);
  await transaction.query(
    `update job_logs set message = $3 where message = $2
       and job_id in (select job_id from jobs where organization_id = $1)`,
    [organizationId, `The job failed. ${before}`, `The job failed. ${after}`],
  );
}
