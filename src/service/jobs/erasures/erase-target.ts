import { sql, type Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry, pseudonymFor } from "../people/audit-log.js";
import type { Actor } from "../people/person.js";
import { endJob } from "../queue/end-job.js";
import { erasePerson, refusalFor } from "./erase-person.js";
import * as erasing from "./erase-site.js";
import type { Erasure, ErasureRefusal, ErasureTarget } from "./erasure.js";

/** What was erased from the database, and the copies outside of it that are still to be removed. */
export interface Erased extends erasing.ExternalCopies {
  readonly subject: string;
  readonly organizationId?: string;
  readonly database: erasing.ErasureCounts;
  readonly auditLog?: Erasure["auditLog"];
}

const noCopies = (): erasing.ExternalCopies => ({ projects: [], jobIds: [], objectKeys: [], repositories: [] });

export async function eraseTarget(
  deps: StoreDeps,
  transaction: Transaction,
  target: ErasureTarget,
  by: Actor,
): Promise<Erased | ErasureRefusal> {
  const { query } = transaction;
  const at = deps.now();
  const database: erasing.ErasureCounts = {};
  const copies = noCopies();
  if (target.kind === "organization") return eraseOrganization(deps, transaction, target.organizationId, by);
  if (target.kind === "person") {
    await transaction.lock("people");
    const { personId, onlyIn, keepNames = false } = target;
    const [person] = await query`select * from people where person_id = ${personId}`;
    if (!person) return { kind: "unknown" };
    const refusal = await refusalFor(transaction, personId, onlyIn);
    if (refusal) return refusal;
    await erasePerson(transaction, at, person, { by, keepNames, onlyIn }, database);
    return { subject: pseudonymFor(personId), database, ...copies };
  }
  const { organizationId } = target;
  const audit = (action: string, subject: string, detail = "") =>
    insertAuditEntry(transaction, at, { organizationId, ...by, action, subject, detail });
  if (target.kind === "site") {
    const { domain } = target;
    const [project] = await query`select * from projects
      where organization_id = ${organizationId} and domain = ${domain} and removed_at is null`;
    if (!project) return { kind: "unknown" };
    await erasing.eraseSite(deps, transaction, project, database, copies);
    await audit("site.remove", domain);
    return { subject: domain, organizationId, database, ...copies };
  }
  if (target.kind === "thread") {
    const { threadId } = target;
    const [thread] = await query`select domain from threads
      join projects on projects.project_id = threads.project_id
      where thread_id = ${threadId} and organization_id = ${organizationId}`;
    if (!thread) return { kind: "unknown" };
    for (const table of ["thread_turns", "threads"])
      await erasing.deleteRows(transaction, database, table, sql`thread_id = ${threadId}`);
    await audit("questions.delete", threadId, thread["domain"] as string);
    return { subject: threadId, organizationId, database, ...copies };
  }
  const { jobId } = target;
  const [job] = await query`select * from jobs
    where job_id = ${jobId} and organization_id = ${organizationId} and object_key is not null`;
  if (!job) return { kind: "unknown" };
  // Programs of any release then give no link to it, and do not answer from it.
  await query`update jobs set status = 'failed', error = 'The bundle was withdrawn.', object_key = null,
    bundle_bytes = null, bundle_sha256 = null, diagnostics_key = null, updated_at = ${at} where job_id = ${jobId}`;
  await transaction.notify(jobId);
  copies.jobIds.push(jobId);
  copies.objectKeys.push(job["object_key"] as string);
  const [project] = await query`select * from projects where project_id = ${job["project_id"]}`;
  if (project) erasing.addCaches(project, copies);
  await audit("job.withdraw", jobId, job["domain"] as string);
  return { subject: jobId, organizationId, database: { jobs: 1 }, ...copies };
}

async function eraseOrganization(
  deps: StoreDeps,
  transaction: Transaction,
  organizationId: string,
  by: Actor,
): Promise<Erased | ErasureRefusal> {
  const { query } = transaction;
  const counts: erasing.ErasureCounts = {};
  const copies = noCopies();
  await transaction.lock("people");
  const [organization] = await query`update organizations set name = name
    where organization_id = ${organizationId} returning name`;
  if (!organization) return { kind: "unknown" };
  for (const project of await query`select * from projects where organization_id = ${organizationId}`)
    await erasing.eraseSite(deps, transaction, project, counts, copies);
  // Their rows are counted below, where they are deleted.
  counts["projects"] = 0;
  const unfinished = await query`select job_id from jobs
    where organization_id = ${organizationId} and finished_at is null`;
  for (const job of unfinished)
    await endJob(deps, transaction, job["job_id"] as string, { error: "The organization was deleted." });
  const people = await query`select * from people
    where person_id in (select person_id from memberships where organization_id = ${organizationId})
      and not exists (select 1 from memberships
        where memberships.person_id = people.person_id and memberships.organization_id <> ${organizationId})`;
  for (const person of people)
    await erasePerson(transaction, deps.now(), person, { by, keepNames: false, onlyIn: organizationId }, counts);
  await query`update sessions set organization_id = null where organization_id = ${organizationId}`;
  const [head] = await query`select lines, hash from audit_heads where organization_id = ${organizationId}`;
  for (const table of erasing.organizationTables)
    await erasing.deleteRows(transaction, counts, table, sql`organization_id = ${organizationId}`);
  return {
    subject: organizationId,
    organizationId,
    database: counts,
    auditLog: { lines: (head?.["lines"] ?? 0) as number, head: (head?.["hash"] ?? "") as string },
    ...copies,
  };
}
