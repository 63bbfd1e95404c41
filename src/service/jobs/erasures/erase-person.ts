import { type Query, type Row, raw, sql, type Transaction } from "../database/database.js";
import { insertAuditEntry, pseudonymFor } from "../people/audit-log.js";
import { withdrawInvitesBy } from "../people/memberships.js";
import type { Actor } from "../people/person.js";
import { deleteRows, type ErasureCounts } from "./erase-site.js";
import type { ErasureRefusal } from "./erasure.js";

/** The reason why a person cannot be erased; undefined if there is none. */
export async function refusalFor(
  { query }: Transaction,
  personId: string,
  onlyIn: string | undefined,
): Promise<ErasureRefusal | undefined> {
  const memberships = await query`select memberships.organization_id, name, role,
      (select count(*) from memberships as others
        where others.organization_id = memberships.organization_id and others.role = 'owner') as owners
    from memberships join organizations on organizations.organization_id = memberships.organization_id
    where person_id = ${personId}`;
  if (onlyIn !== undefined && !memberships.some((row) => row["organization_id"] === onlyIn)) return { kind: "unknown" };
  if (onlyIn !== undefined && memberships.length > 1) return { kind: "elsewhere" };
  const last = memberships.find((row) => row["role"] === "owner" && row["owners"] === 1);
  return last && { kind: "last owner", organizationName: last["name"] as string };
}

interface PersonErasure {
  readonly by: Actor;
  readonly keepNames: boolean;
  /** The only organization whose log and jobs lose the name: an owner must not erase lines of others. Default: all. */
  readonly onlyIn: string | undefined;
}

/**
 * Deletes a person with sessions, second factor and invites. Unless `keepNames`, names and addresses in the audit log
 * and in jobs are replaced by a pseudonym. A line of the log keeps its digest and loses its salt, so that the chain can
 * still be verified but the texts cannot be guessed. A new line `person.erase` has the number of changed lines.
 */
export async function erasePerson(
  transaction: Transaction,
  at: number,
  person: Row,
  { by, keepNames, onlyIn }: PersonErasure,
  counts: ErasureCounts,
): Promise<void> {
  const [personId, email] = [person["person_id"] as string, person["email"] as string];
  const memberships = await transaction.query`select organization_id from memberships where person_id = ${personId}`;
  const organizations = memberships.map((row) => row["organization_id"] as string);
  for (const organizationId of organizations) await withdrawInvitesBy(transaction, { organizationId, email, by }, at);
  const lines = keepNames
    ? new Map<string, number>()
    : await eraseTexts(transaction, person, { organizations, onlyIn });
  counts["audit_log"] = (counts["audit_log"] ?? 0) + [...lines.values()].reduce((sum, count) => sum + count, 0);
  await deleteRows(transaction, counts, "invites", sql`email = ${email}`);
  for (const table of ["sessions", "memberships", "people"])
    await deleteRows(transaction, counts, table, sql`person_id = ${personId}`);
  for (const organizationId of [...new Set([...organizations, ...lines.keys()])].toSorted()) {
    const line = keepNames
      ? { action: "person.remove", subject: email, detail: "the account is deleted" }
      : { action: "person.erase", subject: pseudonymFor(personId), detail: `${lines.get(organizationId) ?? 0} lines` };
    await insertAuditEntry(transaction, at, { organizationId, ...by, ...line });
  }
}

/** Resolves with the number of changed lines of the audit log by organization. */
async function eraseTexts(
  { query }: Transaction,
  { person_id: id, name, email: address }: Row,
  { organizations, onlyIn }: { readonly organizations: readonly string[] } & Pick<PersonErasure, "onlyIn">,
): Promise<Map<string, number>> {
  const [personId, email] = [id as string, address as string];
  const pseudonym = pseudonymFor(personId);
  const isInScope = onlyIn === undefined ? raw("true") : sql`organization_id = ${onlyIn}`;
  const pattern = `%${email}%`;
  const rows =
    await query`select position, organization_id, person_id, line, actor, action, subject, detail from audit_log
    where (person_id = ${personId} or subject like ${pattern} or detail like ${pattern} or actor like ${pattern})
      and ${isInScope}`;
  // Lines of a former name have it before the address.
  const former = rows.flatMap((row) => (row["person_id"] === personId ? row["actor"] || [] : [])) as string[];
  const texts = [...new Set([...former, `${name} (${email})`, email])].toSorted((a, b) => b.length - a.length);
  const without = (text: string): string =>
    texts.reduce((rest, part) => rest.replace(wholeText(part), () => pseudonym), text);
  const changed = new Map<string, number>();
  for (const row of rows) {
    const isOwn = row["person_id"] === personId;
    const [actor, subject, detail] = [row["actor"], row["subject"], row["detail"]] as [string, string, string];
    const next = {
      actor: isOwn ? pseudonym : without(actor),
      subject: without(subject),
      detail: row["action"] === "person.rename" && wholeText(email).test(subject) ? "" : without(detail),
    };
    if (next.actor === actor && next.subject === subject && next.detail === detail) continue;
    await query`update audit_log
      set actor = ${next.actor}, subject = ${next.subject}, detail = ${next.detail}, salt = null
      where position = ${row["position"]}`;
    const organizationId = row["organization_id"] as string;
    changed.set(organizationId, (changed.get(organizationId) ?? 0) + 1);
  }
  const suffix = ` (${email})`;
  const names = new Set(texts.flatMap((text) => (text.endsWith(suffix) ? [text.slice(0, -suffix.length)] : [])));
  for (const text of texts) {
    await query`update invites set made_by = ${pseudonym} where made_by = ${text} and ${isInScope}`;
    await query`update erasures set requested_by = ${pseudonym} where requested_by = ${text} and ${isInScope}`;
  }
  for (const organizationId of organizations)
    for (const formerName of names) await eraseFromJobs(query, organizationId, personId, formerName, pseudonym);
  return changed;
}

/** Finds a name or an address, but not as a part of a longer one: ada@acme.com contains a@acme.com. */
const wholeText = (text: string): RegExp =>
  new RegExp(
    `(?<![^\\s()<>,;:"'])${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])`,
    "gu",
  );

/** Jobs contain names without addresses, so the name stays if another member has the same. */
async function eraseFromJobs(
  query: Query,
  organizationId: string,
  personId: string,
  name: string,
  pseudonym: string,
): Promise<void> {
  const namesakes = await query`select 1 as one from memberships
    join people on people.person_id = memberships.person_id
    where organization_id = ${organizationId} and name = ${name} and people.person_id <> ${personId}`;
  if (namesakes.length > 0) return;
  for (const table of ["jobs", "agent_jobs"])
    await query`update ${raw(table)} set requested_by = ${pseudonym}
      where organization_id = ${organizationId} and requested_by = ${name}`;
  const [before, after] = [`The job was cancelled by ${name}.`, `The job was cancelled by ${pseudonym}.`];
  await query`update jobs set error = ${after} where organization_id = ${organizationId} and error = ${before}`;
  await query`update job_logs set message = ${`The job failed. ${after}`} where message = ${`The job failed. ${before}`}
    and job_id in (select job_id from jobs where organization_id = ${organizationId})`;
}
