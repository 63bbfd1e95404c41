import { type Row, raw, type Sql, sql, type Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { endJob } from "../queue/end-job.js";
import { forgetViews } from "../views/close-days.js";
import type { ErasureWork } from "./erasure.js";

/** Erased rows by table. */
export type ErasureCounts = Record<string, number>;

/** Files and objects that are to be removed outside of the database. */
export interface ExternalCopies {
  readonly projects: ErasureWork["projects"][number][];
  readonly jobIds: string[];
  readonly objectKeys: string[];
  readonly repositories: ErasureWork["repositories"][number][];
}

/**
 * Ends the jobs of a site, and deletes everything of it but its row, which signs the webhooks of the ended jobs. The
 * rows of these jobs are deleted once the webhooks are sent.
 */
export async function eraseSite(
  deps: StoreDeps,
  transaction: Transaction,
  project: Row,
  counts: ErasureCounts,
  copies: ExternalCopies,
): Promise<void> {
  const { query } = transaction;
  const projectId = project["project_id"] as string;
  // First, as a lock: rows that others add at the same time are either deleted below or refused.
  await query`update projects set removed_at = ${deps.now()} where project_id = ${projectId}`;
  addCaches(project, copies);
  const jobs = await query`select job_id, object_key, finished_at from jobs
    where project_id = ${projectId} order by position`;
  const error = `The site ${project["domain"] as string} was removed.`;
  for (const { job_id: id, object_key: objectKey, finished_at: finishedAt } of jobs) {
    const jobId = id as string;
    copies.jobIds.push(jobId);
    if (objectKey !== null) copies.objectKeys.push(objectKey as string);
    if (finishedAt === null) await endJob(deps, transaction, jobId, { error });
    else await deleteRows(transaction, counts, "jobs", sql`job_id = ${jobId}`);
  }
  for (const table of ["threads", "feedback"])
    await deleteRows(transaction, counts, table, sql`project_id = ${projectId}`);
  counts["view_sites"] = (counts["view_sites"] ?? 0) + (await forgetViews(transaction, projectId));
  counts["projects"] = (counts["projects"] ?? 0) + 1;
}

/** Workers have copies of the site's pages and of its repository. */
export function addCaches(project: Row, copies: ExternalCopies): void {
  copies.projects.push({
    organizationId: project["organization_id"] as string,
    projectId: project["project_id"] as string,
  });
  const { kind, url, subfolder } = JSON.parse(project["source"] as string) as Readonly<Record<string, string>>;
  if (kind === "git" && url !== undefined) copies.repositories.push({ url, subfolder });
}

/**
 * Tables whose rows are deleted with an organization, in this order, by its id. A test compares them with the tables
 * that have the column `organization_id` or `project_id`: a new one needs a line here or in `tablesWithOwnWay`.
 */
export const organizationTables: readonly string[] = [
  ..."idempotency_keys jobs agent_jobs turns api_keys credentials pending_installations invites".split(" "),
  ..."memberships projects audit_log audit_heads organizations".split(" "),
];

/** Tables whose rows are deleted elsewhere, or kept: by whom, or why. */
export const tablesWithOwnWay = {
  threads: "by the site",
  feedback: "by the site",
  view_sites: "by the site: forgetViews",
  sessions: "the column is what somebody looks at; it is emptied",
  queue: "of SQLite: the end of a job deletes its row",
  erasures: "the receipts stay",
} as const;

export async function deleteRows(
  { query }: Transaction,
  counts: ErasureCounts,
  table: string,
  condition: Sql,
): Promise<void> {
  const rows = await query`delete from ${raw(table)} where ${condition} returning 1 as one`;
  counts[table] = (counts[table] ?? 0) + rows.length;
}
